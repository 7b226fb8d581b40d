// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string_view>

namespace doeblin::language {

/// A number as it is written, in decimals and arithmetic: a rational, or an infinity (catalogue C10). Rounded once, by
/// `nearest`. A result whose numerator or denominator is longer than 4096 bits is rounded where it arises, and so is a
/// power that is no rational.
class Exact {
 public:
  /// This very double. Domain: not NaN
  explicit Exact(double value);
  /// "0.25", "1e-5"; empty for anything else.
  [[nodiscard]] static std::optional<Exact> of_decimal(std::string_view text);

  /// The nearest double, the even one of two; an infinity beyond the largest.
  [[nodiscard]] double nearest() const { return nearest_; }
  /// Not 0, but so small that the nearest double is.
  [[nodiscard]] bool vanishes() const;

  [[nodiscard]] Exact operator-() const;
  [[nodiscard]] Exact operator+(const Exact& other) const;
  [[nodiscard]] Exact operator-(const Exact& other) const;
  [[nodiscard]] Exact operator*(const Exact& other) const;
  /// Domain: the divisor is not 0
  [[nodiscard]] Exact operator/(const Exact& other) const;
  [[nodiscard]] Exact power(const Exact& exponent) const;
  /// The largest whole number that is at most this one, as a double. Domain: finite
  [[nodiscard]] double floor() const;

 private:
  struct Rational;
  explicit Exact(const Rational& value);

  /// Null for what is no rational: an infinity, or NaN where arithmetic with one makes it.
  std::shared_ptr<const Rational> value_;
  double nearest_;
};

/// What arithmetic stands for, such as "256/60000", not yet rounded.
/// Errors   InvalidArgument, as for expressions
[[nodiscard]] Exact parse_exact(std::string_view arithmetic);

}  // namespace doeblin::language
