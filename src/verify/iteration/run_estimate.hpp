// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Plain floating point for deciding what to compute: nothing here is part of a bound.
namespace doeblin::verify {

/// log theta_{e^x}(mu) for x >= 0, to about 13 digits.
[[nodiscard]] double estimate_log_theta(double x, double mu);

/// log F(d) for d = e^log_delta, where log_excess = log(g - 1) (catalogue M2).
[[nodiscard]] double estimate_contracted(double log_delta, double log_excess, double mu);

}  // namespace doeblin::verify
