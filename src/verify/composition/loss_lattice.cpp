// SPDX-License-Identifier: Apache-2.0
#include "verify/composition/loss_lattice.hpp"

#include <algorithm>
#include <cmath>

#include <fmpz_poly.h>

#include "verify/composition/loss_atoms.hpp"

namespace doeblin::verify {
namespace {

using Side = LossSum::Side;

constexpr double kMostPoints = 3e6;
// Less where much effort has been in vain; the points of one release are divergences.
constexpr double kMostPointsInVain = 2e6;
constexpr double kMostDivergencesInVain = 2e5;
constexpr double kMostCostlyDivergencesInVain = 4e3;
constexpr int kMuchEffort = 4;
// What may be lost by cutting off the ends, relative to the smallest delta asked for.
constexpr double kNegligible = 1e-8;
// The grid is chosen so that it moves epsilon by about this.
constexpr double kMovedEpsilon = 2e-4;

// Doubles, for choosing grids and windows.
struct Shape {
  std::vector<std::pair<double, double>> losses;  ///< loss and probability
  double mean = 0.0;
  double variance = 0.0;
};

Shape shape_of(const Atoms& atoms) {
  Shape shape;
  double total = 0.0;
  for (std::size_t i = 0; i < atoms.masses.size(); ++i) {
    const double x = static_cast<double>(atoms.first + static_cast<long>(i)) * atoms.step;
    const double p = atoms.masses[i].middle();
    if (!(p > 0.0)) continue;
    shape.losses.emplace_back(x, p);
    total += p;
    shape.mean += p * x;
  }
  shape.mean /= std::max(total, 1e-300);
  for (const auto& [x, p] : shape.losses) shape.variance += p * (x - shape.mean) * (x - shape.mean);
  return shape;
}

// log E[e^{s L}]
double cumulant(const Shape& shape, double s) {
  double largest = -HUGE_VAL;
  for (const auto& [x, p] : shape.losses) largest = std::max(largest, s * x + std::log(p));
  double sum = 0.0;
  for (const auto& [x, p] : shape.losses) sum += std::exp(s * x + std::log(p) - largest);
  return largest + std::log(sum);
}

struct Window {
  double low, high;
};

// Outside of it the sum has less probability than `tiny`, by Chernoff's bound, and so has every sum of some of them:
// the cumulant of a part of them is at most the larger of 0 and that of all.
Window window_of(const std::vector<Shape>& shapes, const std::vector<LatticePart>& parts, double tiny) {
  const double cost = -std::log(tiny);
  Window window{-HUGE_VAL, HUGE_VAL};
  for (double s = 0.01; s < 2000.0; s *= 1.25) {
    double up = 0.0;
    double down = 0.0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      up += static_cast<double>(parts[i].count) * cumulant(shapes[i], s);
      down += static_cast<double>(parts[i].count) * cumulant(shapes[i], -s);
    }
    window.high = std::min(window.high, (std::max(up, 0.0) + cost) / s);
    window.low = std::max(window.low, -(std::max(down, 0.0) + cost) / s);
  }
  return window;
}

/// Whole multiples of 2^-bits at k = first, first + 1, ..., and beyond.
class Distribution {
 public:
  Distribution() { fmpz_poly_init(poly_); }
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;
  ~Distribution() { fmpz_poly_clear(poly_); }

  long first = 0;
  /// In the same units; only from above.
  Ball infinite = Ball(0);

  fmpz_poly_struct* poly() { return poly_; }
  [[nodiscard]] const fmpz_poly_struct* poly() const { return poly_; }

 private:
  fmpz_poly_t poly_;
};

struct Grid {
  double step;
  long low, high;  ///< indices of the window
  long bits;
  Side side;
};

void set_rounded(fmpz_t whole, const Ball& mass, const Grid& grid) {
  Ball scaled = mass;
  arb_mul_2exp_si(scaled.get(), scaled.get(), grid.bits);
  arf_t end;
  arf_init(end);
  if (grid.side == Side::kUpper) {
    arb_get_ubound_arf(end, scaled.get(), precision());
    arf_get_fmpz(whole, end, ARF_RND_CEIL);
  } else {
    arb_get_lbound_arf(end, scaled.get(), precision());
    arf_get_fmpz(whole, end, ARF_RND_FLOOR);
    if (fmpz_sgn(whole) < 0) fmpz_zero(whole);
  }
  arf_clear(end);
}

Ball as_ball(const fmpz_t whole, long bits) {
  Ball value;
  arb_set_fmpz(value.get(), whole);
  arb_mul_2exp_si(value.get(), value.get(), -bits);
  return value;
}

// What lies outside of the window goes to its lower end or to infinity, or for a lower bound away or to its upper end.
void clip(Distribution& distribution, const Grid& grid) {
  fmpz_poly_struct* poly = distribution.poly();
  const long length = fmpz_poly_length(poly);
  const long cut_low = std::clamp(grid.low - distribution.first, 0L, length);
  const long cut_high = std::clamp(grid.high - distribution.first + 1, 0L, length);
  fmpz_t outside;
  fmpz_init(outside);
  for (long i = std::max(cut_high, 0L); i < length; ++i) fmpz_add(outside, outside, poly->coeffs + i);
  if (grid.side == Side::kUpper)
    distribution.infinite = distribution.infinite + as_ball(outside, grid.bits);
  else if (cut_high > 0)
    fmpz_add(poly->coeffs + cut_high - 1, poly->coeffs + cut_high - 1, outside);
  fmpz_poly_truncate(poly, cut_high);
  if (cut_low > 0) {
    fmpz_zero(outside);
    const long kept = fmpz_poly_length(poly);
    for (long i = 0; i < std::min(cut_low, kept); ++i) fmpz_add(outside, outside, poly->coeffs + i);
    fmpz_poly_shift_right(poly, poly, cut_low);
    distribution.first += cut_low;
    if (grid.side == Side::kUpper) {
      fmpz_t sum;
      fmpz_init(sum);
      fmpz_poly_get_coeff_fmpz(sum, poly, 0);
      fmpz_add(sum, sum, outside);
      fmpz_poly_set_coeff_fmpz(poly, 0, sum);
      fmpz_clear(sum);
    }
  }
  fmpz_clear(outside);
}

Ball finite_mass(const Distribution& distribution, long bits) {
  fmpz_t sum;
  fmpz_init(sum);
  for (long i = 0; i < fmpz_poly_length(distribution.poly()); ++i) fmpz_add(sum, sum, distribution.poly()->coeffs + i);
  Ball mass = as_ball(sum, bits);
  fmpz_clear(sum);
  return mass;
}

void multiply(Distribution& result, const Distribution& x, const Distribution& y, const Grid& grid) {
  // Infinite if one of them is; rounded up, the finite ones may have a little more than what is left of 1.
  const Ball infinite = x.infinite * (finite_mass(y, grid.bits) + y.infinite) + finite_mass(x, grid.bits) * y.infinite;
  const long first = x.first + y.first;
  if (&x == &y)
    fmpz_poly_sqr(result.poly(), x.poly());
  else
    fmpz_poly_mul(result.poly(), x.poly(), y.poly());
  fmpz_poly_struct* poly = result.poly();
  for (long i = 0; i < fmpz_poly_length(poly); ++i) {
    if (grid.side == Side::kUpper)
      fmpz_cdiv_q_2exp(poly->coeffs + i, poly->coeffs + i, static_cast<unsigned long>(grid.bits));
    else
      fmpz_fdiv_q_2exp(poly->coeffs + i, poly->coeffs + i, static_cast<unsigned long>(grid.bits));
  }
  _fmpz_poly_normalise(poly);
  result.first = first;
  result.infinite = infinite;
  clip(result, grid);
}

void set_atoms(Distribution& distribution, const Atoms& atoms, const Grid& grid) {
  distribution.first = atoms.first;
  distribution.infinite = grid.side == Side::kUpper ? atoms.infinite : Ball(0);
  fmpz_poly_fit_length(distribution.poly(), static_cast<long>(atoms.masses.size()));
  fmpz_t whole;
  fmpz_init(whole);
  for (std::size_t i = 0; i < atoms.masses.size(); ++i) {
    set_rounded(whole, atoms.masses[i], grid);
    fmpz_poly_set_coeff_fmpz(distribution.poly(), static_cast<long>(i), whole);
  }
  fmpz_clear(whole);
  clip(distribution, grid);
}

void assign(Distribution& to, Distribution& from) {
  fmpz_poly_swap(to.poly(), from.poly());
  to.first = from.first;
  to.infinite = from.infinite;
}

// total <- total * atoms^count
void multiply_power(Distribution& total, bool& is_empty, const Atoms& atoms, unsigned long count, const Grid& grid) {
  Distribution power;
  Distribution next;
  set_atoms(power, atoms, grid);
  for (unsigned long rest = count; rest > 0; rest >>= 1U) {
    if ((rest & 1U) != 0) {
      if (is_empty) {
        fmpz_poly_set(total.poly(), power.poly());
        total.first = power.first;
        total.infinite = power.infinite;
        is_empty = false;
      } else {
        multiply(next, total, power, grid);
        assign(total, next);
      }
    }
    if (rest > 1) {
      multiply(next, power, power, grid);
      assign(power, next);
    }
  }
}

double total_count(const std::vector<LatticePart>& parts) {
  double total = 0.0;
  for (const LatticePart& part : parts) total += static_cast<double>(part.count);
  return total;
}

// A little more than the largest loss of all parts together, if every part has one.
double largest_sum(const std::vector<LatticePart>& parts) {
  double sum = 0.0;
  for (const LatticePart& part : parts)
    sum += part.largest_loss ? static_cast<double>(part.count) * part.largest_loss->upper() : HUGE_VAL;
  return sum * (1.0 + 1e-12);
}

bool has_room(double points, double divergences, const LatticeQuestion& question) {
  if (question.effort <= kMuchEffort) return points <= kMostPoints && divergences <= kMostPoints;
  return points <= kMostPointsInVain &&
         divergences <= (question.is_costly ? kMostCostlyDivergencesInVain : kMostDivergencesInVain);
}

}  // namespace

struct LossSum::Sum {
  Distribution distribution = {};
  Grid grid = {};
  Ball below = Ball(0);
};

LossSum::LossSum(LossSum&&) noexcept = default;
LossSum::~LossSum() = default;

LossSum::LossSum(const std::vector<LatticePart>& parts, const LatticeQuestion& question, Side side) {
  const double count = total_count(parts);
  const double tiny = std::max(question.least_delta * kNegligible, 1e-290);
  const double bits = std::ceil(-std::log2(tiny) + 2.0 * std::log2(count + 2.0) + 40.0);
  // Kinks of the profile are differences of differences.
  const WithPrecision enough(static_cast<long>(bits) + 128);
  std::vector<Reach> reaches;
  std::vector<Shape> shapes;
  double variance = 0.0;
  double widest = 1.0 / 64.0;
  for (const LatticePart& part : parts) {
    reaches.push_back(reach_of(part, tiny / count));
    const double range = std::max(reaches.back().high - reaches.back().low, 1.0 / 64.0);
    shapes.push_back(shape_of(upper_atoms(part, reaches.back(), range / 400.0)));
    variance += static_cast<double>(part.count) * shapes.back().variance;
    widest = std::max(widest, range);
  }
  const Window window = window_of(shapes, parts, tiny);
  // Splitting a cell adds about h^2/6 to the variance of a loss, and epsilon moves by z/(2 S) of that, where z is how
  // many standard deviations S it is away.
  const double spread = std::sqrt(std::max(variance, 1e-12));
  const double away = std::sqrt(-2.0 * std::log(question.least_delta)) + 1.0;
  double step = std::sqrt(12.0 * kMovedEpsilon * spread / (count * away));
  step = std::min(step, widest / 200.0) * std::exp2(-question.effort * (question.is_costly ? 0.5 : 1.0));
  // Much of a bounded loss sits at its ends: they had better be grid points.
  for (const LatticePart& part : parts)
    if (part.largest_loss && part.largest_loss->middle() > 0.0) {
      step = part.largest_loss->middle() / std::ceil(part.largest_loss->middle() / step);
      break;
    }
  const double high = std::min(std::max(window.high, question.largest_epsilon + 1.0), largest_sum(parts) + step);
  const double low = std::min(window.low, 0.0);
  if (!has_room((high - low) / step, widest / step, question))
    throw CannotCheck("a composition that needs millions of grid points");
  sum_ = std::make_unique<Sum>();
  sum_->grid = {step, static_cast<long>(std::floor(low / step)), static_cast<long>(std::ceil(high / step)),
                static_cast<long>(bits), side};
  bool is_empty = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Atoms atoms =
        side == Side::kUpper ? upper_atoms(parts[i], reaches[i], step) : lower_atoms(parts[i], reaches[i], step);
    multiply_power(sum_->distribution, is_empty, atoms, parts[i].count, sum_->grid);
    sum_->below = sum_->below + atoms.below * Ball(static_cast<double>(parts[i].count));
  }
}

Ball LossSum::delta(const Ball& epsilon) const {
  const Grid& grid = sum_->grid;
  const fmpz_poly_struct* poly = sum_->distribution.poly();
  const long bits = grid.bits;
  const WithPrecision enough(bits + 64);
  Ball total = sum_->distribution.infinite;
  const Ball level = epsilon + sum_->below;
  const Ball step(grid.step);
  const Ball ratio = exp(-step);
  // e^{eps - x} from one grid point to the next.
  long i = std::max(0L, static_cast<long>(std::floor(level.lower() / grid.step)) - sum_->distribution.first - 1);
  Ball factor = exp(level - Ball(static_cast<double>(sum_->distribution.first + i)) * step);
  for (; i < fmpz_poly_length(poly); ++i) {
    total = total + as_ball(poly->coeffs + i, bits) * positive_part(Ball(1) - factor);
    factor = factor * ratio;
  }
  return min(total, Ball(1));
}

}  // namespace doeblin::verify
