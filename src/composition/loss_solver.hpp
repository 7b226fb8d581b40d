// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "composition/cumulants.hpp"
#include "composition/loss_grid.hpp"
#include "composition/part_samples.hpp"
#include "doeblin/composition/loss_composition.hpp"
#include "doeblin/composition/tail_curve.hpp"

namespace doeblin {

/// What is asked: epsilon at a delta, or delta at an epsilon.
struct LossQuestion {
  bool is_epsilon;
  double at;
};

/// Grids of different tilts leave up to 3 e^-689 where exponentials end; one floor above that keeps delta from rising.
inline constexpr double kLeastDelta = 1e-298;

/// Finds the grid on which one question about a composition is answered as sharply as the goal wants it: how far the
/// losses are followed, in which steps, and at which tilt they are convolved. Even grids first; graded ones where even
/// ones would be long. The parts must outlive it.
class LossSolver {
 public:
  LossSolver(const std::vector<LossPart>& parts, const AccuracyGoal& goal, const std::vector<Direction>& directions,
             const LossQuestion& question);

  /// The best of all grids that were tried until the goal was met.
  [[nodiscard]] Bracket answer();

  /// delta in the first direction, from above, at every epsilon; sharp where it is what is asked.
  [[nodiscard]] std::optional<TailCurve> upper_curve();

 private:
  static constexpr int kMostAttempts = 32;

  struct Attempt {
    double lower;
    double upper;
    double gap;  // between the two sides of the dominating pairs
  };

  // What the two sides differ by, in units of the goal: on the graded grids, and after they were placed.
  struct GradedGap {
    double nodes;
    double total;
  };

  // The answer on graded grids, if they close before their losses need a grid finer than the even one.
  std::optional<Bracket> graded_answer(Bracket& best, double even_step);

  [[nodiscard]] GradedGap graded_gap() const;

  // Whether there is a finer grid that is worth trying.
  bool refines_graded(const GradedGap& gap);

  [[nodiscard]] double widest_cell() const;

  bool sample_graded();

  // The step of another grid, if this one is not good enough to be used; 0 for a first coarse one.
  std::optional<double> better_step();

  // Every attempt charges all of its errors, so that all lower ends are at most the truth and all upper ends at least.
  static Bracket tightened(const Bracket& known, const Attempt& attempt);

  // A law whose losses are multiples of one step is exact on the grid of that step; two finite losses, +-B (randomised
  // response, a black box), are multiples of B.
  std::optional<Attempt> lattice_attempt();

  // A pair that is attained has losses of its own, and two points are no grid for them: its lower end on a grid for it.
  [[nodiscard]] Bracket raised(const Bracket& found) const;

  [[nodiscard]] double goal_at(double upper) const;

  // How far each part has to be followed.
  void find_ends();

  [[nodiscard]] double longest_end() const;

  // Samples every part on a grid of this step (0: a first coarse one); false when there is nothing to sample.
  bool sample(double step);

  // Samples every part on the grid of the present step and ends.
  void sample_evenly();

  [[nodiscard]] double samples_at(double step) const;

  // The shorter side of the part whose losses are the most lopsided.
  [[nodiscard]] double narrowest_side() const;

  // The largest total loss on the grid.
  [[nodiscard]] double reach() const;

  // Chooses the tilt of each direction, and returns the step that should meet the goal.
  double plan();

  // Where rare losses decide the saddle-point estimate of delta is poor, but an epsilon that was found is good.
  [[nodiscard]] double tilt_of(const LossCumulants& cumulants) const;

  // The ends of the grid depend on how small the answer is; whether they have to be found again.
  bool is_level_lowered_to(double log_delta);

  [[nodiscard]] double step_for(const Cumulants& here, double tilt) const;

  [[nodiscard]] std::vector<double> counts() const;

  [[nodiscard]] std::optional<TailCurve> tail_curve(const std::vector<PartSamples>& samples, Direction direction,
                                                    Side side) const;

  [[nodiscard]] double value(const std::vector<PartSamples>& samples, Direction direction, Side side) const;

  // Samples of the attained pairs; the dominating ones again where they are the same.
  [[nodiscard]] std::optional<std::vector<PartSamples>> attained_samples() const;

  [[nodiscard]] bool all_exact() const;

  [[nodiscard]] Attempt evaluate() const;

  const std::vector<LossPart>& parts_;
  AccuracyGoal goal_;
  std::vector<Direction> directions_;
  std::vector<Direction> attained_directions_ = directions_;
  LossQuestion question_;
  double releases_ = 0.0;
  bool symmetric_ = true;
  double log_level_;         // about the log of the delta that decides
  double lowest_log_level_;  // which cannot be less than this
  bool level_was_lowered_ = false;
  double tilt_ = 0.0;
  double tilts_[2] = {0.0, 0.0};
  double step_ = 0.0;
  std::vector<Ends> ends_;
  std::vector<PartSamples> samples_;
  Direction worst_direction_ = Direction::kForward;
  bool was_graded_ = false;
  std::optional<double> found_epsilon_;
  double graded_step_ = 0.0;
  int finer_ = 0;
};

}  // namespace doeblin
