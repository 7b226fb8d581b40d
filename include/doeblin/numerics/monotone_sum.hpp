// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <queue>
#include <vector>

#include "doeblin/core/bracket.hpp"

namespace doeblin::numerics {

/// Encloses f(0) + f(1) + ... + f(count-1) for non-negative, non-increasing f, from few values of it.
///
/// Bound    a term between two known ones lies between them; the gaps are split, the widest first, until they add up
///          to at most relative_width of the sum or most_values are known
/// Cost     at most most_values evaluations of f
template <typename Function>
[[nodiscard]] Bracket monotone_sum(const Function& f, std::size_t count, double relative_width,
                                   std::size_t most_values) {
  if (count == 0) return Bracket(0.0);
  struct Gap {
    double width;  // what the terms strictly between can differ by, in all
    std::size_t first, last;
    Bracket at_first, at_last;
    bool operator<(const Gap& other) const { return width < other.width; }
  };
  const auto terms = [](const Gap& gap) { return static_cast<double>(gap.last - gap.first - 1); };
  const auto gap_between = [&](std::size_t first, const Bracket& at_first, std::size_t last, const Bracket& at_last) {
    Gap gap{0.0, first, last, at_first, at_last};
    gap.width = terms(gap) * std::max(0.0, at_first.upper() - at_last.lower());
    return gap;
  };
  const auto contribution = [&](const Gap& gap) {
    return terms(gap) * Bracket(gap.at_last.lower(), gap.at_first.upper());
  };
  const Bracket first = f(std::size_t{0});
  if (count == 1) return first;
  const Bracket last = f(count - 1);
  Bracket known = first + last;
  double estimate = first.upper() + last.upper();
  std::priority_queue<Gap> gaps;
  gaps.push(gap_between(0, first, count - 1, last));
  double open = gaps.top().width;
  for (std::size_t values = 2; values < most_values && !gaps.empty(); ++values) {
    const Gap gap = gaps.top();
    if (gap.width == 0.0 || open <= relative_width * estimate) break;
    gaps.pop();
    open -= gap.width;
    const std::size_t middle = gap.first + (gap.last - gap.first) / 2;
    const Bracket value = f(middle);
    known = known + value;
    estimate += value.upper();
    for (const Gap& half :
         {gap_between(gap.first, gap.at_first, middle, value), gap_between(middle, value, gap.last, gap.at_last)})
      if (terms(half) > 0.0) {
        gaps.push(half);
        open += half.width;
      }
  }
  for (; !gaps.empty(); gaps.pop()) known = known + contribution(gaps.top());
  return known;
}

}  // namespace doeblin::numerics
