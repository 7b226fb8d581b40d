// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/elementary.hpp"

#include <cmath>

namespace doeblin::numerics {
namespace {

using rounding::kInfinity;
using rounding::next_down;
using rounding::next_up;

double library_up(double x) {
  for (int i = 0; i < kLibraryUlps; ++i) x = next_up(x);
  return x;
}

double library_down(double x) { return -library_up(-x); }

// The image of an increasing library function that is exact at `fixed_in` with value `fixed_out`.
template <double (*function)(double)>
Bracket increasing(const Bracket& x, double fixed_in, double fixed_out) {
  const double low = x.lower() == fixed_in ? fixed_out : library_down(function(x.lower()));
  const double high = x.upper() == fixed_in ? fixed_out : library_up(function(x.upper()));
  return {low, high};
}

double exp_double(double x) { return std::exp(x); }
double expm1_double(double x) { return std::expm1(x); }
double log_double(double x) { return std::log(x); }
double log1p_double(double x) { return std::log1p(x); }

}  // namespace

Bracket exp(const Bracket& x) {
  const Bracket y = increasing<exp_double>(x, 0.0, 1.0);
  // An overflowed lower end is finite but beyond the doubles; exp(-745.2) is already below the smallest one.
  const double low = x.lower() == kInfinity ? kInfinity : std::min(y.lower(), rounding::kMax);
  const double high = x.upper() == -kInfinity ? 0.0 : (x.upper() < -745.2 ? rounding::kSmallest : y.upper());
  return {std::max(low, 0.0), high};
}

Bracket expm1(const Bracket& x) {
  // x <= e^x - 1 <= x + x^2 near 0, tighter than any unit count among the subnormals.
  const auto is_tiny = [](double v) { return std::fabs(v) < 0x1p-54; };
  const Bracket y = increasing<expm1_double>(x, 0.0, 0.0);
  const double low = x.lower() == kInfinity ? kInfinity : std::min(y.lower(), rounding::kMax);
  return {is_tiny(x.lower()) ? x.lower() : std::max(low, -1.0),
          is_tiny(x.upper()) && x.upper() != 0.0 ? next_up(x.upper()) : y.upper()};
}

Bracket log(const Bracket& x) {
  ensure(x.lower() >= 0.0, "log: argument >= 0");
  const Bracket y = increasing<log_double>(x, 1.0, 0.0);
  return {x.lower() == 0.0 ? -kInfinity : y.lower(), x.upper() == 0.0 ? -kInfinity : y.upper()};
}

Bracket log1p(const Bracket& x) {
  ensure(x.lower() >= -1.0, "log1p: argument >= -1");
  const Bracket y = increasing<log1p_double>(x, 0.0, 0.0);
  return {x.lower() == -1.0 ? -kInfinity : y.lower(), x.upper() == -1.0 ? -kInfinity : y.upper()};
}

Bracket sqrt(const Bracket& x) {
  ensure(x.lower() >= 0.0, "sqrt: argument >= 0");
  const auto root = [](double v, bool up) {
    const double r = std::sqrt(v);
    if (!std::isfinite(r) || v == 0.0) return r;
    if (v >= rounding::kTrustedProduct && std::fma(r, r, -v) == 0.0) return r;
    return up ? next_up(r) : next_down(r);
  };
  return {root(x.lower(), false), root(x.upper(), true)};
}

Bracket expm1_minus(const Bracket& x) {
  const auto at = [](double v) {
    if (std::fabs(v) >= 0.5) return max(expm1(Bracket(v)) - v, Bracket(0.0));
    // x^2/2 (1 + x/3 (1 + x/4 (1 + ...))): the factor that is left out after 1 + x/18 is within 1 +- |x|/18.
    Bracket factor(1.0 - std::fabs(v) / 18.0, 1.0 + std::fabs(v) / 18.0);
    for (int k = 18; k >= 3; --k) factor = 1.0 + Bracket(v) / k * factor;
    return Bracket(v) * v / 2.0 * factor;
  };
  // Decreasing below 0, increasing above.
  const Bracket left = at(x.lower());
  const Bracket right = at(x.upper());
  return {x.contains(0.0) ? 0.0 : std::min(left.lower(), right.lower()), std::max(left.upper(), right.upper())};
}

Bracket decay_mean(const Bracket& z) {
  ensure(z.lower() >= 0.0, "decay_mean: argument >= 0");
  const auto at = [](double v) {
    if (v == 0.0) return Bracket(1.0);
    if (std::isinf(v)) return Bracket(0.0);
    // 1 - v/2 <= (1 - e^{-v})/v <= 1, where units in the last place of e^{-v} - 1 would be most of it.
    if (v < 0x1p-60) return Bracket(1.0 - 0x1p-53, 1.0);
    return clamp(-expm1(Bracket(-v)) / v, 0.0, 1.0);
  };
  return {at(z.upper()).lower(), at(z.lower()).upper()};
}

Bracket log_add_exp(const Bracket& x, const Bracket& y) {
  const auto at = [](double a, double b) {
    const double high = std::max(a, b);
    const double low = std::min(a, b);
    if (std::isinf(high) || low == -kInfinity) return Bracket(high);
    return high + log1p(exp(Bracket(low) - high));
  };
  return {at(x.lower(), y.lower()).lower(), at(x.upper(), y.upper()).upper()};
}

}  // namespace doeblin::numerics
