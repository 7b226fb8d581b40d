// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "composition/loss_solver.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

// The cells of graded grids are no wider than this, or than so many steps of the even grid.
constexpr double kWidestCell = 0x1p-6;
constexpr double kStepsInACell = 16.0;

}  // namespace

std::optional<Bracket> LossSolver::graded_answer(Bracket& best, double even_step) {
  was_graded_ = true;
  graded_step_ = short_step(std::ldexp(1.0, -6));
  finer_ = 0;
  double last_gap = kInfinity;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    if (graded_step_ < even_step || !sample_graded()) return std::nullopt;
    static_cast<void>(plan());
    if (std::exchange(level_was_lowered_, false)) continue;
    if (refines_graded(graded_gap())) continue;
    const Attempt result = evaluate();
    best = tightened(best, result);
    if (!question_.is_epsilon && is_level_lowered_to(1.5 * std::log(result.upper))) continue;
    const double gap = result.gap / goal_at(result.upper);
    if (gap <= 1.0) return best;
    if (!(gap <= 0.95 * last_gap) || !refines_graded({.nodes = 0.5 * gap, .total = gap})) break;
    last_gap = gap;
    if (question_.is_epsilon) found_epsilon_ = result.upper;
  }
  return std::nullopt;
}

LossSolver::GradedGap LossSolver::graded_gap() const {
  const Direction direction = worst_direction_;
  // What grids add to the variance adds tilt (1 + tilt)/2 times that to the log moment. It is looked at half-way to the
  // tilt, where the ends of heavy tails do not count yet.
  const double whole_tilt = std::max(tilts_[static_cast<std::size_t>(direction)], 1e-3);
  const double tilt = 0.5 * whole_tilt;
  const double growth = 2.0 * (1.0 + whole_tilt) / (1.0 + tilt);
  double nodes = 0.0;
  std::vector<LossLattice> lattices[2];
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const GradedPart& part = std::get<GradedPart>(samples_[i]);
    const ScatteredLosses upper = part.samples.losses(direction, Side::kUpper);
    const ScatteredLosses lower = part.samples.losses(direction, Side::kLower);
    nodes += parts_[i].count * (log_moment_of(upper, tilt) - log_moment_of(lower, tilt));
    lattices[0].push_back(placed(upper, part.step, Side::kUpper));
    lattices[1].push_back(placed(lower, part.step, Side::kLower));
  }
  const Cumulants above = LossCumulants(lattices[0], counts()).at(tilt);
  const double total = above.log_moment - LossCumulants(lattices[1], counts()).at(tilt).log_moment;
  // log delta at a tilt is about the log moment; it falls by the tilt for each unit of epsilon.
  const double goal = question_.is_epsilon ? goal_.width_at(above.mean) *
                                                 std::max(tilt, 1.0 / std::sqrt(std::max(above.variance, 1e-300)))
                                           : goal_.delta_width;
  return {.nodes = growth * nodes / goal, .total = growth * total / goal};
}

bool LossSolver::refines_graded(const GradedGap& gap) {
  if (!(gap.total > 0.7)) return false;
  if (gap.nodes > 0.25) ++finer_;
  if (gap.total - gap.nodes > 0.35)
    graded_step_ = short_step(graded_step_ * std::clamp(0.35 / (gap.total - gap.nodes), 0.2, 0.7));
  return true;
}

double LossSolver::widest_cell() const { return std::min(kWidestCell, kStepsInACell * step_); }

bool LossSolver::sample_graded() {
  find_ends();
  samples_.clear();
  step_ = graded_step_;
  if (finer_ > 6 || !(longest_end() > 0.0 && 2.0 * longest_end() < 0x1p21 * step_)) return false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    GradedSamples graded(*parts_[i].pairs.dominating, ends_[i].left, ends_[i].right, widest_cell(), finer_);
    if (!graded.is_usable()) return false;
    samples_.emplace_back(GradedPart{std::move(graded), step_});
  }
  return true;
}

}  // namespace doeblin
