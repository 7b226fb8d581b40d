// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "verify/iteration/run_known.hpp"
#include "verify/iteration/run_places.hpp"

namespace doeblin::verify {
namespace {

// Sums of up to so many terms are computed as they stand.
constexpr std::size_t kMostSummed = 4000;
constexpr std::size_t kMostValues = 20'000;
constexpr double kSumWidth = 3e-7;
// Parts of a bounded run, or of a pair, that are looked at one by one.
constexpr std::size_t kSingleParts = 1000;
constexpr double kPartGrowth = 1.01;

// Both sides of a sum of terms that fall.
struct Sum {
  Ball upper;
  Ball lower;
};

// Levels of the parts, remembered.
class PartLevels {
 public:
  explicit PartLevels(RandomEnd end) : end_(std::move(end)) {}
  [[nodiscard]] const Ball& at(std::size_t r) {
    const auto found = levels_.find(r);
    if (found != levels_.end()) return found->second;
    const WithPrecision bits(kRunBits);
    return levels_.emplace(r, shift_level(*end_.run, end_.uses, end_.uses.back() + r)).first->second;
  }

 private:
  RandomEnd end_;
  std::unordered_map<std::size_t, Ball> levels_;
};

// f(0) + ... + f(count-1) for a falling f: what lies between two known terms is between them; the widest gap is split
// until the gaps are narrow.
Sum falling_sum(const std::function<Ball(std::size_t)>& f, std::size_t count) {
  Sum sum{Ball(0), Ball(0)};
  const auto add = [&](const Ball& value) { sum = {sum.upper + value, sum.lower + value}; };
  if (count <= kMostSummed) {
    for (std::size_t r = 0; r < count; ++r) add(f(r));
    return sum;
  }
  struct Gap {
    double width;
    std::size_t first, last;
    Ball at_first, at_last;
    bool operator<(const Gap& other) const { return width < other.width; }
  };
  const auto gap = [](std::size_t first, const Ball& at_first, std::size_t last, const Ball& at_last) {
    return Gap{static_cast<double>(last - first - 1) * (at_first - at_last).middle(), first, last, at_first, at_last};
  };
  std::priority_queue<Gap> gaps;
  const Ball head = f(0), end = f(count - 1);
  add(head);
  add(end);
  gaps.push(gap(0, head, count - 1, end));
  double open = gaps.top().width;
  for (std::size_t values = 2; values < kMostValues && !gaps.empty() && open > kSumWidth * sum.lower.middle();
       ++values) {
    const Gap widest = gaps.top();
    gaps.pop();
    open -= widest.width;
    const std::size_t middle = widest.first + (widest.last - widest.first) / 2;
    const Ball value = f(middle);
    add(value);
    for (const Gap& half :
         {gap(widest.first, widest.at_first, middle, value), gap(middle, value, widest.last, widest.at_last)})
      if (half.last - half.first > 1) gaps.push(half), open += half.width;
  }
  for (; !gaps.empty(); gaps.pop()) {
    const Ball terms(static_cast<double>(gaps.top().last - gaps.top().first - 1));
    sum = {sum.upper + terms * gaps.top().at_first, sum.lower + terms * gaps.top().at_last};
  }
  return sum;
}

// Part r stands for the parts from r to before the next.
std::vector<std::size_t> single_then_growing(std::size_t parts) {
  std::vector<std::size_t> chosen;
  for (std::size_t r = 0; r < parts;
       r = r < kSingleParts ? r + 1 : std::max(r + 1, static_cast<std::size_t>(static_cast<double>(r) * kPartGrowth)))
    chosen.push_back(r);
  return chosen;
}

// What the parts from `first` to before `next` weigh together.
Ball weight_of(const RandomEnd& end, std::size_t first, std::size_t next) {
  const Ball all = end.weight * Ball(static_cast<double>(next - first));
  return next == end.parts ? all - end.weight + end.last_weight : all;
}

Ball bounded_average(const RandomEnd& end, RunTail& tail, const Ball& epsilon) {
  const std::vector<std::size_t> positions = single_then_growing(end.parts);
  const std::vector<Ball> deltas = delta_at_positions(tail, positions, epsilon);
  Ball sum(0);
  for (std::size_t k = 0; k < positions.size(); ++k)
    sum = sum + deltas[k] * weight_of(end, positions[k], k + 1 < positions.size() ? positions[k + 1] : end.parts);
  return sum;
}

Sum gaussian_average(const RandomEnd& end, PartLevels& levels, const Ball& epsilon) {
  const auto term = [&](std::size_t r) { return profile_at(epsilon, levels.at(r)); };
  const Sum sum = falling_sum(term, end.parts);
  const Ball correction = (end.last_weight - end.weight) * term(end.parts - 1);
  return {sum.upper * end.weight + correction, sum.lower * end.weight + correction};
}

// It is told which part it was: one pair of laws, so the same parts stand for the others at every epsilon.
Divergence told_divergence(const RandomEnd& end, const std::shared_ptr<PartLevels>& levels) {
  return [end, levels, chosen = single_then_growing(end.parts)](const Ball& epsilon) {
    const WithPrecision bits(std::min(precision(), kRunBits));
    Ball sum(0);
    for (std::size_t k = 0; k < chosen.size(); ++k)
      sum = sum + weight_of(end, chosen[k], k + 1 < chosen.size() ? chosen[k + 1] : end.parts) *
                      profile_at(epsilon, levels->at(chosen[k]));
    return sum;
  };
}

// The classes of places: one by one near the end, then growing.
std::vector<std::size_t> place_positions(std::size_t parts) {
  constexpr std::size_t kSinglePlaces = 16, kGrowth = 8;
  std::vector<std::size_t> chosen;
  for (std::size_t r = 0; r < parts; r += r < kSinglePlaces ? 1 : r / kGrowth) chosen.push_back(r);
  return chosen;
}

Divergence hidden_place(const RandomEnd& end, const std::shared_ptr<PartLevels>& levels) {
  const std::vector<std::size_t> positions = place_positions(end.parts);
  HiddenPlaces places;
  for (std::size_t k = 0; k < positions.size(); ++k)
    places.weights.push_back(weight_of(end, positions[k], k + 1 < positions.size() ? positions[k + 1] : end.parts));
  places.first = [levels](const Ball& epsilon) { return profile_at(epsilon, levels->at(0)); };
  if (end.run->is_bounded()) {
    const auto tail = std::make_shared<RunTail>(end.run, end.uses, end.uses.back() + end.parts - 1);
    places.deltas = [tail, positions](const Ball& epsilon) { return delta_at_positions(*tail, positions, epsilon); };
  } else {
    places.deltas = [levels, positions](const Ball& epsilon) {
      std::vector<Ball> deltas;
      deltas.reserve(positions.size());
      for (const std::size_t r : positions) deltas.push_back(profile_at(epsilon, levels->at(r)));
      return deltas;
    };
  }
  return hidden_place_divergence(std::move(places));
}

// The smaller of the two, where the average is at least `first`.
Divergence least_of(const Divergence& hidden, const Divergence& average, const Divergence& first) {
  return [=](const Ball& epsilon) {
    const Ball value = hidden(epsilon);
    return certainly_at_most(value, first(epsilon)) ? value : min(value, average(epsilon));
  };
}

}  // namespace

Known known_average(const RandomEnd& end) {
  const auto levels = std::make_shared<PartLevels>(end);
  Known known;
  if (end.run->is_bounded()) {
    const auto tail = std::make_shared<RunTail>(end.run, end.uses, end.uses.back() + end.parts - 1);
    known.delta = [end, tail](const Ball& epsilon) { return Enclosed{bounded_average(end, *tail, epsilon), Ball(0)}; };
  } else {
    const bool is_attained = end.shows_its_end && arb_is_zero(end.run->rounding.get());
    known.delta = [end, levels, is_attained](const Ball& epsilon) {
      const Sum sum = gaussian_average(end, *levels, epsilon);
      return Enclosed{sum.upper, is_attained ? sum.lower : Ball(0)};
    };
  }
  const Divergence told = told_divergence(end, levels);
  if (!end.hides_its_place) {
    known.pairs = Pairs{told, told, false, true};
    return known;
  }
  const Divergence hidden = hidden_place(end, levels);
  const Divergence first = [levels, weight = weight_of(end, 0, 1)](const Ball& epsilon) {
    return weight * profile_at(epsilon, levels->at(0));
  };
  const Divergence average = [delta = known.delta](const Ball& epsilon) { return delta(epsilon).upper; };
  known.delta = [least = least_of(hidden, average, first)](const Ball& epsilon) {
    return Enclosed{least(epsilon), Ball(0)};
  };
  const Divergence both = least_of(hidden, told, first);
  known.pairs =
      Pairs{.forward = both, .backward = both, .are_attained = false, .is_symmetric = true, .is_profile = true};
  return known;
}

Known known_thinned(const Known& base, const Ball& probability) {
  Known known;
  known.delta = [base, probability](const Ball& epsilon) {
    const Enclosed all = base.delta(epsilon);
    return Enclosed{all.upper * probability, all.lower * probability};
  };
  known.dominating_mu = base.mu ? base.mu : base.dominating_mu;
  return known;
}

}  // namespace doeblin::verify
