// SPDX-License-Identifier: Apache-2.0
#include "composition/loss_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "composition/loss_ladder.hpp"
#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

// Evaluations of profiles that one grid may cost, over all parts.
constexpr double kMostSamples = 0x1p22;
// No double is smaller.
constexpr double kSmallestLogLevel = -735.0;
// What the two sides of a grid differ by, as a multiple of step^2 times half the curvature of log delta: a sixth and a
// fifth on the first grid, a sixth and a twelfth on each later one.
constexpr double kFirstGridGap = 0.19;
constexpr double kLaterGridGap = 0.125;
// A grid that is within this factor of the wanted one is used as it is.
constexpr double kCloseEnough = 0.93;
// A window of this many standard deviations on each side holds all but 1e-10 of a bell curve.
constexpr double kWindowDeviations = 6.5;
// A lattice with more points is no coarser than other grids.
constexpr double kMostLatticeSamples = 0x1p13;
// From this many evaluations on it is worth trying a graded grid first.
constexpr double kManySamples = 0x1.8p16;
// Where rare losses decide no tilt makes the answer likely, and many points share what a window leaves out.
constexpr double kOutsideGraded = 1e-14;

}  // namespace

LossSolver::LossSolver(const std::vector<LossPart>& parts, const AccuracyGoal& goal,
                       const std::vector<Direction>& directions, const LossQuestion& question)
    : parts_(parts), goal_(goal), directions_(directions), question_(question) {
  for (const LossPart& part : parts) {
    releases_ += part.count;
    symmetric_ = symmetric_ && part.pairs.dominating->symmetric;
  }
  // Both directions of a symmetric composition are the same.
  if (symmetric_) directions_.resize(1);
  if (question.is_epsilon) {
    log_level_ = lowest_log_level_ = std::log(question.at);
  } else {
    // The composition is no better than its least private part.
    double least = 0.0;
    for (const LossPart& part : parts)
      for (const Direction direction : directions)
        least = std::max(least, at(own_profile(*part.pairs.dominating, direction), question.at));
    lowest_log_level_ = std::max(std::log(least), kSmallestLogLevel);
    log_level_ = std::max(lowest_log_level_, std::log(1e-6));
  }
}

Bracket LossSolver::answer() {
  Bracket best = question_.is_epsilon ? Bracket(0.0, kInfinity) : Bracket(0.0, 1.0);
  double last_gap = kInfinity;
  double step = 0.0;
  if (const std::optional<Attempt> exact = lattice_attempt()) {
    best = tightened(best, *exact);
    if (exact->gap <= goal_at(exact->upper)) return all_exact() ? best : raised(best);
  }
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    if (step > 0.0 && !was_graded_ && samples_at(step) > kManySamples) {
      if (const std::optional<Bracket> found = graded_answer(best, step)) return *found;
      found_epsilon_.reset();
    }
    if (!sample(step)) break;
    // A grid that does not reach epsilon says nothing about delta there.
    if (!question_.is_epsilon && reach() < question_.at && is_level_lowered_to(1.5 * log_level_)) {
      step = 0.0;
      continue;
    }
    if (const std::optional<double> better = better_step()) {
      step = *better;
      continue;
    }
    const Attempt result = evaluate();
    best = tightened(best, result);
    // Where the grid ends too early nothing below its end can be seen: look much further.
    if (!question_.is_epsilon && is_level_lowered_to(1.5 * std::log(result.upper))) {
      step = 0.0;
      continue;
    }
    const double gap = result.gap / goal_at(result.upper);
    if (gap <= 1.0) return best;
    if (!(gap <= 0.95 * last_gap)) break;
    last_gap = gap;
    step = step_ * std::clamp(0.85 / std::sqrt(gap), 0.1, 0.85);
    if (samples_at(step) > kMostSamples) break;
  }
  // No even grid is fine enough: a graded one after all, however fine.
  if (was_graded_) static_cast<void>(graded_answer(best, 0.0));
  return best;
}

std::optional<TailCurve> LossSolver::upper_curve() {
  if (const std::optional<Attempt> exact = lattice_attempt(); exact && exact->gap <= goal_at(exact->upper))
    return tail_curve(samples_, directions_[0], Side::kUpper);
  double step = 0.0;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    if (!sample(step)) return std::nullopt;
    const std::optional<double> better = better_step();
    if (!better) break;
    step = *better;
  }
  return tail_curve(samples_, directions_[0], Side::kUpper);
}

std::optional<double> LossSolver::better_step() {
  const double planned = plan();
  // A side that fits into one step has no lower lattice.
  const double fine = std::min(planned, 0.5 * narrowest_side());
  const double wanted = samples_at(fine) <= kMostSamples / 4.0 ? fine : planned;
  // A lower level moves the ends, and everything that was planned on a short grid is void.
  if (std::exchange(level_was_lowered_, false)) return 0.0;
  if (!(wanted < kCloseEnough * step_) || samples_at(wanted) > kMostSamples) return std::nullopt;
  // A coarse grid misjudges the tilt, and with it the step: go half of a long way first.
  return wanted < step_ / 16.0 ? std::sqrt(wanted * step_) : wanted;
}

Bracket LossSolver::tightened(const Bracket& known, const Attempt& attempt) {
  ensure(attempt.lower <= attempt.upper, "the two sides of a composition do not cross");
  const double lower = std::max(known.lower(), attempt.lower);
  const double upper = std::min(known.upper(), attempt.upper);
  ensure(lower <= upper, "two enclosures of one composition overlap");
  return {lower, upper};
}

std::optional<LossSolver::Attempt> LossSolver::lattice_attempt() {
  const LossPair& pair = *parts_[0].pairs.dominating;
  const ProfileTraits& traits = pair.forward.traits();
  if (parts_.size() > 1 || !pair.symmetric) return std::nullopt;
  const bool is_two_points = !(traits.loss_step > 0.0);
  const double step = is_two_points ? traits.loss_bound : traits.loss_step;
  if (!(step > 1e-9 && step < 300.0)) return std::nullopt;
  step_ = short_step(step);
  // Until the level is the one at which the answer is decided.
  for (int i = 0; i < kMostAttempts; ++i) {
    if (is_two_points)
      ends_ = {{traits.loss_bound, traits.loss_bound}};
    else
      find_ends();
    // A lower lattice needs a point beyond the largest loss.
    for (Ends& ends : ends_) ends = {ends.left + 0.5 * step_, ends.right + 0.5 * step_};
    if (samples_at(step_) > kMostLatticeSamples) return std::nullopt;
    sample_evenly();
    static_cast<void>(plan());
    if (is_two_points || !std::exchange(level_was_lowered_, false)) break;
  }
  return evaluate();
}

Bracket LossSolver::raised(const Bracket& found) const {
  if (!parts_[0].pairs.attained) return found;
  const LossPart own{LossPairs::exact(**parts_[0].pairs.attained), parts_[0].count};
  const Bracket reached = LossSolver({own}, goal_, attained_directions_, question_).answer();
  return {rounding::larger(found.lower(), reached.lower()), found.upper()};
}

double LossSolver::goal_at(double upper) const {
  return question_.is_epsilon ? goal_.width_at(upper) : std::max(goal_.delta_width * upper, kLeastDelta);
}

void LossSolver::find_ends() {
  const double mass =
      std::max(1e-320, std::exp(log_level_) * 1e-4 / releases_ *
                           (question_.is_epsilon ? std::min(1.0, goal_.epsilon_width) : goal_.delta_width));
  ends_.clear();
  for (const LossPart& part : parts_) {
    const LossPair& pair = *part.pairs.dominating;
    Ends ends = ends_of(pair.forward, pair.backward, tilt_, mass, 1e-13 / releases_);
    if (!pair.symmetric) {
      // The same grid serves the other direction, in which the two ends change places.
      const Ends other = ends_of(pair.backward, pair.forward, tilt_, mass, 1e-13 / releases_);
      ends = {std::max(ends.left, other.right), std::max(ends.right, other.left)};
    } else {
      ends.left = ends.right = std::max(ends.left, ends.right);
    }
    ends_.push_back(ends);
  }
}

double LossSolver::longest_end() const {
  double longest = 0.0;
  for (const Ends& ends : ends_) longest = std::max({longest, ends.left, ends.right});
  return longest;
}

bool LossSolver::sample(double step) {
  find_ends();
  const double longest = longest_end();
  if (!(longest > 0.0)) return false;
  step_ = aligned_step(parts_, step > 0.0 ? step : longest / 256.0);
  while (samples_at(step_) > kMostSamples) step_ = short_step(2.0 * step_);
  sample_evenly();
  return true;
}

void LossSolver::sample_evenly() {
  samples_.clear();
  for (std::size_t i = 0; i < parts_.size(); ++i)
    samples_.emplace_back(LossSamples(*parts_[i].pairs.dominating, step_, steps_to(ends_[i].left, step_),
                                      steps_to(ends_[i].right, step_)));
}

double LossSolver::samples_at(double step) const {
  double count = 0.0;
  for (const Ends& ends : ends_) count += 2.0 * (ends.left + ends.right) / step + 4.0;
  return count;
}

double LossSolver::narrowest_side() const {
  double narrowest = kInfinity;
  for (const Ends& ends : ends_) narrowest = std::min({narrowest, ends.left, ends.right});
  return narrowest;
}

double LossSolver::reach() const {
  double left = 0.0;
  double right = 0.0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    left += parts_[i].count * ends_[i].left;
    right += parts_[i].count * ends_[i].right;
  }
  return std::max(left, right);
}

double LossSolver::plan() {
  double wanted = kInfinity;
  double worst = -kInfinity;
  for (const Direction direction : directions_) {
    std::vector<LossLattice> lattices;
    for (const PartSamples& samples : samples_) lattices.push_back(lattice_of(samples, direction, Side::kUpper));
    const LossCumulants cumulants(lattices, counts());
    const double tilt = tilt_of(cumulants);
    tilts_[static_cast<std::size_t>(direction)] = tilt;
    const Cumulants here = cumulants.at(tilt);
    // The direction that decides the answer decides the grid.
    const double estimate = question_.is_epsilon ? here.mean : log_tail(here, tilt);
    if (estimate > worst) {
      worst = estimate;
      wanted = step_for(here, tilt);
      // With the tilts of an epsilon that was found all means are the same.
      if (!found_epsilon_) worst_direction_ = direction;
    }
  }
  // A direction that was not looked at is as good as the other for choosing a tilt.
  if (directions_.size() == 1) tilts_[0] = tilts_[1] = tilts_[static_cast<std::size_t>(directions_[0])];
  tilt_ = std::min(tilts_[0], tilts_[1]);
  if (question_.is_epsilon) return wanted;
  level_was_lowered_ = is_level_lowered_to(worst);
  return wanted;
}

double LossSolver::tilt_of(const LossCumulants& cumulants) const {
  if (!question_.is_epsilon) return tilt_for_loss(cumulants, question_.at);
  const double tilt = tilt_for_delta(cumulants, log_level_);
  return found_epsilon_ ? std::min(tilt, tilt_for_loss(cumulants, *found_epsilon_)) : tilt;
}

bool LossSolver::is_level_lowered_to(double log_delta) {
  // An estimate on too short a grid can be far off: not too far at once.
  const double level = std::max({log_delta, lowest_log_level_, 2.5 * log_level_});
  if (level > log_level_ - 1.0) return false;
  log_level_ = level;
  return true;
}

double LossSolver::step_for(const Cumulants& here, double tilt) const {
  const double deviation = std::sqrt(std::max(here.variance, 1e-300));
  const double slope = std::max(tilt, 1.0 / deviation);
  const double curvature = std::max(tilt * (1.0 + tilt), 1.0 / here.variance);
  const double gap = question_.is_epsilon ? goal_.width_at(here.mean) * slope : goal_.delta_width;
  double step = 0.0;
  int levels = 1;
  for (int i = 0; i < 4; ++i) {
    step = std::sqrt(0.78 * gap / (releases_ * curvature * (kFirstGridGap + kLaterGridGap * (levels - 1))));
    levels = levels_for(2.0 * kWindowDeviations * deviation / step);
  }
  return step;
}

std::vector<double> LossSolver::counts() const {
  std::vector<double> result;
  for (const LossPart& part : parts_) result.push_back(part.count);
  return result;
}

std::optional<TailCurve> LossSolver::tail_curve(const std::vector<PartSamples>& samples, Direction direction,
                                                Side side) const {
  std::vector<Repeated> repeated;
  const double tilt = tilts_[static_cast<std::size_t>(direction)];
  for (std::size_t i = 0; i < samples.size(); ++i)
    repeated.push_back({tilted(lattice_of(samples[i], direction, side), tilt, side), parts_[i].count});
  const bool is_graded = std::holds_alternative<GradedPart>(samples[0]);
  const std::optional<TiltedLattice> total =
      total_loss(std::move(repeated), side, is_graded ? kOutsideGraded : kOutsideTotal);
  if (!total) return std::nullopt;
  return TailCurve(*total, side);
}

double LossSolver::value(const std::vector<PartSamples>& samples, Direction direction, Side side) const {
  const std::optional<TailCurve> curve = tail_curve(samples, direction, side);
  if (!curve) return side == Side::kLower ? 0.0 : question_.is_epsilon ? kInfinity : 1.0;
  return question_.is_epsilon ? curve->epsilon(question_.at) : curve->delta(question_.at);
}

std::optional<std::vector<PartSamples>> LossSolver::attained_samples() const {
  std::vector<PartSamples> result;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const LossPairs& pairs = parts_[i].pairs;
    if (!pairs.attained) return std::nullopt;
    const LossPair& pair = **pairs.attained;
    if (std::holds_alternative<GradedPart>(samples_[i])) {
      GradedSamples graded(pair, ends_[i].left, ends_[i].right, widest_cell(), finer_);
      if (!graded.is_usable()) return std::nullopt;
      result.emplace_back(GradedPart{std::move(graded), step_});
    } else {
      result.emplace_back(LossSamples(pair, step_, steps_to(ends_[i].left, step_), steps_to(ends_[i].right, step_)));
    }
  }
  return result;
}

bool LossSolver::all_exact() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const LossPart& part) { return part.pairs.is_exact; });
}

LossSolver::Attempt LossSolver::evaluate() const {
  Attempt result{.lower = 0.0, .upper = 0.0, .gap = 0.0};
  double inner = 0.0;
  for (const Direction direction : directions_) {
    const double upper = value(samples_, direction, Side::kUpper);
    result.upper = rounding::larger(result.upper, upper);
    if (upper > inner) inner = std::max(inner, value(samples_, direction, Side::kLower));
  }
  result.gap = result.upper > inner ? result.upper - inner : 0.0;
  if (all_exact()) {
    result.lower = inner;
  } else if (const auto attained = attained_samples()) {
    for (const Direction direction : attained_directions_)
      result.lower = std::max(result.lower, value(*attained, direction, Side::kLower));
  }
  return result;
}

}  // namespace doeblin
