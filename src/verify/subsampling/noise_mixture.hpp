// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "verify/mechanism/added_noise.hpp"

/// Mixtures of shifts of one noise on the line (N1).
namespace doeblin::verify {

struct ShiftedPart {
  Ball weight;
  Ball mean;
};
using ShiftedMixture = std::vector<ShiftedPart>;

/// D_{e^epsilon}(P||Q), epsilon >= 0, for mixtures whose likelihood ratio is monotone: the means of one are all at 0 or
/// right of it, those of the other at 0 or left of it; whole where the noise is.
///
/// Method   the event is a half-line; its end is found in doubles and enclosed by certified signs of P - e^epsilon Q
[[nodiscard]] Ball divergence(const AddedNoise& noise, const ShiftedMixture& p, const ShiftedMixture& q,
                              const Ball& epsilon);

/// No loss is larger, in either direction; empty if losses have no end.
[[nodiscard]] std::optional<Ball> largest_loss(const AddedNoise& noise, const ShiftedMixture& p,
                                               const ShiftedMixture& q);

}  // namespace doeblin::verify
