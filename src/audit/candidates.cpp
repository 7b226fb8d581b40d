// SPDX-License-Identifier: Apache-2.0
#include "audit/candidates.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "doeblin/core/rounding.hpp"

namespace doeblin::audit {
namespace {

using rounding::kInfinity;

constexpr std::size_t kTailShare = 50;
constexpr std::size_t kMostCells = 256;
constexpr std::size_t kLeastInCell = 32;
constexpr std::size_t kMostAtoms = 4096;

std::vector<double> merged(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> all;
  all.reserve(first.size() + second.size());
  std::merge(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(all));
  return all;
}

std::vector<Interval> quantile_cells(const std::vector<double>& all) {
  const std::size_t count = std::clamp<std::size_t>(all.size() / kLeastInCell, 2, kMostCells);
  std::vector<double> starts;
  for (std::size_t k = 1; k < count; ++k) {
    const double start = all[k * all.size() / count];
    if (start > all.front() && (starts.empty() || start > starts.back())) starts.push_back(start);
  }
  std::vector<Interval> result;
  result.reserve(starts.size() + 1);
  double low = -kInfinity;
  for (const double start : starts) result.push_back({std::exchange(low, start), rounding::next_down(start)});
  result.push_back({low, kInfinity});
  return result;
}

}  // namespace

std::vector<Interval> tails(const std::vector<double>& first, const std::vector<double>& second) {
  const std::vector<double> all = merged(first, second);
  std::vector<Interval> result;
  for (std::size_t rank = 1; rank <= all.size(); rank += 1 + rank / kTailShare) {
    result.push_back({all[all.size() - rank], kInfinity});
    result.push_back({-kInfinity, all[rank - 1]});
  }
  return result;
}

std::vector<Interval> cells(const std::vector<double>& first, const std::vector<double>& second, bool is_categorical) {
  const std::vector<double> all = merged(first, second);
  std::vector<double> values;
  std::unique_copy(all.begin(), all.end(), std::back_inserter(values));
  const bool are_atoms = is_categorical || (values.size() <= kMostAtoms && 4 * values.size() <= all.size());
  if (!are_atoms) return quantile_cells(all);
  std::vector<Interval> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back({value, value});
  return result;
}

double count_in(const Interval& interval, const std::vector<double>& sample) {
  const auto begin = std::lower_bound(sample.begin(), sample.end(), interval.low);
  return static_cast<double>(std::upper_bound(begin, sample.end(), interval.high) - begin);
}

std::vector<Interval> by_likelihood_ratio(std::vector<Interval> cells, const std::vector<double>& likely,
                                          const std::vector<double>& rare) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < cells.size(); ++k)
    // Half a count more on each side: a cell that came once is no proof that it never comes on the other side.
    order.emplace_back(-(count_in(cells[k], likely) + 0.5) / (count_in(cells[k], rare) + 0.5), k);
  std::sort(order.begin(), order.end());
  std::vector<Interval> result;
  result.reserve(order.size());
  for (const auto& [ratio, k] : order) result.push_back(cells[k]);
  return result;
}

std::vector<Interval> joined(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.low < b.low; });
  std::vector<Interval> result;
  for (const Interval& interval : intervals) {
    if (!result.empty() && interval.low <= rounding::next_up(result.back().high))
      result.back().high = std::max(result.back().high, interval.high);
    else
      result.push_back(interval);
  }
  return result;
}

}  // namespace doeblin::audit
