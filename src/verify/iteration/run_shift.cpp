// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_shift.hpp"

#include <algorithm>
#include <limits>

#include "verify/known.hpp"

namespace doeblin::verify {
namespace {

// Restarts this many uses from the end are all looked at; further back 256 to every doubling.
constexpr std::size_t kNear = 4096;
constexpr std::size_t kMostUses = 12'000'000;
// How many of the restarts that look best are computed.
constexpr std::size_t kComputedRestarts = 3;

// Steps over which the distance `moved`, as seen from their end, is paid for.
struct Segment {
  Ball decay;
  Ball variance;
  Ball moved;
};

Segment pooled(const Segment& first, const Segment& second) {
  return {first.decay * second.decay, first.variance * square(second.decay) + second.variance,
          first.moved * second.decay + second.moved};
}

Ball cost_of(const Segment& segment) {
  if (arb_is_zero(segment.moved.get())) return Ball(0);
  if (arb_is_zero(segment.variance.get())) return Ball(std::numeric_limits<double>::infinity());
  return square(segment.moved) / segment.variance;
}

// The slope falls (or stays) from left to right, so that the chord over both is below the staircase in between.
bool slope_falls(const Segment& left, const Segment& right) {
  return certainly_at_most(right.moved * right.decay * left.variance, left.moved * right.variance);
}

// The same by the midpoints, for searching.
bool slope_seems_to_fall(const Segment& left, const Segment& right) {
  const Ball low = right.moved * right.decay * left.variance;
  const Ball high = left.moved * right.variance;
  return arf_cmp(arb_midref(low.get()), arb_midref(high.get())) <= 0;
}

// From the left; what is unpooled is paid for before the next use, which is always feasible.
class Minorant {
 public:
  void append(Segment segment) {
    while (!chain_.empty() && slope_falls(chain_.back(), segment)) {
      segment = pooled(chain_.back(), segment);
      chain_.pop_back();
    }
    chain_.push_back(std::move(segment));
  }
  [[nodiscard]] Ball cost() const {
    Ball sum(0);
    for (const Segment& segment : chain_) sum = sum + cost_of(segment);
    return sum;
  }

 private:
  std::vector<Segment> chain_;
};

class Staircase {
 public:
  Staircase(const ConfinedRun& run, const RecordUses& uses, std::size_t released) : run_(run), released_(released) {
    for (const std::size_t step : uses) {
      if (uses_.empty() || uses_.back() != step) uses_.push_back(step), people_.push_back(0);
      ++people_.back();
    }
  }

  [[nodiscard]] std::size_t size() const { return uses_.size(); }
  [[nodiscard]] Stretch after(std::size_t k) const {
    return run_.steps.between(uses_[k], k + 1 < uses_.size() ? uses_[k + 1] - 1 : released_);
  }
  // From the use to just before the next.
  [[nodiscard]] Segment of_use(std::size_t k) const {
    const Stretch later = after(k);
    const Stretch whole = joined(run_.steps.between(uses_[k] - 1, uses_[k]), later);
    return {whole.decay, whole.variance, Ball(people_[k]) * run_.steps.shift(uses_[k]) * later.decay};
  }
  // A distance of D right after use k, or right before it.
  [[nodiscard]] Segment restart(std::size_t k, bool is_before) const {
    const Ball diameter = run_.steps.length(run_.diameter);
    if (is_before) {
      Segment segment = of_use(k);
      segment.moved = segment.moved + diameter * segment.decay;
      return segment;
    }
    const Stretch later = after(k);
    return {later.decay, later.variance, diameter * later.decay};
  }
  [[nodiscard]] Ball cost_from(std::size_t first) const {
    Minorant minorant;
    for (std::size_t k = first; k < size(); ++k) minorant.append(of_use(k));
    return minorant.cost();
  }
  [[nodiscard]] Ball cost_of_restart(std::size_t k, bool is_before) const {
    Minorant minorant;
    minorant.append(restart(k, is_before));
    for (std::size_t j = k + 1; j < size(); ++j) minorant.append(of_use(j));
    return minorant.cost();
  }

 private:
  const ConfinedRun& run_;
  RecordUses uses_;
  std::vector<int> people_;
  std::size_t released_;
};

struct Restart {
  Ball cost;
  std::size_t use;
  bool is_before;
};

bool looks_cheaper(const Ball& x, const Ball& y) { return arf_cmp(arb_midref(x.get()), arb_midref(y.get())) < 0; }

// Where to restart: every suffix of the uses has its chain, which grows at its left end.
class RestartSearch {
 public:
  explicit RestartSearch(const Staircase& stairs, bool tries_before) : stairs_(stairs), tries_before_(tries_before) {}

  /// The most promising, best first.
  std::vector<Restart> run() {
    for (std::size_t k = stairs_.size(); k-- > 0;) {
      if (is_tried(stairs_.size() - 1 - k)) {
        consider({cost_with(stairs_.restart(k, false)), k, false});
        if (tries_before_ && k > 0) consider({cost_with(stairs_.restart(k, true)), k, true});
      }
      push(stairs_.of_use(k));
      // Earlier uses and restarts only add to what the later uses cost.
      if (!best_.empty() && looks_cheaper(best_[0].cost * Ball(1.0 + 0x1p-30), costs_.back())) {
        is_cut_ = true;
        break;
      }
    }
    return best_;
  }
  /// No restart at all is certainly not the best.
  [[nodiscard]] bool is_cut() const { return is_cut_; }

 private:
  static bool is_tried(std::size_t from_the_end) {
    std::size_t spacing = 1;
    while (spacing * kNear <= from_the_end) spacing *= 2;
    return from_the_end < kNear || from_the_end % (spacing * (kNear / 256)) == 0;
  }
  [[nodiscard]] Ball rest(std::size_t depth) const { return depth == 0 ? Ball(0) : costs_[depth - 1]; }
  void push(Segment segment) {
    while (!chain_.empty() && slope_seems_to_fall(segment, chain_.back())) {
      segment = pooled(segment, chain_.back());
      chain_.pop_back();
      costs_.pop_back();
    }
    costs_.push_back(cost_of(segment) + rest(costs_.size()));
    chain_.push_back(std::move(segment));
  }
  [[nodiscard]] Ball cost_with(Segment segment) const {
    std::size_t depth = chain_.size();
    while (depth > 0 && slope_seems_to_fall(segment, chain_[depth - 1])) segment = pooled(segment, chain_[--depth]);
    return cost_of(segment) + rest(depth);
  }
  void consider(Restart restart) {
    if (!restart.cost.is_finite()) return;
    const auto place = std::upper_bound(best_.begin(), best_.end(), restart, [](const Restart& x, const Restart& y) {
      return looks_cheaper(x.cost, y.cost);
    });
    best_.insert(place, std::move(restart));
    if (best_.size() > kComputedRestarts) best_.pop_back();
  }

  const Staircase& stairs_;
  bool tries_before_;
  bool is_cut_ = false;
  std::vector<Segment> chain_;
  std::vector<Ball> costs_;
  std::vector<Restart> best_;
};

bool moves_nothing(const ConfinedRun& run, const RecordUses& uses) {
  return std::all_of(uses.begin(), uses.end(),
                     [&](std::size_t step) { return arb_is_zero(run.steps.shift(step).get()) != 0; });
}

}  // namespace

Ball ideal_shift_level(const ConfinedRun& run, const RecordUses& uses, std::size_t released) {
  if (uses.size() > kMostUses) throw CannotCheck("too many uses of one record");
  const Staircase stairs(run, uses, released);
  std::optional<Ball> least;
  if (run.is_bounded()) {
    RestartSearch search(stairs, !run.steps.never_expand());
    for (const Restart& restart : search.run()) {
      const Ball cost = stairs.cost_of_restart(restart.use, restart.is_before);
      least = least ? min(*least, cost) : cost;
    }
    if (!search.is_cut()) least = least ? min(*least, stairs.cost_from(0)) : stairs.cost_from(0);
  } else {
    least = stairs.cost_from(0);
  }
  return run.steps.level_unit() * sqrt(*least);
}

Ball shift_level(const ConfinedRun& run, const RecordUses& uses, std::size_t released) {
  Ball ideal = ideal_shift_level(run, uses, released);
  if (arb_is_zero(run.rounding.get()) || moves_nothing(run, uses)) return ideal;
  return ideal + run.rounding * sqrt(Ball(static_cast<double>(released - uses[0] + 1)));
}

Ball kernel_level(const ConfinedRun& run, std::size_t first, std::size_t last) {
  const Stretch stretch = run.steps.between(first, last);
  const Ball ideal = run.steps.level_unit() * run.steps.length(run.diameter) * stretch.decay / sqrt(stretch.variance);
  return ideal + run.rounding * sqrt(Ball(static_cast<double>(last - first)));
}

}  // namespace doeblin::verify
