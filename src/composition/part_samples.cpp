// SPDX-License-Identifier: Apache-2.0
#include "composition/part_samples.hpp"

namespace doeblin {

LossLattice lattice_of(const PartSamples& part, Direction direction, Side side) {
  if (const auto* even = std::get_if<LossSamples>(&part)) return even->lattice(direction, side);
  const auto& graded = std::get<GradedPart>(part);
  return placed(graded.samples.losses(direction, side), graded.step, side);
}

}  // namespace doeblin
