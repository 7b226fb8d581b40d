// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/known.hpp"

/// From Renyi divergences to deltas (catalogue C3).
namespace doeblin::verify {

/// The largest delta at `epsilon` that a mechanism can have whose Renyi divergence of order alpha is at most
/// `divergence`: the largest p - e^epsilon q over probabilities with p^alpha q^{1-alpha} + (1-p)^alpha (1-q)^{1-alpha}
/// <= e^{(alpha-1) divergence}. From above, and close to it.
[[nodiscard]] Ball renyi_delta(const Ball& alpha, const Ball& divergence, const Ball& epsilon);

/// The same at the best order of a curve, which may end at an order.
[[nodiscard]] Ball best_renyi_delta(const std::function<Ball(const Ball& alpha)>& curve, const Ball& epsilon,
                                    const std::optional<Ball>& largest_order = std::nullopt);

/// All that is known is a curve. `attained` (possibly empty) is the divergence of a mechanism that has it.
[[nodiscard]] Known known_by_renyi(std::function<Ball(const Ball& alpha)> curve, const Divergence& attained = {});

/// One order, and nothing about others.
[[nodiscard]] Known known_renyi_point(const Ball& alpha, const Ball& divergence);

}  // namespace doeblin::verify
