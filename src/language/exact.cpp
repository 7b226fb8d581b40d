// SPDX-License-Identifier: Apache-2.0
#include "language/exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <boost/multiprecision/cpp_int.hpp>

namespace doeblin::language {

// Without expression templates: numbers are short, and no result refers to what it was made from.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;

struct Exact::Rational {
  Integer numerator;
  Integer denominator;  ///< above 0
};

namespace {

constexpr unsigned kMostBits = 4096;
// More digits than any double needs, and fewer than take long to read.
constexpr std::size_t kMostDigits = 800;
constexpr int kLargestExponent = 1100;
constexpr int kPrecision = 53;
// The smallest double above 0 is 2 to the power of minus this.
constexpr int kSmallestPower = 1074;

unsigned bits_of(const Integer& x) { return x.is_zero() ? 0U : msb(x) + 1U; }

// |numerator| / denominator, rounded once.
double nearest_to(Integer numerator, const Integer& denominator) {
  const bool is_negative = numerator < 0;
  if (is_negative) numerator = -numerator;
  if (numerator.is_zero()) return 0.0;
  // Two doubles, and a quotient of normal size: one division rounds once.
  if (bits_of(numerator) <= kPrecision && bits_of(denominator) <= kPrecision) {
    const double value = static_cast<double>(numerator) / static_cast<double>(denominator);
    return is_negative ? -value : value;
  }
  // Between 2^55 and 2^57 of these units, so that what is left over cannot decide unless the last bits are a tie.
  const int unit = static_cast<int>(bits_of(numerator)) - static_cast<int>(bits_of(denominator)) - 56;
  Integer quotient, rest;
  divide_qr(unit < 0 ? Integer(numerator << static_cast<unsigned>(-unit)) : numerator,
            unit > 0 ? Integer(denominator << static_cast<unsigned>(unit)) : denominator, quotient, rest);
  const int bits = static_cast<int>(bits_of(quotient));
  const auto whole = static_cast<std::uint64_t>(quotient) | (rest.is_zero() ? 0U : 1U);
  const int kept = std::min(kPrecision, bits + unit + kSmallestPower);
  if (kept < 0) return is_negative ? -0.0 : 0.0;
  const int dropped = bits - kept;
  const std::uint64_t half = std::uint64_t{1} << static_cast<unsigned>(dropped - 1);
  const std::uint64_t last = whole & (2 * half - 1);
  std::uint64_t rounded = whole >> static_cast<unsigned>(dropped);
  if (last > half || (last == half && (rounded & 1U) != 0)) ++rounded;
  const double value = std::ldexp(static_cast<double>(rounded), unit + dropped);
  return is_negative ? -value : value;
}

Integer ten_to(int power) { return pow(Integer(10), static_cast<unsigned>(power)); }

}  // namespace

Exact::Exact(double value) : nearest_(value) {
  if (!std::isfinite(value)) return;
  int exponent = 0;
  const auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), kPrecision));
  exponent -= kPrecision;
  const int zeros = whole == 0 ? 0 : std::countr_zero(static_cast<std::uint64_t>(whole));
  exponent += zeros;
  Rational exact{Integer(whole / (std::int64_t{1} << static_cast<unsigned>(zeros))), 1};
  if (whole != 0) (exponent < 0 ? exact.denominator : exact.numerator) <<= static_cast<unsigned>(std::abs(exponent));
  value_ = std::make_shared<const Rational>(std::move(exact));
}

Exact::Exact(const Rational& value) : nearest_(nearest_to(value.numerator, value.denominator)) {
  Rational reduced = value;
  const Integer common = gcd(value.numerator, value.denominator);
  if (common > 1) reduced = {value.numerator / common, value.denominator / common};
  const Integer size = abs(reduced.numerator);
  if (std::max(bits_of(size), bits_of(reduced.denominator)) > kMostBits)
    *this = Exact(nearest_);
  else
    value_ = std::make_shared<const Rational>(std::move(reduced));
}

std::optional<Exact> Exact::of_decimal(std::string_view text) {
  std::string digits;
  int exponent = 0;
  std::size_t i = 0;
  bool is_fraction = false;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.' && !is_fraction) {
      is_fraction = true;
      continue;
    }
    if (text[i] < '0' || text[i] > '9' || digits.size() >= kMostDigits) return std::nullopt;
    digits += text[i];
    if (is_fraction) --exponent;
  }
  if (digits.empty()) return std::nullopt;
  if (i < text.size()) {
    std::size_t first = i + 1;
    const bool is_negative = first < text.size() && text[first] == '-';
    if (first < text.size() && (text[first] == '-' || text[first] == '+')) ++first;
    int written = 0;
    if (first == text.size()) return std::nullopt;
    for (i = first; i < text.size(); ++i) {
      if (text[i] < '0' || text[i] > '9') return std::nullopt;
      written = std::min(10 * written + (text[i] - '0'), 10 * kLargestExponent);
    }
    exponent += is_negative ? -written : written;
  }
  // A 0 in front would mean an octal number.
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (std::abs(exponent) > kLargestExponent + static_cast<int>(kMostDigits)) return std::nullopt;
  const Integer whole(digits);
  return Exact(exponent < 0 ? Rational{whole, ten_to(-exponent)} : Rational{whole * ten_to(exponent), 1});
}

bool Exact::vanishes() const { return nearest_ == 0.0 && value_ && !value_->numerator.is_zero(); }

Exact Exact::operator-() const {
  return value_ ? Exact(Rational{-value_->numerator, value_->denominator}) : Exact(-nearest_);
}

Exact Exact::operator+(const Exact& other) const {
  if (!value_ || !other.value_) return Exact(nearest_ + other.nearest_);
  const auto& [n, d] = *value_;
  const auto& [m, e] = *other.value_;
  return Exact(Rational{n * e + m * d, d * e});
}

Exact Exact::operator-(const Exact& other) const { return *this + (-other); }

Exact Exact::operator*(const Exact& other) const {
  if (!value_ || !other.value_) return Exact(nearest_ * other.nearest_);
  return Exact(Rational{value_->numerator * other.value_->numerator, value_->denominator * other.value_->denominator});
}

Exact Exact::operator/(const Exact& other) const {
  if (!value_ || !other.value_) return Exact(nearest_ / other.nearest_);
  const auto& [m, e] = *other.value_;
  const bool is_negative = m < 0;
  return Exact(Rational{value_->numerator * (is_negative ? Integer(-e) : e), value_->denominator * abs(m)});
}

Exact Exact::power(const Exact& exponent) const {
  const bool is_whole = value_ && exponent.value_ && exponent.value_->denominator == 1;
  const double k = exponent.nearest_;
  if (!is_whole || std::fabs(k) > kMostBits || (k < 0.0 && value_->numerator.is_zero()))
    return Exact(std::pow(nearest_, k));
  const Integer size = abs(value_->numerator);
  if (std::fabs(k) * std::max(bits_of(size), bits_of(value_->denominator)) > 2.0 * kMostBits)
    return Exact(std::pow(nearest_, k));
  const auto times = static_cast<unsigned>(std::fabs(k));
  const Exact raised(Rational{pow(value_->numerator, times), pow(value_->denominator, times)});
  return k < 0.0 ? Exact(1.0) / raised : raised;
}

double Exact::floor() const {
  Integer quotient, rest;
  divide_qr(value_->numerator, value_->denominator, quotient, rest);
  if (rest < 0) --quotient;
  return nearest_to(quotient, 1);
}

}  // namespace doeblin::language
