// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/mills.hpp"

#include "doeblin/numerics/elementary.hpp"
#include "numerics/mills_kernel.hpp"

namespace doeblin::numerics {
namespace {

// log Q(x) = log R(x) - x^2/2 - log(2 pi)/2 for x >= 0.
Bracket log_upper_tail(double x) {
  const Bracket half_log_two_pi(kernel::kHalfLogTwoPi, rounding::next_up(kernel::kHalfLogTwoPi));
  return log(mills_ratio(x)) - Bracket(x) * Bracket(x) / 2.0 - half_log_two_pi;
}

}  // namespace

Bracket mills_ratio(double x) {
  require(x >= 0.0, "x", x, "x >= 0");
  if (std::isinf(x)) return Bracket(0.0);
  // Past 1e8 the squared terms are below the rounding of 1/x, and x * x must not overflow.
  if (x > 1e8) return {rounding::div_down(1.0 - 0x1p-52, x), rounding::div_up(1.0, x)};
  const double value = kernel::mills_value(x);
  return {value * (1.0 - kernel::kValueError), value * (1.0 + kernel::kValueError)};
}

Bracket log_normal_tail(double x) {
  require(!std::isnan(x), "x", x, "a number");
  if (x == rounding::kInfinity) return Bracket(-rounding::kInfinity);
  if (x == -rounding::kInfinity) return Bracket(0.0);
  if (x >= 0.0) return log_upper_tail(x);
  // Q(x) = 1 - Q(-x), and Q(-x) <= 1/2.
  return log1p(-clamp(exp(log_upper_tail(-x)), 0.0, 0.5));
}

Bracket normal_tail(double x) { return clamp(exp(log_normal_tail(x)), 0.0, 1.0); }

}  // namespace doeblin::numerics
