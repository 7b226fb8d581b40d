// SPDX-License-Identifier: Apache-2.0
#include "training/norm_clip.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "doeblin/core/rounding.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/wide.hpp"

namespace doeblin::training {
namespace {

// Squares of numbers from here on are exact as a sum of two doubles.
constexpr double kLeastFactor = 0x1p-480;

// A computed sum of d squares is within this part of the exact one: every term passes d roundings at most, each within
// 2^-53, and (1 + 2^-53)^d - 1 <= d 2^-52 for d <= 2^52. Twice as much, and three more, cover the roundings of those
// who use it. Squares that underflow are off by 2^-1075 each; against norm^2 >= 1e-200 that is nothing.
double slack(std::size_t d) { return static_cast<double>(d + 3) * 0x1p-51; }

// A sum without rounding: parts that do not overlap, by increasing magnitude (Shewchuk's expansions).
class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (const double part : parts_) {
      const numerics::SumAndError both = numerics::two_sum(x, part);
      if (both.error != 0.0) parts_[kept++] = both.error;
      x = both.sum;
    }
    parts_.resize(kept);
    if (x != 0.0) parts_.push_back(x);
  }

  void add_product(double a, double b) {
    const double product = a * b;
    add(product);
    add(std::fma(a, b, -product));
  }

  // The largest part is larger than all others together.
  [[nodiscard]] bool is_positive() const { return !parts_.empty() && parts_.back() > 0.0; }

 private:
  std::vector<double> parts_;
};

bool is_exactly_within(std::span<const double> x, double norm) {
  ExactSum excess;
  excess.add_product(-norm, norm);
  for (const double value : x)
    if (value != 0.0) {
      // A number too small for that counts as larger than it is.
      const double factor = std::max(std::fabs(value), kLeastFactor);
      excess.add_product(factor, factor);
    }
  return !excess.is_positive();
}

bool is_within(std::span<const double> x, double norm) {
  double squares = 0.0;
  for (const double value : x) squares += value * value;
  const double part = slack(x.size());
  if (squares <= norm * norm * (1.0 - part)) return true;
  // An overflow is far outside, whatever its rounding.
  if (squares >= norm * norm * (1.0 + part)) return false;
  return is_exactly_within(x, norm);
}

// With z = x / scale and length >= |z| the answer y has |y_j| <= (norm / length) |z_j|, so |y| <= norm |z| / length.
// Products are rounded to nearest, to at most 1 + 2^-53 times as much (they are above 2^-1000, so none is subnormal);
// the factor is smaller than that by 2^-51 or more.
void scale_down(std::span<double> x, double norm) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::fabs(value));
  // A power of two, so that no square overflows and z is exact.
  const double inverse_scale = std::ldexp(1.0, -std::ilogb(largest));
  double squares = 0.0;
  for (double& value : x) {
    value *= inverse_scale;
    // What is so much smaller than the largest may not be exact; without it the norm is no larger.
    if (std::fabs(value) < kLeastFactor) value = 0.0;
    squares += value * value;
  }
  const double squares_upper = rounding::mul_up(squares, 1.0 + slack(x.size()));
  const double length = numerics::sqrt(Bracket(squares_upper)).upper();
  const double factor = rounding::mul_down(rounding::div_down(norm, length), 1.0 - 0x1p-51);
  for (double& value : x) value *= factor;
}

}  // namespace

void clip_to_norm(std::span<double> x, double norm) {
  if (!is_within(x, norm)) scale_down(x, norm);
}

}  // namespace doeblin::training
