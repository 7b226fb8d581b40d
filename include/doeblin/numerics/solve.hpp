// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>

#include "doeblin/core/bracket.hpp"

namespace doeblin::numerics {

/// Two points between which a monotone predicate changes, in either order: the last one known (or taken) to be safe and
/// the first one that is not.
template <typename Point>
struct Sides {
  Point safe;
  Point unsafe;

  [[nodiscard]] Point low() const { return std::min(safe, unsafe); }
  [[nodiscard]] Point high() const { return std::max(safe, unsafe); }
};

/// The two sides of a crossing, narrowed.
///
/// Domain   is_safe is monotone between the two points; it is not asked at these
/// Bound    `safe` is where the search began or a point at which is_safe was seen to hold, `unsafe` likewise where it
///          failed, whether is_safe is monotone or not
/// Method   asks at next(crossing) until that is nothing; the choices of it are Halving, LogHalving, WholeHalving and
///          DoubleHalving
template <typename Point, typename IsSafe, typename Next>
[[nodiscard]] Sides<Point> narrowed(Sides<Point> at, const IsSafe& is_safe, Next next) {
  while (const std::optional<Point> point = next(at)) (is_safe(*point) ? at.safe : at.unsafe) = *point;
  return at;
}

/// The arithmetic mean, until high - low <= width max(scale, |high|), or `steps` times.
struct Halving {
  int steps;
  double width = 0.0;
  double scale = 0.0;

  [[nodiscard]] std::optional<double> operator()(const Sides<double>& at) {
    if (steps-- <= 0 || !(at.high() - at.low() > width * std::max(scale, std::fabs(at.high())))) return std::nullopt;
    return 0.5 * (at.safe + at.unsafe);
  }
};

/// The geometric mean of positive numbers, until high <= ratio low, or `steps` times.
struct LogHalving {
  int steps = 2000;
  double ratio = 0.0;

  [[nodiscard]] std::optional<double> operator()(const Sides<double>& at) {
    if (steps-- <= 0 || !(at.high() > ratio * at.low())) return std::nullopt;
    return std::sqrt(at.safe * at.unsafe);
  }
};

/// The whole number in the middle, until there is none between the two; whole doubles up to 2^52.
struct WholeHalving {
  template <typename Whole>
  [[nodiscard]] std::optional<Whole> operator()(const Sides<Whole>& at) const {
    if (!(at.high() - at.low() > Whole{1})) return std::nullopt;
    const Whole middle = at.low() + (at.high() - at.low()) / Whole{2};
    if constexpr (std::is_floating_point_v<Whole>) return std::floor(middle);
    return middle;
  }
};

namespace detail {

// Non-negative doubles, infinity included, are ordered like their bit patterns.
inline std::uint64_t rank(double x) { return std::bit_cast<std::uint64_t>(x); }
inline double at_rank(std::uint64_t r) { return std::bit_cast<double>(r); }

}  // namespace detail

/// The double in the middle of all doubles between two that are not negative: at most 63 steps to neighbours whatever
/// the scale. Until there is none, or high - low <= relative_width high.
struct DoubleHalving {
  double relative_width = 0.0;

  [[nodiscard]] std::optional<double> operator()(const Sides<double>& at) const {
    const std::uint64_t low = detail::rank(at.low());
    const std::uint64_t high = detail::rank(at.high());
    const bool is_apart =
        high - low > 1 && (std::isinf(at.high()) || at.high() - at.low() > relative_width * at.high());
    return is_apart ? std::optional(detail::at_rank(low + (high - low) / 2)) : std::nullopt;
  }
};

/// A crossing with one of start, start factor, start factor^2, ..., up to `most` and the number before it; nothing if
/// none of them is safe. The number before the start counts as unsafe.
template <typename IsSafe>
[[nodiscard]] std::optional<Sides<double>> grown(double start, double factor, double most, const IsSafe& is_safe) {
  for (double x = start; x <= most; x *= factor)
    if (is_safe(x)) return Sides<double>{.safe = x, .unsafe = x / factor};
  return std::nullopt;
}

/// False position: where a line through the excesses of both sides, the unsafe one above 0 and the safe one at most 0,
/// crosses 0.
struct FalsePosition {
  /// Towards the safe side, so that the next point is likely to be safe.
  double lean = 0.0;
  /// Away from both ends.
  double least = 0.001;
  double most = 0.999;

  /// A share of the way from the unsafe to the safe side; half of it where an excess is not finite.
  [[nodiscard]] double share(double unsafe_excess, double safe_excess) const {
    if (!std::isfinite(unsafe_excess) || !std::isfinite(safe_excess)) return 0.5;
    return std::clamp(unsafe_excess / (unsafe_excess - safe_excess) + lean, least, most);
  }
};

/// Whether false position is stuck: three times in a row the same side moved.
class SameSide {
 public:
  void moved(bool safe) {
    times_ = safe == last_ ? times_ + 1 : 1;
    last_ = safe;
  }
  [[nodiscard]] bool is_stuck() const { return times_ >= 3; }

 private:
  int times_ = 0;
  bool last_ = false;
};

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
  Sides<double> ends{.safe = rounding::kInfinity, .unsafe = 0.0};
  const DoubleHalving halving{relative_width};
  while (const std::optional<double> middle = halving(ends)) {
    const Bracket value = f(*middle);
    if (value.upper() <= level) {
      ends.safe = *middle;
    } else if (value.lower() > level) {
      ends.unsafe = *middle;
    } else {
      const auto is_above = [&](double x) { return f(x).lower() > level; };
      const auto is_below = [&](double x) { return f(x).upper() <= level; };
      return {narrowed<double>({.safe = ends.unsafe, .unsafe = *middle}, is_above, halving).safe,
              narrowed<double>({.safe = ends.safe, .unsafe = *middle}, is_below, halving).safe};
    }
  }
  return {ends.unsafe, ends.safe};
}

/// The same, where `likely` is about that x: a few questions, if it is.
template <typename Function>
[[nodiscard]] Bracket first_at_most_near(const Function& f, double level, double likely, double relative_width) {
  const double low = likely * (1.0 - 0.25 * relative_width);
  const double high = likely * (1.0 + 0.25 * relative_width);
  if (low > 0.0 && std::isfinite(high) && f(high).upper() <= level && f(low).lower() > level) return {low, high};
  return first_at_most(f, level, relative_width);
}

/// Where g, which rises from one end to the other, is about 0: in plain doubles, and nothing is promised. The end that
/// is nearer where both have the same sign.
///
/// Method   [Alefeld, Potra, Shi 1995]: a few evaluations, never more than bisection takes by much
[[nodiscard]] double likely_root(const std::function<double(double)>& g, double low, double high, double width);

}  // namespace doeblin::numerics
