// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iosfwd>

#include "doeblin/core/error.hpp"
#include "doeblin/core/rounding.hpp"

namespace doeblin {

/// A real number that is known to lie in [lower, upper]; the ends may be infinite. Every privacy number is one.
/// Arithmetic rounds outward, so the enclosure survives any sequence of operations.
class Bracket {
 public:
  constexpr Bracket() = default;
  /// The single point `exact`.
  explicit Bracket(double exact) : Bracket(exact, exact) {}
  /// Adding 0 turns -0 into 0, which prints without a sign.
  Bracket(double lower, double upper) : lower_(lower + 0.0), upper_(upper + 0.0) {
    ensure(lower <= upper, "Bracket: lower <= upper");
  }

  [[nodiscard]] double lower() const { return lower_; }
  [[nodiscard]] double upper() const { return upper_; }
  [[nodiscard]] bool is_exact() const { return lower_ == upper_; }
  [[nodiscard]] bool contains(double x) const { return lower_ <= x && x <= upper_; }
  /// An upper bound on upper - lower; 0 for a point, also at infinity.
  [[nodiscard]] double width() const { return is_exact() ? 0.0 : rounding::sub_up(upper_, lower_); }
  /// An upper bound on width / upper, for non-negative brackets.
  [[nodiscard]] double relative_width() const { return is_exact() ? 0.0 : rounding::div_up(width(), upper_); }
  /// A point inside; no claim attached.
  [[nodiscard]] double middle() const;

  friend bool operator==(const Bracket&, const Bracket&) = default;

 private:
  double lower_ = 0.0;
  double upper_ = 0.0;
};

inline Bracket operator-(const Bracket& x) { return {-x.upper(), -x.lower()}; }

inline Bracket operator+(const Bracket& x, const Bracket& y) {
  return {rounding::add_down(x.lower(), y.lower()), rounding::add_up(x.upper(), y.upper())};
}

inline Bracket operator-(const Bracket& x, const Bracket& y) {
  return {rounding::sub_down(x.lower(), y.upper()), rounding::sub_up(x.upper(), y.lower())};
}

inline Bracket operator*(const Bracket& x, const Bracket& y) {
  using namespace rounding;
  if (x.lower() >= 0.0 && y.lower() >= 0.0) return {mul_down(x.lower(), y.lower()), mul_up(x.upper(), y.upper())};
  return {std::min({mul_down(x.lower(), y.lower()), mul_down(x.lower(), y.upper()), mul_down(x.upper(), y.lower()),
                    mul_down(x.upper(), y.upper())}),
          std::max({mul_up(x.lower(), y.lower()), mul_up(x.lower(), y.upper()), mul_up(x.upper(), y.lower()),
                    mul_up(x.upper(), y.upper())})};
}

/// Domain: y does not contain 0.
inline Bracket operator/(const Bracket& x, const Bracket& y) {
  using namespace rounding;
  ensure(y.lower() > 0.0 || y.upper() < 0.0, "Bracket: divisor without 0");
  if (x.lower() >= 0.0 && y.lower() > 0.0) return {div_down(x.lower(), y.upper()), div_up(x.upper(), y.lower())};
  return {std::min({div_down(x.lower(), y.lower()), div_down(x.lower(), y.upper()), div_down(x.upper(), y.lower()),
                    div_down(x.upper(), y.upper())}),
          std::max({div_up(x.lower(), y.lower()), div_up(x.lower(), y.upper()), div_up(x.upper(), y.lower()),
                    div_up(x.upper(), y.upper())})};
}

inline Bracket operator+(const Bracket& x, double y) { return x + Bracket(y); }
inline Bracket operator+(double x, const Bracket& y) { return Bracket(x) + y; }
inline Bracket operator-(const Bracket& x, double y) { return x - Bracket(y); }
inline Bracket operator-(double x, const Bracket& y) { return Bracket(x) - y; }
inline Bracket operator*(const Bracket& x, double y) { return x * Bracket(y); }
inline Bracket operator*(double x, const Bracket& y) { return Bracket(x) * y; }
inline Bracket operator/(const Bracket& x, double y) { return x / Bracket(y); }
inline Bracket operator/(double x, const Bracket& y) { return Bracket(x) / y; }

/// The bracket of max(x, y): each end is the larger end.
inline Bracket max(const Bracket& x, const Bracket& y) {
  return {std::max(x.lower(), y.lower()), std::max(x.upper(), y.upper())};
}

/// The bracket of min(x, y).
inline Bracket min(const Bracket& x, const Bracket& y) {
  return {std::min(x.lower(), y.lower()), std::min(x.upper(), y.upper())};
}

/// The part of x that lies in [low, high], for a true value known to lie there.
inline Bracket clamp(const Bracket& x, double low, double high) {
  return {std::clamp(x.lower(), low, high), std::clamp(x.upper(), low, high)};
}

std::ostream& operator<<(std::ostream& out, const Bracket& x);

}  // namespace doeblin
