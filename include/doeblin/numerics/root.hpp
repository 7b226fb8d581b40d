// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "doeblin/core/bracket.hpp"

namespace doeblin::numerics {

namespace detail {

// Non-negative doubles, infinity included, are ordered like their bit patterns.
inline std::uint64_t rank(double x) { return std::bit_cast<std::uint64_t>(x); }
inline double at_rank(std::uint64_t r) { return std::bit_cast<double>(r); }

/// Whether two ranks still have a double between them and differ by more than `relative_width`.
inline bool apart(std::uint64_t first, std::uint64_t second, double relative_width) {
  const std::uint64_t low = std::min(first, second);
  const std::uint64_t high = std::max(first, second);
  const double top = at_rank(high);
  return high - low > 1 && (std::isinf(top) || top - at_rank(low) > relative_width * top);
}

/// Bisects between `yes`, where the predicate is taken to hold, and `no`, in either direction; returns the last rank
/// on the side of `yes` at which it was seen to hold.
template <typename Predicate>
std::uint64_t last_holding(std::uint64_t yes, std::uint64_t no, double relative_width, const Predicate& holds) {
  while (apart(yes, no, relative_width)) {
    const std::uint64_t middle = yes < no ? yes + (no - yes) / 2 : no + (yes - no) / 2;
    (holds(at_rank(middle)) ? yes : no) = middle;
  }
  return yes;
}

}  // namespace detail

/// The smallest x >= 0 with f(x) <= level, for a non-increasing f that is known through brackets.
///
/// Domain   f maps [0, infinity] to Bracket; f(infinity) is its limit
/// Bound    the upper end has f <= level for certain, the lower end has f > level for certain (or is 0); both are
///          infinite when f stays above the level
/// Method   bisection over the doubles themselves, so at most 63 steps to neighbouring doubles whatever the scale;
///          where f's own bracket straddles the level, each side is pushed as far as it can be certified
template <typename Function>
[[nodiscard]] Bracket first_at_most(const Function& f, double level, double relative_width = 0.0) {
  if (f(0.0).upper() <= level) return Bracket(0.0);
  if (f(rounding::kInfinity).lower() > level) return Bracket(rounding::kInfinity);
  // 0 and infinity are valid ends whatever f says there.
  std::uint64_t above = detail::rank(0.0);
  std::uint64_t below = detail::rank(rounding::kInfinity);
  while (detail::apart(above, below, relative_width)) {
    const std::uint64_t middle = above + (below - above) / 2;
    const Bracket value = f(detail::at_rank(middle));
    if (value.upper() <= level) {
      below = middle;
    } else if (value.lower() > level) {
      above = middle;
    } else {
      above = detail::last_holding(above, middle, relative_width, [&](double x) { return f(x).lower() > level; });
      below = detail::last_holding(below, middle, relative_width, [&](double x) { return f(x).upper() <= level; });
      break;
    }
  }
  return {detail::at_rank(above), detail::at_rank(below)};
}

}  // namespace doeblin::numerics
