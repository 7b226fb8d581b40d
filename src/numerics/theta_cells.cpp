// SPDX-License-Identifier: Apache-2.0
// On a cell centred at a = c of half width h (in a), y = (a - c)/h:
//
//   theta(c + h y) = phi(c) sum_n t_n y^n,   t_0 = R(c) - R(c + r) = G,   t_{n+1} = -r h q_n / (n + 1),
//   phi(c) sum_n q_n y^n = phi(a) R(a + r),  q_0 = R(c + r),              q_{n+1} = (r h q_n - h p_n)/(n + 1),
//   phi(c) sum_n p_n y^n = phi(a),           p_0 = 1,                     p_{n+1} = -(c h p_n + h^2 p_{n-1})/(n + 1),
//
// because d theta/da = -r e^epsilon Q(b) = -r phi(a) R(b) and d/da (phi(a) R(b)) = r phi(a) R(b) - phi(a). The terms
// up to t_15 are kept, and the last four replaced by their best approximations of lower degree.
//
// Three bounds, with I_k(x) = int_0^inf t^k e^{-xt - t^2/2} dt, theta = phi(a) int (1 - e^{-rt}) e^{-at - t^2/2} dt,
// and (1 - e^{-rt})/t decreasing (so that the mean of t under that weight is at most I_2(a)/I_1(a)):
//   (1) -d log theta/da <= a + I_2(a)/I_1(a) = I_0(a)/I_1(a), which increases with a (Cauchy-Schwarz) and is at most
//       max(a, 0) + 1.2534, as I_2/I_1 decreases and is sqrt(pi/2) at 0. Hence theta(c)/theta <= lambda in the cell.
//   (2) Majorants: |p_n| is at most the coefficient of P(y) = e^{|c| h y + h^2 y^2/2}, |q_n| that of the solution of
//       Q' = r h Q + h P, which is at most e^{rh} (R(b) + h P(1)) at 1, and t_n, n > 0, that of T with T' = r h Q. So
//       T(1) <= T'(1) <= r h e^{rh} (R(b) + h P(1)) = rho G.
//   (3) Cauchy: |t_n| <= s^-n G e^{|c| s h + (sh)^2/2} G(c - s h)/G, the last factor at most
//       e^{sh (1.2534 + max(0, sh - c))} by the same mean. With s = 25.6, h <= 1/32 and h (|c| + 1.2534) <= 0.63 the
//       terms from t_16 on are below 1.05 e^{17.1} 25.6^-16 G < 8 u G; likewise for c < 0, where |c| < 8.6.
#include "numerics/theta_cells.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "doeblin/core/rounding.hpp"
#include "numerics/theta_crossing.hpp"

namespace doeblin::numerics::kernel {
namespace {

constexpr int kTaylorDegree = 15;
constexpr double kWidestHalf = 1.0 / 32.0;
constexpr double kLargestR = 64.0;
constexpr double kSmallestR = 0x1p-500;
// Q(38.5) < 2^-1075.
constexpr double kTail = 38.5;
// 1 - theta = phi(a) (R(-a) + R(b)) <= 2 Q(8.5) < u/2.
constexpr double kOne = 8.5;
// Doubles in 32 bytes.
constexpr std::size_t kAlignment = 4;
// theta times this is normal wherever theta matters.
constexpr double kHalfScale = 0x1p500;

using Series = std::array<double, kTaylorDegree + 1>;

// Of the Chebyshev polynomial T_n, over its leading coefficient 2^{n-1}: exact.
constexpr Series monic_chebyshev(int n) {
  Series before{1.0};
  Series now{0.0, 1.0};
  for (int k = 1; k < n; ++k) {
    Series next{};
    for (std::size_t j = 0; j <= kTaylorDegree; ++j)
      next[j] = (j > 0 ? now[j - 1] : 0.0) - before[j] / (k == 1 ? 2 : 4);
    before = now;
    now = next;
  }
  return now;
}

constexpr std::array kMonicChebyshev = {monic_chebyshev(12), monic_chebyshev(13), monic_chebyshev(14),
                                        monic_chebyshev(15)};

// 1/n, rounded.
constexpr Series kInverse = [] {
  Series inverse{};
  for (std::size_t n = 1; n <= kTaylorDegree; ++n) inverse[n] = 1.0 / static_cast<double>(n);
  return inverse;
}();

// t_1, t_2, ...; t_0 is left alone. Each step costs at most 9 u of the majorant: c h carries 4 u and h^2 5 u, the
// operations and 1/n the rest. With q_0 known to 4 u, t_n is off by at most (9n - 2) u of its majorant.
void later_terms(double c, double half_width, double h, double q, Series& t) {
  const double ch = c * h;
  const double hh = h * h;
  double p = 1.0;
  double p_before = 0.0;
  for (std::size_t n = 1; n <= kTaylorDegree; ++n) {
    t[n] = -(half_width * q) * kInverse[n];
    q = (half_width * q - h * p) * kInverse[n];
    const double p_next = -(ch * p + hh * p_before) * kInverse[n];
    p_before = p;
    p = p_next;
  }
}

// Subtracts the multiple of T_n that removes the term of degree n, which changes the sum on [-1, 1] by |t_n| 2^{1-n};
// returns an upper bound on all changes.
double economize_upper(Series& t) {
  double change = 0.0;
  for (std::size_t n = kTaylorDegree; n >= kCellCoefficients; --n) {
    const auto& chebyshev = kMonicChebyshev[n - kCellCoefficients];
    for (std::size_t j = n % 2; j < n; j += 2) t[j] -= t[n] * chebyshev[j];
    change += std::fabs(t[n]) / static_cast<double>(1 << (n - 1));
  }
  return change;
}

struct LeadingTerm {
  double gap;
  double relative_error;
  /// What the density's error adds to the later terms, when it does not change all terms alike.
  double density_error;
};

// G, when 2^1000 phi(a) = density.
LeadingTerm leading_term(const Crossing& x, double r, double mills_b, double density) {
  const MillsGap gap = mills_gap(x, r);
  if (gap.value >= 0.0) {
    // R(a) + R(b) = G + 2 R(b) bounds the cancellation in R(a) - R(b); a close pair costs 20 u.
    const double refined = kValueError * (1.0 + 2.0 * mills_b / gap.value) + kUnit;
    return {gap.value, std::min(gap.relative_error, rounding::larger(20 * kUnit, refined)), 0.0};
  }
  const double phi = density / kHalfScale / kHalfScale;
  // theta = 1 - phi(a) (R(-a) + R(b)), two positive terms, 16 u in all; dividing by phi, which multiplies again, 2 u.
  const double outside = phi * (mills_value(-x.a, -x.a_low) + mills_b);
  return {(1.0 - outside) / phi, (16 * outside + 1) * kUnit / (1.0 - outside) + 2 * kUnit, 12 * kUnit};
}

// What all cells of a table share.
struct CellShape {
  CellShape(double width, double r)
      : half_width(width / 2.0),
        h(half_width / r),
        growth(std::exp(half_width)),
        lambda_factor(std::exp(h * (1.2534 + h))) {}

  double half_width, h;
  /// e^{rh} of (2).
  double growth;
  /// lambda / P(1), from (1): c + h <= |c| + h.
  double lambda_factor;
};

// Writes the coefficients of one cell and returns an upper bound on the relative error of the value that a kernel
// computes with them.
double fill_cell_upper(double centre, const Wide& r, const CellShape& shape, double* coefficient) {
  const Crossing x = crossing(centre, r);
  const auto [root, correction] = half_density(x);
  // 12 u, as in the scalar theta; common to all coefficients.
  const double density = kInverseSqrtTwoPi * correction * (root * kHalfScale) * (root * kHalfScale);
  const double mills_b = mills_value(x.b, x.b_low);
  const LeadingTerm leading = leading_term(x, r.hi, mills_b, density);
  Series t{leading.gap};
  later_terms(x.a, shape.half_width, shape.h, mills_b, t);
  const double truncation = economize_upper(t) / leading.gap;
  for (std::size_t j = 0; j < kCellCoefficients; ++j) coefficient[j] = density * t[j];

  const double majorant = std::exp(shape.h * (std::fabs(x.a) + shape.h / 2.0));
  const double rho = shape.half_width * shape.growth * (mills_b + shape.h * majorant) / leading.gap;
  // Of theta(c): t_0 with 2 u for economizing and 1 u for the density; later coefficients (9n - 2 + 3) u <= 10n u, or
  // 10 u rho in all (sum n |t_n| <= T'(1)). Evaluation: term n is off by (n + 2) u, 2 u + 3 u rho; y is known to 3 u,
  // 3 u rho. 8 u for (3).
  const double of_centre =
      leading.relative_error + truncation + 13 * kUnit + (16 * kUnit + leading.density_error) * rho;
  // Of theta: 12 u for the density, 1 u for the error of r, d log theta/dr = 1/G <= (b + 1.3)^2/r, and 3 u for the
  // last multiplications. The factor covers products of errors, |y| <= 1 + 2^-38 and the rounding of this bound.
  return 1.01 * (majorant * shape.lambda_factor * of_centre + 16 * kUnit);
}

}  // namespace

bool cells_serve(const Wide& r) { return is_fine(r) && r.hi >= kSmallestR && r.hi <= kLargestR; }

CellPlan plan_cells(double least, double greatest, const Wide& r) {
  // (3) needs the first two; e^{rh} <= e the third.
  const double a_greatest = std::clamp(greatest / r.hi - r.hi / 2.0, 0.0, kTail);
  const double h = std::min({kWidestHalf, 0.62 / (a_greatest + 1.4), 1.0 / r.hi});
  CellPlan plan{};
  constexpr std::uint64_t kLeadingBits = ~((std::uint64_t{1} << 45) - 1);
  plan.width = std::bit_cast<double>(std::bit_cast<std::uint64_t>(2.0 * h * r.hi) & kLeadingBits);
  plan.inverse_width = 1.0 / plan.width;
  const auto position = [&](double a) { return (a + r.hi / 2.0) * r.hi * plan.inverse_width; };
  // A cell more than needed, for the roundings here and in the kernel.
  plan.one = std::floor(position(-kOne)) - 1.0;
  plan.tail = std::ceil(position(kTail)) + 1.0;
  const auto cell = [&](double epsilon) {
    return std::clamp(std::nearbyint(epsilon * plan.inverse_width), plan.one, plan.tail);
  };
  plan.first = cell(least);
  plan.count = static_cast<std::size_t>(cell(greatest) - plan.first) + 1;
  plan.least = std::clamp(least, plan.one * plan.width, plan.tail * plan.width);
  plan.greatest = std::clamp(greatest, plan.one * plan.width, plan.tail * plan.width);
  return plan;
}

CellTable::CellTable(const CellPlan& plan, const Wide& r) : coefficients_(plan.count * kCellCoefficients + kAlignment) {
  const auto address = reinterpret_cast<std::uintptr_t>(coefficients_.data()) / sizeof(double);
  double* const rows = coefficients_.data() + (kAlignment - address % kAlignment);
  const CellShape shape(plan.width, r.hi);
  double error = 4 * kUnit;
  double tiny_from = rounding::kInfinity;
  for (std::size_t i = 0; i < plan.count; ++i) {
    double* const coefficient = rows + i * kCellCoefficients;
    const double k = plan.first + static_cast<double>(i);
    if (k == plan.one) {
      coefficient[0] = kHalfScale * kHalfScale;
    } else if (k == plan.tail) {
      // Below the smallest double, which is 2^-74 on this scale.
      coefficient[0] = 0x1p-100;
    } else {
      error = rounding::larger(error, fill_cell_upper(k * plan.width, r, shape, coefficient));
    }
    // theta(c)/theta < 2 in a cell; half a cell more than needed, for the roundings.
    if (coefficient[0] < 4.0 * kTinyValue) tiny_from = std::min(tiny_from, (k - 1.0) * plan.width);
  }
  cells_ = {rows,        plan.first,  plan.least, plan.greatest, plan.width, plan.inverse_width,
            1.0 - error, 1.0 + error, tiny_from};
}

}  // namespace doeblin::numerics::kernel
