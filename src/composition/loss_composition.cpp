// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/loss_composition.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "composition/cumulants.hpp"
#include "composition/graded_samples.hpp"
#include "composition/loss_grid.hpp"
#include "composition/loss_ladder.hpp"
#include "doeblin/composition/loss_lattice.hpp"
#include "doeblin/composition/tail_curve.hpp"
#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

// Evaluations of profiles that one grid may cost, over all parts.
constexpr double kMostSamples = 0x1p22;
constexpr int kMostAttempts = 32;
// No double is smaller.
constexpr double kSmallestLogLevel = -735.0;
// Grids of different tilts leave up to 3 e^-689 where exponentials end; one floor above that keeps delta from rising.
constexpr double kLeastDelta = 1e-298;
// What the two sides of a grid differ by, as a multiple of step^2 times half the curvature of log delta: a sixth and a
// fifth on the first grid, a sixth and a twelfth on each later one.
constexpr double kFirstGridGap = 0.19;
constexpr double kLaterGridGap = 0.125;
// A grid that is within this factor of the wanted one is used as it is.
constexpr double kCloseEnough = 0.93;
// A window of this many standard deviations on each side holds all but 1e-10 of a bell curve.
constexpr double kWindowDeviations = 6.5;

// From this many evaluations on it is worth trying a graded grid first.
constexpr double kManySamples = 0x1p16;
// The cells of graded grids are no wider than this, or than so many steps of the even grid.
constexpr double kWidestCell = 0x1p-6;
constexpr double kStepsInACell = 16.0;

// Where rare losses decide no tilt makes the answer likely, and many points share what a window leaves out.
constexpr double kOutsideGraded = 1e-14;

// Losses of a pair on a graded grid, to be placed on one of this step.
struct GradedPart {
  GradedSamples samples;
  double step;
};

using PartSamples = std::variant<LossSamples, GradedPart>;

LossLattice lattice_of(const PartSamples& part, Direction direction, Side side) {
  if (const auto* even = std::get_if<LossSamples>(&part)) return even->lattice(direction, side);
  const auto& graded = std::get<GradedPart>(part);
  return placed(graded.samples.losses(direction, side), graded.step, side);
}

// What is asked: epsilon at a delta, or delta at an epsilon.
struct Question {
  bool is_epsilon;
  double at;
};

class Solver {
 public:
  Solver(const std::vector<LossPart>& parts, const AccuracyGoal& goal, const std::vector<Direction>& directions,
         const Question& question)
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

  Bracket answer() {
    Bracket best = question_.is_epsilon ? Bracket(0.0, kInfinity) : Bracket(0.0, 1.0);
    double last_gap = kInfinity;
    double step = 0.0;
    if (const std::optional<Attempt> exact = two_point_attempt()) {
      best = tightened(best, *exact);
      if (exact->gap <= goal_at(exact->upper)) return best;
    }
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      if (step > 0.0 && !was_graded_ && samples_at(step) > kManySamples) {
        if (const std::optional<Bracket> found = graded_answer(best)) return *found;
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
      if (gap <= 1.0 || !(gap <= 0.95 * last_gap)) break;
      last_gap = gap;
      step = step_ * std::clamp(0.85 / std::sqrt(gap), 0.1, 0.85);
      if (samples_at(step) > kMostSamples) break;
    }
    return best;
  }

  // The answer on graded grids, if they close.
  std::optional<Bracket> graded_answer(Bracket& best) {
    was_graded_ = true;
    graded_step_ = short_step(std::ldexp(1.0, -6));
    finer_ = 0;
    double last_gap = kInfinity;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      if (!sample_graded()) return std::nullopt;
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

  // delta in the first direction, from above, at every epsilon; sharp where it is what is asked.
  std::optional<TailCurve> upper_curve() {
    double step = 0.0;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      if (!sample(step)) return std::nullopt;
      const std::optional<double> better = better_step();
      if (!better) break;
      step = *better;
    }
    return tail_curve(samples_, directions_[0], Side::kUpper);
  }

 private:
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

  [[nodiscard]] GradedGap graded_gap() const {
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

  // Whether there is a finer grid that is worth trying.
  bool refines_graded(const GradedGap& gap) {
    if (!(gap.total > 0.7)) return false;
    if (gap.nodes > 0.25) ++finer_;
    if (gap.total - gap.nodes > 0.35)
      graded_step_ = short_step(graded_step_ * std::clamp(0.35 / (gap.total - gap.nodes), 0.2, 0.7));
    return true;
  }

  [[nodiscard]] double widest_cell() const { return std::min(kWidestCell, kStepsInACell * step_); }

  bool sample_graded() {
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

  // The step of another grid, if this one is not good enough to be used; 0 for a first coarse one.
  std::optional<double> better_step() {
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

  // Every attempt charges all of its errors, so that all lower ends are at most the truth and all upper ends at least.
  static Bracket tightened(const Bracket& known, const Attempt& attempt) {
    ensure(attempt.lower <= attempt.upper, "the two sides of a composition do not cross");
    const double lower = std::max(known.lower(), attempt.lower);
    const double upper = std::min(known.upper(), attempt.upper);
    ensure(lower <= upper, "two enclosures of one composition overlap");
    return {lower, upper};
  }

  // A law with two finite losses, +-B (randomised response, a black box), is exact on the grid of step B.
  std::optional<Attempt> two_point_attempt() {
    const LossPair& pair = *parts_[0].pairs.dominating;
    const double bound = pair.forward.traits().loss_bound;
    if (parts_.size() > 1 || !pair.symmetric || !(bound > 1e-9 && bound < 300.0)) return std::nullopt;
    step_ = short_step(bound);
    ends_ = {{bound, bound}};
    samples_.clear();
    samples_.emplace_back(LossSamples(pair, step_, 2, 2));
    static_cast<void>(plan());
    return evaluate();
  }

  [[nodiscard]] double goal_at(double upper) const {
    return question_.is_epsilon ? goal_.width_at(upper) : std::max(goal_.delta_width * upper, kLeastDelta);
  }

  // How far each part has to be followed.
  void find_ends() {
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

  [[nodiscard]] double longest_end() const {
    double longest = 0.0;
    for (const Ends& ends : ends_) longest = std::max({longest, ends.left, ends.right});
    return longest;
  }

  // Samples every part on a grid of this step (0: a first coarse one); false when there is nothing to sample.
  bool sample(double step) {
    find_ends();
    const double longest = longest_end();
    if (!(longest > 0.0)) return false;
    step_ = aligned_step(parts_, step > 0.0 ? step : longest / 256.0);
    while (samples_at(step_) > kMostSamples) step_ = short_step(2.0 * step_);
    samples_.clear();
    for (std::size_t i = 0; i < parts_.size(); ++i)
      samples_.emplace_back(LossSamples(*parts_[i].pairs.dominating, step_, steps_to(ends_[i].left, step_),
                                        steps_to(ends_[i].right, step_)));
    return true;
  }

  [[nodiscard]] double samples_at(double step) const {
    double count = 0.0;
    for (const Ends& ends : ends_) count += 2.0 * (ends.left + ends.right) / step + 4.0;
    return count;
  }

  // The shorter side of the part whose losses are the most lopsided.
  [[nodiscard]] double narrowest_side() const {
    double narrowest = kInfinity;
    for (const Ends& ends : ends_) narrowest = std::min({narrowest, ends.left, ends.right});
    return narrowest;
  }

  // The largest total loss on the grid.
  [[nodiscard]] double reach() const {
    double left = 0.0;
    double right = 0.0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      left += parts_[i].count * ends_[i].left;
      right += parts_[i].count * ends_[i].right;
    }
    return std::max(left, right);
  }

  // Chooses the tilt of each direction, and returns the step that should meet the goal.
  double plan() {
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

  // Where rare losses decide the saddle-point estimate of delta is poor, but an epsilon that was found is good.
  [[nodiscard]] double tilt_of(const LossCumulants& cumulants) const {
    if (!question_.is_epsilon) return tilt_for_loss(cumulants, question_.at);
    const double tilt = tilt_for_delta(cumulants, log_level_);
    return found_epsilon_ ? std::min(tilt, tilt_for_loss(cumulants, *found_epsilon_)) : tilt;
  }

  // The ends of the grid depend on how small the answer is; whether they have to be found again.
  bool is_level_lowered_to(double log_delta) {
    // An estimate on too short a grid can be far off: not too far at once.
    const double level = std::max({log_delta, lowest_log_level_, 2.5 * log_level_});
    if (level > log_level_ - 1.0) return false;
    log_level_ = level;
    return true;
  }

  [[nodiscard]] double step_for(const Cumulants& here, double tilt) const {
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

  [[nodiscard]] std::vector<double> counts() const {
    std::vector<double> result;
    for (const LossPart& part : parts_) result.push_back(part.count);
    return result;
  }

  [[nodiscard]] std::optional<TailCurve> tail_curve(const std::vector<PartSamples>& samples, Direction direction,
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

  [[nodiscard]] double value(const std::vector<PartSamples>& samples, Direction direction, Side side) const {
    const std::optional<TailCurve> curve = tail_curve(samples, direction, side);
    if (!curve) return side == Side::kLower ? 0.0 : question_.is_epsilon ? kInfinity : 1.0;
    return question_.is_epsilon ? curve->epsilon(question_.at) : curve->delta(question_.at);
  }

  // Samples of the attained pairs; the dominating ones again where they are the same.
  [[nodiscard]] std::optional<std::vector<PartSamples>> attained_samples() const {
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

  [[nodiscard]] bool all_exact() const {
    return std::all_of(parts_.begin(), parts_.end(), [](const LossPart& part) { return part.pairs.is_exact; });
  }

  [[nodiscard]] Attempt evaluate() const {
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

  const std::vector<LossPart>& parts_;
  AccuracyGoal goal_;
  std::vector<Direction> directions_;
  std::vector<Direction> attained_directions_ = directions_;
  Question question_;
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

// A goal so narrow that its grids end nowhere: the nearest one that is within reach.
Bracket solved(const std::vector<LossPart>& parts, AccuracyGoal goal, const std::vector<Direction>& directions,
               const Question& question) {
  while (true) {
    const Bracket found = Solver(parts, goal, directions, question).answer();
    const bool says_nothing = question.is_epsilon ? std::isinf(found.upper()) : found.upper() >= 1.0;
    if (!says_nothing || goal.epsilon_width >= kCompositionGoal.epsilon_width) return found;
    goal.epsilon_width *= 10.0;
    goal.epsilon_relative_width *= 10.0;
    goal.delta_width *= 10.0;
  }
}

}  // namespace

LossComposition::LossComposition(std::vector<LossPart> parts, AccuracyGoal goal, std::vector<Direction> directions)
    : parts_(std::move(parts)), goal_(goal), directions_(std::move(directions)) {
  ensure(!parts_.empty() && !directions_.empty(), "a composition has parts and directions");
}

bool LossComposition::is_feasible(const std::vector<LossPart>& parts) {
  return std::none_of(parts.begin(), parts.end(), [](const LossPart& part) {
    const LossPair& pair = *part.pairs.dominating;
    return pair.forward.traits().costly || pair.backward.traits().costly;
  });
}

Bracket LossComposition::delta(Epsilon epsilon) const {
  if (std::isinf(epsilon.value())) {
    const bool known =
        std::all_of(parts_.begin(), parts_.end(), [](const LossPart& part) { return part.pairs.attained.has_value(); });
    return clamp({known ? infinite_loss(true).lower() : 0.0, infinite_loss(false).upper()}, 0.0, 1.0);
  }
  // No finite loss is as large as that.
  if (epsilon.value() >= loss_bound()) return delta(Epsilon(kInfinity));
  const Bracket found = solved(parts_, goal_, directions_, {false, epsilon.value()});
  return {found.lower(), rounding::larger(found.upper(), kLeastDelta)};
}

double LossComposition::loss_bound() const {
  double bound = 0.0;
  for (const LossPart& part : parts_) {
    const LossPair& pair = *part.pairs.dominating;
    const double most = std::max(pair.forward.traits().loss_bound, pair.backward.traits().loss_bound);
    bound = rounding::add_up(bound, rounding::mul_up(part.count, most));
  }
  return bound;
}

Bracket LossComposition::infinite_loss(bool attained) const {
  Bracket worst(0.0);
  for (const Direction direction : directions_) {
    Bracket log_finite(0.0);
    for (const LossPart& part : parts_) {
      const LossPair& pair = attained ? **part.pairs.attained : *part.pairs.dominating;
      log_finite = log_finite + numerics::log1p(-own_profile(pair, direction).delta(Epsilon(kInfinity))) * part.count;
    }
    worst = max(worst, -numerics::expm1(log_finite));
  }
  return worst;
}

Bracket LossComposition::epsilon(Delta delta) const {
  const Bracket rest = this->delta(Epsilon(kInfinity));
  if (rest.lower() > delta.value()) return Bracket(kInfinity);
  // From the largest finite loss on only the rest is left.
  const double bound = rest.upper() <= delta.value() ? loss_bound() : kInfinity;
  if (bound == 0.0) return Bracket(0.0);
  const Bracket found = solved(parts_, goal_, directions_, {true, delta.value()});
  return {found.lower(), std::min(found.upper(), bound)};
}

namespace {

// The grid of the question at epsilon 0 is good for deltas above this.
constexpr double kLargeDelta = 0.1;
// Levels of delta that are up to seven standard deviations apart for bell curves, so that the grid of each is good down
// from the one before it: what tilting takes from a mass there is less than what rounding leaves of it.
constexpr double kCurveLevels[] = {2e-2, 3e-7, 1e-19, 1e-44, 1e-88, 1e-148, 1e-224, 1e-299};

// One direction of a composition, from above, for those who ask at many epsilons.
class ComposedCurve {
 public:
  ComposedCurve(std::shared_ptr<const std::vector<LossPart>> parts, AccuracyGoal goal, Direction direction)
      : parts_(std::move(parts)), goal_(goal), direction_(direction) {}

  // Every curve holds everywhere.
  [[nodiscard]] double upper(double epsilon) {
    const std::lock_guard guard(lock_);
    if (!first_) first_ = Solver(*parts_, goal_, {direction_}, {false, 0.0}).upper_curve();
    double least = *first_ ? (*first_)->delta(epsilon) : 1.0;
    if (least >= kLargeDelta) return std::min(least, 1.0);
    for (std::size_t i = 0; i < std::size(kCurveLevels); ++i) {
      if (i == curves_.size())
        curves_.push_back(Solver(*parts_, goal_, {direction_}, {true, kCurveLevels[i]}).upper_curve());
      if (curves_[i]) least = std::min(least, curves_[i]->delta(epsilon));
      if (least >= kCurveLevels[i]) break;
    }
    return least;
  }

 private:
  std::shared_ptr<const std::vector<LossPart>> parts_;
  AccuracyGoal goal_;
  Direction direction_;
  std::mutex lock_;
  std::optional<std::optional<TailCurve>> first_;
  std::vector<std::optional<TailCurve>> curves_;
};

}  // namespace

Dominating<LossPair> pair_of_composition(std::vector<LossPart> parts, AccuracyGoal goal) {
  const auto shared = std::make_shared<const std::vector<LossPart>>(std::move(parts));
  const bool is_symmetric = std::all_of(shared->begin(), shared->end(),
                                        [](const LossPart& part) { return part.pairs.dominating->symmetric; });
  const auto profile = [&](Direction direction) {
    const LossComposition composition(*shared, goal, {direction});
    const auto curve = std::make_shared<ComposedCurve>(shared, goal, direction);
    const double rest = composition.delta(Epsilon(kInfinity)).upper();
    const double bound = composition.loss_bound();
    const auto upper = [curve, rest, bound](Epsilon epsilon) {
      return Bracket(epsilon.value() >= bound ? rest : curve->upper(epsilon.value()));
    };
    return Profile(upper, {.loss_bound = bound, .goal = goal});
  };
  if (is_symmetric) return Dominating(LossPair::symmetric_of(profile(Direction::kForward)));
  return Dominating(LossPair{profile(Direction::kForward), profile(Direction::kBackward)});
}

Profile profile_of_composition(std::vector<LossPart> parts, AccuracyGoal goal) {
  const bool tight = std::all_of(parts.begin(), parts.end(), [](const LossPart& part) { return part.pairs.is_exact; });
  const auto composition = std::make_shared<const LossComposition>(std::move(parts), goal);
  return Profile([composition](Epsilon epsilon) { return composition->delta(epsilon); },
                 [composition](Delta delta) { return composition->epsilon(delta); },
                 {.tight = tight, .loss_bound = composition->loss_bound(), .costly = true, .goal = goal});
}

}  // namespace doeblin
