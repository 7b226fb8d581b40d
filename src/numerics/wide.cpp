// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/wide.hpp"

namespace doeblin::numerics {
namespace {

using rounding::kInfinity;
using rounding::kSmallest;

// 2^-100 covers the few roundings of the low part (each at most 2^-53 * 2^-53 of the high part), with a factor 16 to
// spare.
constexpr double kLowRounding = 0x1p-100;
// Error terms are positive and are themselves rounded: a sum of a few of them is off by less than this factor.
constexpr double kErrorSlack = 1.0 + 0x1p-40;

Wide normalised(double high, double low, double error) {
  const auto [hi, lo] = two_sum(high, low);
  return {hi, lo, error};
}

bool is_exact_double(const Wide& x) { return x.lo == 0.0 && x.error == 0.0; }

// Beyond the doubles: finite operands overflowed, so the value is at least kMax.
Wide overflowed() { return Wide(kInfinity); }

// What comes of calculating with such a value can be anything.
Wide unknown() { return {kInfinity, 0.0, kInfinity}; }

bool is_infinite(const Wide& x) { return std::isinf(x.hi); }

}  // namespace

Wide ratio(double numerator, double denominator) {
  if (numerator == 0.0) return Wide();
  // The quotient of the mantissas, in (1/2, 2), has an exact remainder; the exponents are put back at the end.
  int numerator_exponent = 0;
  int denominator_exponent = 0;
  const double a = std::frexp(numerator, &numerator_exponent);
  const double b = std::frexp(denominator, &denominator_exponent);
  const int exponent = numerator_exponent - denominator_exponent;
  const double quotient = a / b;
  const double remainder = std::fma(-quotient, b, a);
  const double hi = std::ldexp(quotient, exponent);
  if (!std::isfinite(hi)) return overflowed();
  if (hi < rounding::kTrustedProduct) return {hi, 0.0, hi * 0x1p-52 + kSmallest};
  if (remainder == 0.0) return Wide(hi);
  return normalised(hi, std::ldexp(remainder / b, exponent), hi * kLowRounding);
}

Wide operator-(const Wide& x) { return {-x.hi, -x.lo, x.error}; }

Wide operator+(const Wide& x, const Wide& y) {
  if (!std::isfinite(x.hi + y.hi)) return unknown();
  const auto [sum, low] = two_sum(x.hi, y.hi);
  if (is_exact_double(x) && is_exact_double(y)) return {sum, low, 0.0};
  const double error = (std::fabs(x.hi) + std::fabs(y.hi)) * kLowRounding + x.error + y.error;
  return normalised(sum, low + (x.lo + y.lo), error * kErrorSlack);
}

Wide operator-(const Wide& x, const Wide& y) { return x + (-y); }

Wide operator*(const Wide& x, const Wide& y) {
  const double product = x.hi * y.hi;
  if (x.is_zero() || y.is_zero()) return Wide();
  if (is_infinite(x) || is_infinite(y)) return unknown();
  if (!std::isfinite(product))
    return product > 0.0 && is_exact_double(x) && is_exact_double(y) ? overflowed() : unknown();
  const bool trusted = std::fabs(product) >= rounding::kTrustedProduct;
  const double low = trusted ? std::fma(x.hi, y.hi, -product) : 0.0;
  if (trusted && is_exact_double(x) && is_exact_double(y)) return {product, low, 0.0};
  const double error = std::fabs(product) * (trusted ? kLowRounding : 0x1p-51) + (trusted ? 0.0 : 4.0 * kSmallest) +
                       std::fabs(x.hi) * y.error * 1.01 + std::fabs(y.hi) * x.error * 1.01 + x.error * y.error;
  return normalised(product, trusted ? low + (x.hi * y.lo + x.lo * y.hi) : 0.0, error * kErrorSlack);
}

Wide operator*(const Wide& x, double y) { return x * Wide(y); }

Wide sqrt(const Wide& x) {
  if (x.is_zero()) return Wide();
  if (is_infinite(x)) return unknown();
  if (x.hi <= x.error) return {0.0, 0.0, std::sqrt(x.hi + std::fabs(x.lo) + x.error) * 1.01 + kSmallest};
  ensure(x.hi > 0.0, "sqrt: positive argument");
  const double root = std::sqrt(x.hi);
  if (x.hi < rounding::kTrustedProduct || x.error > 0x1p-20 * x.hi)
    return {root, 0.0, root * 0x1p-50 + std::sqrt(x.error + std::fabs(x.lo)) * 1.01 + kSmallest};
  const double remainder = std::fma(-root, root, x.hi) + x.lo;
  if (remainder == 0.0 && x.error == 0.0) return Wide(root);
  // Newton's correction; the next term of the series is below (2^-52)^2 root. An input error e moves the root by
  // less than e / (2 root) * 1.01, because e < 2^-20 x.
  return normalised(root, remainder / (2.0 * root), (root * kLowRounding + x.error / (1.9 * root)) * kErrorSlack);
}

Bracket difference(const Wide& x, double y) { return is_infinite(x) ? enclose(x) - y : enclose(x - Wide(y)); }

Bracket enclose(const Wide& x) {
  using namespace rounding;
  if (std::isinf(x.error)) return {-kInfinity, kInfinity};
  if (is_infinite(x)) return {x.hi > 0 ? kMax : x.hi, x.hi > 0 ? x.hi : -kMax};
  return {add_down(x.hi, sub_down(x.lo, x.error)), add_up(x.hi, add_up(x.lo, x.error))};
}

}  // namespace doeblin::numerics
