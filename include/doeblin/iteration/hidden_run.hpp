// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "doeblin/iteration/contraction.hpp"
#include "doeblin/iteration/shift.hpp"

/// What one person's guarantee is when only one state of a noisy iteration is released (catalogue I2-I4, I6, I7).
namespace doeblin {

struct HiddenRun {
  NoisySteps steps;
  /// Of the convex set that every step projects onto; infinity if there is none.
  double diameter = rounding::kInfinity;
  /// The share of a shift that some record makes in the released step on a ball in very many dimensions; 0 if the
  /// dimension is known.
  double share_in_many_dimensions = 0.0;
};

enum class IterationAnalysis {
  kBest,         ///< the best of shifting and contraction in blocks: I7
  kShift,        ///< shifting only: I2, I3, I4
  kContraction,  ///< one step at a time after the last use: I6
};

/// Gaussian noise; one person with known uses; X_released is all that is seen.
class HiddenRelease {
 public:
  /// Domain: uses in order, none after `released`. Contraction needs a finite diameter.
  HiddenRelease(std::shared_ptr<const HiddenRun> run, std::vector<Use> uses, std::size_t released,
                IterationAnalysis analysis = IterationAnalysis::kBest);

  /// The Gaussian level by shifting; the bracket closes when the diameter is infinite.
  [[nodiscard]] const Bracket& level() const { return level_; }
  /// The Gaussian level that somebody has whatever the diameter is; 0 unless the released step uses the record.
  ///
  /// Method   on a ball of the diameter in d dimensions noise has a norm of about sqrt(d) deviations, so that projecting
  ///          it only scales it, by about the same factor: as d grows the released step is seen as if it were not
  ///          projected, and everything before it is scaled to nothing
  [[nodiscard]] double level_of_last_step() const;
  /// The guarantee is exactly that of the level: nothing else is known to help.
  [[nodiscard]] bool is_gaussian() const { return !tail_; }

  /// Encloses the worst divergence over all runs with these constants.
  ///
  /// Bound    `lower` is attained by linear maps: exactly when the diameter is infinite, else minus the probability
  ///          that a projection matters; in any dimension, whoever is used in the released step attains their shift
  [[nodiscard]] Bracket delta(Epsilon epsilon) const;
  /// An upper bound on log delta, below what a double can hold.
  [[nodiscard]] double log_delta(Epsilon epsilon) const;
  /// Encloses the smallest epsilon at which delta is met; `guess` (optional) holds good blocks and is improved.
  [[nodiscard]] Bracket epsilon(Delta delta, Stops* guess = nullptr) const;

 private:
  [[nodiscard]] double attained(Epsilon epsilon) const;
  [[nodiscard]] double attained_on_an_interval(Epsilon epsilon) const;

  std::shared_ptr<const HiddenRun> run_;
  std::vector<Use> uses_;
  std::size_t released_;
  IterationAnalysis analysis_;
  Bracket level_;
  /// Set when contraction can help.
  std::optional<HiddenTail> tail_;
};

/// The steps after the last use as kernels on the domain. Where all steps are alike, `steps` may be raised afterwards
/// up to what the run has room for from the first use on.
[[nodiscard]] HiddenTail tail_of(std::shared_ptr<const HiddenRun> run, std::vector<Use> uses, std::size_t released);

}  // namespace doeblin
