// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "composition/graded_samples.hpp"
#include "doeblin/composition/loss_lattice.hpp"

namespace doeblin {

/// Losses of a pair on a graded grid, to be placed on one of this step.
struct GradedPart {
  GradedSamples samples;
  double step;
};

/// The losses of one part of a composition, however they were sampled.
using PartSamples = std::variant<LossSamples, GradedPart>;

[[nodiscard]] LossLattice lattice_of(const PartSamples& part, Direction direction, Side side);

}  // namespace doeblin
