// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/shift.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/solve.hpp"

namespace doeblin {
namespace {

// Slopes this close are pooled although the left one may be smaller. That loses at most kTie^2 of the cost (two
// stretches with slopes (1 - h) l and l cost at most h^2 times the right one's cost more than pooled), which
// `inflated` adds for each time.
constexpr double kTie = 1e-9;
// A distance that grew by this much has been paid for at the start: later noise changes the last digit of nothing.
constexpr double kLargestGrowth = 0x1p400;
// How many restarts are tried from the end one by one; further back they are tried at growing distances.
constexpr std::size_t kNearRestarts = 4096;

// A stretch over which the distance `moved`, as seen from its end, is paid for.
struct Segment {
  Bracket decay;
  Bracket variance;
  Bracket moved;
  /// The distance is paid for before the stretch ends, so it cannot be carried on.
  bool ends_early = false;

  /// moved/sqrt(variance); its square is the cost.
  [[nodiscard]] Bracket level() const {
    if (moved.upper() == 0.0) return Bracket(0.0);
    if (variance.lower() == 0.0) return {0.0, rounding::kInfinity};
    return moved / numerics::sqrt(variance);
  }
  [[nodiscard]] Bracket cost() const { return level() * level(); }
  // The slope of the minorant seen from the segment's end, and from its start.
  [[nodiscard]] double end_slope() const {
    if (moved.upper() == 0.0) return 0.0;
    return variance.upper() == 0.0 ? rounding::kInfinity : moved.upper() / variance.upper();
  }
  [[nodiscard]] double start_slope() const { return decay.upper() == 0.0 ? 0.0 : end_slope() * decay.upper(); }
};

Segment pooled(const Segment& first, const Segment& second) {
  return {first.decay * second.decay, first.variance * (second.decay * second.decay) + second.variance,
          first.moved * second.decay + second.moved, second.ends_early};
}

// Paying for the left segment at its own end is cheaper than carrying the distance on, unless its slope is the larger.
bool should_pool(const Segment& left, const Segment& right) {
  return !left.ends_early && left.end_slope() >= right.start_slope() * (1.0 - kTie);
}

// The steps that matter for a distance: growing maps need not be followed for ever.
struct Followed {
  Stretch stretch;
  bool ends_early = false;
};

Followed followed(const NoisySteps& steps, std::size_t first, std::size_t last) {
  const Stretch stretch = steps.between(first, last);
  if (steps.never_expands() || stretch.decay.upper() < kLargestGrowth) return {stretch};
  const auto is_small = [&](std::size_t end) { return steps.between(first, end).decay.upper() < kLargestGrowth; };
  const auto found =
      numerics::narrowed<std::size_t>({.safe = first, .unsafe = last}, is_small, numerics::WholeHalving{});
  return {steps.between(first, std::max(found.safe, first + 1)), true};
}

// The pooled segments from some step to the release, leftmost on top, with the cost of each and all to its right.
class Chain {
 public:
  void push_left(const Segment& segment) {
    Segment whole = segment;
    while (!stack_.empty() && should_pool(whole, stack_.back().segment)) {
      whole = pooled(whole, stack_.back().segment);
      stack_.pop_back();
      ++pools_;
    }
    stack_.push_back({whole, whole.cost() + rest(stack_.size())});
  }

  /// The level if `segment` stood at the left end, without putting it there; stops early where it exceeds `limit`.
  [[nodiscard]] double level_with(const Segment& segment, double limit) const {
    Segment whole = segment;
    std::size_t depth = stack_.size();
    while (depth > 0 && should_pool(whole, stack_[depth - 1].segment)) whole = pooled(whole, stack_[--depth].segment);
    if (whole.level().lower() > limit) return rounding::kInfinity;
    return depth == 0 ? whole.level().upper() : numerics::sqrt(whole.cost() + rest(depth)).upper();
  }

  [[nodiscard]] Bracket cost() const { return rest(stack_.size()); }
  /// The square root of the cost; of a single segment without squaring, which could underflow.
  [[nodiscard]] Bracket level() const {
    return stack_.size() == 1 ? stack_[0].segment.level() : numerics::sqrt(cost());
  }
  [[nodiscard]] double pools() const { return pools_; }

 private:
  struct Entry {
    Segment segment;
    Bracket cost;
  };
  [[nodiscard]] Bracket rest(std::size_t depth) const { return depth == 0 ? Bracket(0.0) : stack_[depth - 1].cost; }

  std::vector<Entry> stack_;
  double pools_ = 0.0;
};

bool is_tried(std::size_t from_the_end) {
  if (from_the_end < kNearRestarts) return true;
  // About 64 to every doubling.
  std::size_t spacing = 1;
  while (spacing * kNearRestarts <= from_the_end) spacing *= 2;
  return from_the_end % (spacing * (kNearRestarts / 64)) == 0;
}

}  // namespace

Bracket shift_level(const NoisySteps& steps, const std::vector<Use>& uses, double diameter, std::size_t released) {
  require(diameter > 0.0, "diameter", diameter, "diameter > 0");
  ensure(released >= 1 && released <= steps.count(), "the release is a step of the run");
  Chain chain;
  double restarted = rounding::kInfinity;
  bool is_moved = false;
  std::optional<Followed> known;
  std::size_t known_length = 0;
  double seen = 0.0;
  bool has_early_end = false;
  const bool is_bounded = std::isfinite(diameter);
  for (std::size_t k = uses.size(); k-- > 0;) {
    const std::size_t step = uses[k].step;
    is_moved = is_moved || uses[k].shift.upper() > 0.0;
    const bool is_last = k + 1 == uses.size();
    const std::size_t last = is_last ? released : uses[k + 1].step - 1;
    ensure(step >= 1 && step <= last && step <= released, "uses come in order");
    // Records that come back at the same distance again and again need the stretch in between only once.
    if (!steps.is_homogeneous() || !known || known_length != last - step) known = followed(steps, step, last);
    known_length = last - step;
    const Stretch& after = known->stretch;
    const bool ends_early = known->ends_early;
    has_early_end = has_early_end || ends_early;
    const bool is_tried_here = is_bounded && is_tried(uses.size() - 1 - k);
    if (is_tried_here) {
      // The distance is at most the diameter right after this use, whatever came before.
      const Segment restart{after.decay, after.variance, Bracket(diameter) * after.decay, ends_early};
      restarted = std::min(restarted, chain.level_with(restart, restarted));
    }
    const NoisyStep& at = steps.at(step);
    const Stretch whole = Stretch::joined({at.lipschitz, at.noise * at.noise}, after);
    const Segment segment{whole.decay, whole.variance, uses[k].shift * after.decay, ends_early};
    if (is_tried_here && !steps.never_expands()) {
      Segment before_use = segment;
      before_use.moved = before_use.moved + Bracket(diameter) * whole.decay;
      restarted = std::min(restarted, chain.level_with(before_use, restarted));
    }
    chain.push_left(segment);
    ++seen;
    // Earlier uses and earlier restarts only add to what the later uses cost.
    if (chain.level().lower() > restarted) break;
  }
  const double ties = (chain.pools() + seen) * kTie * kTie + 0x1p-50;
  const Bracket level = chain.level();
  const double exact = rounding::mul_up(std::min(level.upper(), restarted), 1.0 + ties);
  // Two runs that never differ are rounded alike. (The loop is left early only where a level is positive.)
  const double upper = is_moved ? rounding::add_up(exact, steps.rounding_level()) : exact;
  // Steps that were not followed could matter where each has its own constants.
  const bool is_attained = !is_bounded && (steps.is_homogeneous() || !has_early_end);
  return {is_attained ? level.lower() * (1.0 - ties) : 0.0, upper};
}

Bracket kernel_level(const NoisySteps& steps, std::size_t first, std::size_t last, double distance) {
  // What follows a stretch that grew beyond all bounds is only more processing of its result.
  const Stretch stretch = followed(steps, first, last).stretch;
  const Bracket level = Segment{stretch.decay, stretch.variance, Bracket(distance) * stretch.decay}.level();
  return {level.lower(), rounding::add_up(level.upper(), steps.rounding_level())};
}

}  // namespace doeblin
