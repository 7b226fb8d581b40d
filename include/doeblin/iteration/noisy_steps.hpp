// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "doeblin/core/bracket.hpp"

/// The steps X_t = Pi(psi_t(X_{t-1}) + Z_t) of a hidden run, t = 1, 2, ..., T: what they do to a distance and how much
/// noise they add (catalogue I, model). Which record a step uses is said elsewhere.
namespace doeblin {

/// One step: psi is `lipschitz`-Lipschitz, and every coordinate of Z has scale `noise`.
struct NoisyStep {
  Bracket lipschitz;
  Bracket noise;
};

/// Consecutive steps, seen from their end.
struct Stretch {
  Bracket decay{1.0};     ///< product of the Lipschitz constants: what is left of a distance
  Bracket variance{0.0};  ///< sum of s_t^2 (product of the later Lipschitz constants)^2

  /// `first` and then `second`.
  [[nodiscard]] static Stretch joined(const Stretch& first, const Stretch& second);
};

/// A sequence of steps, all alike or each with its own constants.
class NoisySteps {
 public:
  /// `rounding`: in every step the maps of two runs may be this much further apart than their Lipschitz constant and
  /// the record say, in units of the step's noise; what computing in doubles does. Domain: lipschitz >= 0, noise > 0,
  /// count >= 1, rounding >= 0.
  NoisySteps(const NoisyStep& step, std::size_t count, double rounding = 0.0);
  explicit NoisySteps(std::vector<NoisyStep> steps, double rounding = 0.0);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] bool is_homogeneous() const { return steps_.size() == 1; }
  /// Domain: 1 <= t <= count.
  [[nodiscard]] const NoisyStep& at(std::size_t t) const { return steps_[is_homogeneous() ? 0 : t - 1]; }

  /// The steps first+1, ..., last. Domain: first <= last <= count.
  ///
  /// Method   geometric sums when all steps are alike; else a tree of joined stretches
  /// Cost     O(1), or O(log count)
  [[nodiscard]] Stretch between(std::size_t first, std::size_t last) const;

  [[nodiscard]] double rounding() const { return rounding_; }
  /// What rounding adds at most to the Gaussian level of any stretch: it is paid for in the step where it happens, at
  /// rounding^2 each, and levels of shifts add up at most like lengths.
  ///
  /// Formula  rounding sqrt(count), from above
  [[nodiscard]] double rounding_level() const;

  /// No step has a Lipschitz constant above 1.
  [[nodiscard]] bool never_expands() const { return never_expands_; }

 private:
  [[nodiscard]] Stretch plain(std::size_t first, std::size_t last) const;

  std::vector<NoisyStep> steps_;
  std::size_t count_;
  double rounding_;
  bool never_expands_ = true;
  // Levels of a binary tree over groups of steps; level 0 first.
  std::vector<std::vector<Stretch>> levels_;
};

}  // namespace doeblin
