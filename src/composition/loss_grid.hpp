// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "doeblin/composition/loss_composition.hpp"

/// Where the losses of a composition are sampled: how far out, and in which steps.
namespace doeblin {

/// The upper end of delta at epsilon.
[[nodiscard]] double at(const Profile& profile, double epsilon);

/// The profile of the direction in which a loss is taken.
[[nodiscard]] const Profile& own_profile(const LossPair& pair, Direction direction);

/// How far the losses of a pair need to be followed, in both directions.
struct Ends {
  double left;
  double right;
};

/// Beyond `right` lies mass that is charged as infinite loss, at most `right_mass` more than is infinite anyway; beyond
/// `left` lies a tilted mass of about `left_mass`.
[[nodiscard]] Ends ends_of(const Profile& forward, const Profile& backward, double tilt, double right_mass,
                           double left_mass);

/// The nearest step below with 30 significant bits: its multiples are doubles.
[[nodiscard]] double short_step(double step);

/// A grid that has the atoms of a pure mechanism on its points.
[[nodiscard]] double aligned_step(const std::vector<LossPart>& parts, double step);

/// How many steps reach `end`; at least 1.
[[nodiscard]] std::int64_t steps_to(double end, double step);

}  // namespace doeblin
