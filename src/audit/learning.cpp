// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/learning.hpp"

#include <algorithm>

#include "audit/candidates.hpp"
#include "audit/discriminant.hpp"
#include "doeblin/audit/lower_bound.hpp"
#include "doeblin/core/error.hpp"

namespace doeblin::audit {
namespace {

// Coordinates that are tried one by one.
constexpr std::size_t kMostLearnedCoordinates = 16;
// What a union of cells must promise more than a tail, which is easier to read and less likely to be an accident.
constexpr double kCellMargin = 1.02;
// Unions are compared at sizes that grow by this factor.
constexpr double kUnionGrowth = 1.05;

// Every other run suggests, the rest choose.
struct Parts {
  Outputs fit;
  Outputs choice;
};

Parts parts_of(const Outputs& outputs) {
  Parts parts{{outputs.dimension}, {outputs.dimension}};
  for (std::size_t i = 0; i < outputs.count(); ++i) {
    const auto row = outputs.row(i);
    std::vector<double>& values = (i % 2 == 0 ? parts.fit : parts.choice).values;
    values.insert(values.end(), row.begin(), row.end());
  }
  return parts;
}

std::vector<double> sorted_statistic(const Outputs& outputs, const std::vector<double>& weights) {
  const Event event{.weights = weights};
  std::vector<double> values(outputs.count());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = event.statistic(outputs.row(i));
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<std::vector<double>> statistics_of(const Outputs& first, const Outputs& second,
                                               const LearningOptions& options) {
  const std::size_t dimension = first.dimension;
  if (dimension == 1) return {{}};
  std::vector<std::vector<double>> all = options.directions;
  all.push_back(discriminant(first, second));
  for (std::size_t j = 0; j < dimension && dimension <= kMostLearnedCoordinates; ++j) {
    all.emplace_back(dimension, 0.0);
    all.back()[j] = 1.0;
  }
  return all;
}

// Keeps the best events seen so far.
class Choice {
 public:
  explicit Choice(const LearningOptions& options) : options_(options) {}

  /// Looks at what the events of one weighted sum promise.
  void consider(const std::vector<double>& weights, const Parts& first, const Parts& second) {
    const std::vector<double> fit[] = {sorted_statistic(first.fit, weights), sorted_statistic(second.fit, weights)};
    const std::vector<double> choice[] = {sorted_statistic(first.choice, weights),
                                          sorted_statistic(second.choice, weights)};
    if (!options_.is_categorical)
      for (const Interval& tail : tails(fit[0], fit[1]))
        for (const Side likely : {Side::kFirst, Side::kSecond}) consider_tail(weights, tail, likely, choice);
    const std::vector<Interval> all = cells(fit[0], fit[1], options_.is_categorical);
    for (const std::size_t likely : {0u, 1u})
      consider_unions(weights, by_likelihood_ratio(all, fit[likely], fit[1 - likely]), likely, choice);
  }

  [[nodiscard]] LearnedEvents result() const { return {epsilon_.event, mu_.event}; }

 private:
  struct Best {
    double value = -1.0;
    Event event = {};
  };

  void consider_tail(const std::vector<double>& weights, const Interval& tail, Side side,
                     const std::vector<double> (&choice)[2]) {
    const std::size_t likely = side == Side::kFirst ? 0 : 1;
    const double hits = count_in(tail, choice[likely]);
    const double other = count_in(tail, choice[1 - likely]);
    const auto runs = static_cast<double>(choice[likely].size());
    const auto other_runs = static_cast<double>(choice[1 - likely].size());
    // The other direction is the better one; only the very first event is looked at anyway.
    if (hits * other_runs < other * runs && mu_.value >= 0.0) return;
    const EventBounds bounds = bounds_of({hits, runs, other, other_runs}, options_.failure);
    const Event event{weights, {tail}, side};
    if (const double value = epsilon_lower(bounds, options_.delta); value > epsilon_.value) epsilon_ = {value, event};
    if (const double value = mu_lower(bounds); value > mu_.value) mu_ = {value, event};
  }

  void consider_unions(const std::vector<double>& weights, const std::vector<Interval>& ordered, std::size_t likely,
                       const std::vector<double> (&choice)[2]) {
    const auto runs = static_cast<double>(choice[likely].size());
    const auto other_runs = static_cast<double>(choice[1 - likely].size());
    double hits = 0.0;
    double other = 0.0;
    double next = 1.0;
    for (std::size_t k = 0; k < ordered.size(); ++k) {
      hits += count_in(ordered[k], choice[likely]);
      other += count_in(ordered[k], choice[1 - likely]);
      if (static_cast<double>(k + 1) < next && k + 1 < ordered.size()) continue;
      next = std::max(next + 1.0, next * kUnionGrowth);
      const double value = epsilon_lower(bounds_of({hits, runs, other, other_runs}, options_.failure), options_.delta);
      if (!(value > epsilon_.value * kCellMargin)) continue;
      const auto end = ordered.begin() + static_cast<std::ptrdiff_t>(k) + 1;
      epsilon_ = {value, {weights, joined({ordered.begin(), end}), likely == 0 ? Side::kFirst : Side::kSecond}};
    }
  }

  const LearningOptions& options_;
  Best epsilon_;
  Best mu_;
};

}  // namespace

LearnedEvents learn_events(const Outputs& first, const Outputs& second, const LearningOptions& options) {
  ensure(first.dimension == second.dimension, "outputs have one dimension");
  ensure(first.count() >= 2 && second.count() >= 2, "there are outputs to learn from");
  const Parts parts[] = {parts_of(first), parts_of(second)};
  Choice choice(options);
  for (const auto& weights : statistics_of(parts[0].fit, parts[1].fit, options))
    choice.consider(weights, parts[0], parts[1]);
  return choice.result();
}

}  // namespace doeblin::audit
