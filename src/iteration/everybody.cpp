// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/everybody.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/theta.hpp"
#include "doeblin/numerics/theta_inverse.hpp"

namespace doeblin {
namespace {

using numerics::Wide;
using rounding::kInfinity;

// The blocks are optimised anew when the number of later steps has grown by this factor.
constexpr double kAnchorGrowth = 1.01;
constexpr std::size_t kAlwaysOptimised = 48;
constexpr std::size_t kMostPeople = 20'000'000;
// Beyond this growth a run of expanding maps is left to shift_level.
constexpr double kLargestFollowed = 1e100;

// Records that are used alike, and the step of their last use.
struct Group {
  std::size_t first;
  std::size_t last;
  std::size_t last_use;
};

// Whether the uses of b are those of a, all the same number of steps earlier or later.
bool has_same_pattern(const std::vector<Use>& a, const std::vector<Use>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k].shift != b[k].shift || a[k].step - a[0].step != b[k].step - b[0].step) return false;
  return true;
}

Stops scaled(const Stops& stops, std::size_t from, std::size_t to) {
  Stops result;
  for (const std::size_t stop : stops) {
    const auto moved = static_cast<std::size_t>(std::llround(static_cast<double>(stop) * static_cast<double>(to) /
                                                             static_cast<double>(std::max<std::size_t>(from, 1))));
    if (result.empty() || moved > result.back()) result.push_back(moved);
  }
  if (result.back() != to) result.push_back(to);
  return result;
}

// What is asked of each group: epsilon at a delta, or delta at an epsilon. Values are upper bounds; smaller is better.
struct Question {
  std::function<Bracket(const Bracket& level, double hint)> of_level;
  std::function<double(const HiddenTail&, Stops&)> optimised;
  std::function<double(const HiddenTail&, const Stops&, double above)> with_stops;
  std::function<Bracket(const HiddenRelease&)> single;
  double best_possible;
};

class Pass {
 public:
  Pass(const std::shared_ptr<const HiddenRun>& run, const RecordOrder& order, std::size_t records,
       IterationAnalysis analysis, const Question& question, const PeopleProgress& progress)
      : run_(run), order_(order), analysis_(analysis), question_(question), progress_(progress) {
    require(records <= kMostPeople, "records", static_cast<double>(records), "at most 2e7 for everybody at once");
    for (std::size_t first = 1; first <= records;) {
      const std::size_t last = std::min(order.last_alike(first), records);
      groups_.push_back({first, last, order.last_use(first)});
      first = last + 1;
    }
  }

  std::vector<ForRecords> run() {
    std::vector<std::size_t> turn(groups_.size());
    for (std::size_t i = 0; i < turn.size(); ++i) turn[i] = turn.size() - 1 - i;
    const auto is_before = [&](std::size_t a, std::size_t b) { return groups_[a].last_use > groups_[b].last_use; };
    if (!std::is_sorted(turn.begin(), turn.end(), is_before)) std::stable_sort(turn.begin(), turn.end(), is_before);
    std::vector<ForRecords> results(groups_.size());
    const bool by_shift = !std::isfinite(run_->diameter) || analysis_ == IterationAnalysis::kShift;
    std::size_t done = 0;
    for (const std::size_t i : turn) {
      const Group& group = groups_[i];
      const std::vector<Use> uses = order_.uses(group.first);
      const Bracket value = uses.empty() ? Bracket(0.0) : (by_shift ? by_level(uses) : by_blocks(uses));
      results[i] = {group.first, group.last, value};
      done += group.last - group.first + 1;
      progress_(done);
    }
    return results;
  }

 private:
  Bracket of_level(const Bracket& level) {
    const Bracket value = question_.of_level(level, hint_);
    hint_ = value.upper();
    return value;
  }

  Bracket by_level(const std::vector<Use>& uses) {
    if (uses.size() > 1 || run_->steps.is_homogeneous())
      return of_level(shift_level(run_->steps, uses, run_->diameter, order_.steps()));
    // One use: the steps after it are the previous group's and the ones in between.
    const std::size_t step = uses[0].step;
    if (!suffix_start_) suffix_start_ = order_.steps();
    ensure(step <= *suffix_start_, "groups come in decreasing order of their last use");
    for (; *suffix_start_ > step; --*suffix_start_) suffix_ = extended(*suffix_start_, suffix_);
    const Stretch after = suffix_;
    suffix_ = extended(step, suffix_);
    *suffix_start_ = step - 1;
    if (!(after.decay.upper() < kLargestFollowed && suffix_.variance.lower() > 0.0))
      return of_level(shift_level(run_->steps, uses, run_->diameter, order_.steps()));
    const Bracket moved = uses[0].shift * after.decay;
    Bracket level = moved.upper() == 0.0 ? Bracket(0.0) : moved / numerics::sqrt(suffix_.variance);
    if (uses[0].shift.upper() > 0.0)
      level = {level.lower(), rounding::add_up(level.upper(), run_->steps.rounding_level())};
    if (std::isfinite(run_->diameter))
      level = Bracket(0.0,
                      std::min(level.upper(), kernel_level(run_->steps, step, order_.steps(), run_->diameter).upper()));
    return of_level(level);
  }

  // The steps from t on.
  [[nodiscard]] Stretch extended(std::size_t t, const Stretch& after) const {
    const NoisyStep& at = run_->steps.at(t);
    return Stretch::joined({at.lipschitz, at.noise * at.noise}, after);
  }

  Bracket by_blocks(const std::vector<Use>& uses) {
    const std::size_t later = order_.steps() - uses.back().step;
    if (analysis_ != IterationAnalysis::kBest)
      return question_.single(HiddenRelease(run_, uses, order_.steps(), analysis_));
    const bool is_same = run_->steps.is_homogeneous() && previous_ && has_same_pattern(*previous_, uses);
    if (is_same && previous_value_ == question_.best_possible) return {0.0, previous_value_};
    if (!is_same) {
      tail_ = tail_of(run_, uses, order_.steps());
      previous_value_ = kInfinity;
    }
    previous_ = uses;
    tail_.steps = later;
    // Blocks that were found for as many later steps do for other patterns of uses too.
    const bool is_anchor =
        !has_anchor_ ||
        (later <= kAlwaysOptimised ? later != anchor_later_
                                   : static_cast<double>(later) > kAnchorGrowth * static_cast<double>(anchor_later_));
    Stops stops = has_anchor_ ? scaled(anchor_, anchor_later_, later) : Stops{};
    double value = previous_value_;
    if (is_anchor) {
      value = std::min(value, question_.optimised(tail_, stops));
      anchor_ = stops, anchor_later_ = later, has_anchor_ = true;
    } else {
      const double by_shift = of_level(Bracket(0.0, tail_.start_level(later))).upper();
      value = question_.with_stops(tail_, stops, std::min(value, by_shift));
    }
    previous_value_ = value;
    return {0.0, value};
  }

  std::shared_ptr<const HiddenRun> run_;
  const RecordOrder& order_;
  IterationAnalysis analysis_;
  const Question& question_;
  const PeopleProgress& progress_;
  std::vector<Group> groups_;
  double hint_ = 0.0;
  // Shifting, one use each: the steps after the present one.
  std::optional<std::size_t> suffix_start_;
  Stretch suffix_;
  // Blocks: what the previous group had.
  std::optional<std::vector<Use>> previous_;
  double previous_value_ = kInfinity;
  HiddenTail tail_;
  Stops anchor_;
  std::size_t anchor_later_ = 0;
  bool has_anchor_ = false;
};

}  // namespace

std::vector<ForRecords> epsilons(const std::shared_ptr<const HiddenRun>& run, const RecordOrder& order,
                                 std::size_t records, Delta delta, IterationAnalysis analysis,
                                 const PeopleProgress& progress) {
  const Question question{
      .of_level = [=](const Bracket& level,
                      double hint) { return numerics::theta_inverse(delta.value(), level, hint); },
      .optimised = [=](const HiddenTail& tail, Stops& stops) { return epsilon_bound(tail, delta, stops); },
      .with_stops = [=](const HiddenTail& tail, const Stops& stops,
                        double above) { return std::min(above, epsilon_bound(tail, stops, delta, above)); },
      .single = [=](const HiddenRelease& release) { return release.epsilon(delta); },
      .best_possible = 0.0};
  return Pass(run, order, records, analysis, question, progress).run();
}

std::vector<ForRecords> deltas(const std::shared_ptr<const HiddenRun>& run, const RecordOrder& order,
                               std::size_t records, Epsilon epsilon, IterationAnalysis analysis,
                               const PeopleProgress& progress) {
  const auto of_log = [](double log_delta) { return std::min(1.0, numerics::exp(Bracket(log_delta)).upper()); };
  const Question question{
      .of_level =
          [=](const Bracket& level, double) {
            return Bracket(numerics::theta(epsilon.value(), Wide(level.lower())).lower(),
                           numerics::theta(epsilon.value(), Wide(level.upper())).upper());
          },
      .optimised =
          [=](const HiddenTail& tail, Stops& stops) {
            stops = best_stops(tail, epsilon);
            return of_log(std::min(log_delta(tail, stops, epsilon), log_delta(tail, {tail.steps}, epsilon)));
          },
      .with_stops = [=](const HiddenTail& tail, const Stops& stops,
                        double above) { return std::min(above, of_log(log_delta(tail, stops, epsilon))); },
      .single = [=](const HiddenRelease& release) { return release.delta(epsilon); },
      // A positive delta is never printed as less than the smallest double.
      .best_possible = rounding::kSmallest};
  return Pass(run, order, records, analysis, question, progress).run();
}

}  // namespace doeblin
