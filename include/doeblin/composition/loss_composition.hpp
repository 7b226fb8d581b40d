// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/composition/loss_lattice.hpp"
#include "doeblin/profile/loss_pair.hpp"

namespace doeblin {

/// A mechanism that is run `count` times.
struct LossPart {
  LossPairs pairs;
  double count;
};

/// The profile of a composition from the distributions of its parts' privacy losses (catalogue C5, N).
///
/// Formula  delta(eps) = the larger over the directions asked for of E[1 - e^{eps - L}]_+, L the sum of
///          the parts' losses
/// Bound    `upper` holds for everything the parts dominate; `lower` for the pairs that are attained (0 if some part
///          has none). Discretisation, truncation, wrap-around and rounding are all charged
/// Method   losses on a grid from both sides, tilted to where the answer is decided and convolved by FFT; long
///          compositions go through grids that coarsen as the spread grows; the first grid is refined until the goal is
///          met
/// Cost     O(range/step) evaluations of each part's profile and FFTs of about 2^20 points at most, with
///          step ~ sqrt(width/releases)
class LossComposition {
 public:
  explicit LossComposition(std::vector<LossPart> parts, AccuracyGoal goal = kCompositionGoal,
                           std::vector<Direction> directions = {Direction::kForward, Direction::kBackward});

  /// False when some part's profile is too slow to be sampled.
  [[nodiscard]] static bool is_feasible(const std::vector<LossPart>& parts);

  [[nodiscard]] Bracket delta(Epsilon epsilon) const;
  [[nodiscard]] Bracket epsilon(Delta delta) const;
  /// No finite total loss is larger.
  [[nodiscard]] double loss_bound() const;

 private:
  // The probability that some loss is infinite.
  [[nodiscard]] Bracket infinite_loss(bool attained) const;

  std::vector<LossPart> parts_;
  AccuracyGoal goal_;
  std::vector<Direction> directions_;
};

/// Both directions from above, for those who ask at many epsilons: what is sampled or mixed later. Upper ends of some
/// grids, each sharp at its level of delta; they are made when they are first needed.
[[nodiscard]] Dominating<LossPair> pair_of_composition(std::vector<LossPart> parts,
                                                       AccuracyGoal goal = kCompositionGoal);

/// The same as a Profile.
[[nodiscard]] Profile profile_of_composition(std::vector<LossPart> parts, AccuracyGoal goal = kCompositionGoal);

}  // namespace doeblin
