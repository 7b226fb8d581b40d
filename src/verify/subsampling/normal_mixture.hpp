// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/subsampling/noise_mixture.hpp"

/// Mixtures of normal laws of variance 1 on the line.
namespace doeblin::verify {

/// D_{e^epsilon}(P||Q), for mixtures whose likelihood ratio P/Q is monotone in z (one has its means at or right of
/// those of the other, one of the two having a single mean or both lying on different sides of 0).
///
/// Method   the event is a half-line; its end is enclosed by certified signs of P - e^epsilon Q
[[nodiscard]] Ball divergence(const ShiftedMixture& p, const ShiftedMixture& q, const Ball& epsilon);

}  // namespace doeblin::verify
