// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/tilted_lattice.hpp"

#include <algorithm>
#include <cmath>

#include "composition/geometric.hpp"
#include "doeblin/core/rounding.hpp"
#include "doeblin/numerics/fft.hpp"

namespace doeblin {
namespace {

using rounding::kUnit;
using Complex = std::complex<double>;

// Smaller masses are replaced by this (upper) or by nothing (lower), which keeps subnormal numbers out of the
// transform.
constexpr double kNegligible = 1e-200;

// A loss of 0 in all but this share of many releases is kept out of the transform.
constexpr double kRareShare = 0.25;
constexpr double kManyReleases = 64.0;

// Raises z to the power n; every one of the n - 1 products errs by sqrt(5) units. Nothing is promised where it
// overflows.
Complex power(Complex z, double n) {
  auto left = static_cast<std::uint64_t>(n);
  double re = 1.0, im = 0.0, base_re = z.real(), base_im = z.imag();
  while (true) {
    if (left & 1) {
      const double next = re * base_re - im * base_im;
      im = re * base_im + im * base_re;
      re = next;
    }
    left >>= 1;
    if (left == 0) return {re, im};
    const double next = base_re * base_re - base_im * base_im;
    base_im = 2.0 * base_re * base_im;
    base_re = next;
  }
}

// An upper bound on the sum of the masses; the last two products err by a unit each.
double total(const TiltedLattice& lattice) {
  double sum = 0.0;
  for (const double mass : lattice.mass) sum += mass;
  return sum * (1.0 + kUnit * (static_cast<double>(lattice.mass.size()) + 4.0));
}

// An upper bound on log sum_k mass_k e^{rate k}, k counted from the lattice's first point.
double log_moment(const TiltedLattice& lattice, double rate) {
  const double peak = log_peak(lattice.mass, rate);
  if (std::isinf(peak)) return peak;
  Geometric weight(rate, -peak);
  double sum = 0.0;
  for (const double mass : lattice.mass) {
    const double w = weight.next();
    if (mass > 0.0) sum += mass * w;
  }
  // The largest term is about 1: what underflow may lose disappears in the margin.
  const double largest = std::fabs(rate) * static_cast<double>(lattice.mass.size());
  return std::log(sum) + peak + 1e-12 +
         8.0 * kUnit * (std::fabs(peak) + largest + static_cast<double>(lattice.mass.size()));
}

struct Moments {
  double mean;  // in grid points
  double variance;
};

Moments moments(const std::vector<LatticePart>& parts) {
  Moments sum{0.0, 0.0};
  for (const auto& [lattice, count] : parts) {
    double mass = 0.0, first = 0.0, second = 0.0;
    for (std::size_t k = 0; k < lattice->mass.size(); ++k) {
      const auto x = static_cast<double>(k);
      mass += lattice->mass[k];
      first += lattice->mass[k] * x;
      second += lattice->mass[k] * x * x;
    }
    if (mass <= 0.0) continue;
    const double mean = first / mass;
    sum.mean += count * (mean + static_cast<double>(lattice->first));
    sum.variance += count * std::max(0.0, second / mass - mean * mean);
  }
  return sum;
}

// The point beyond which, in the direction of `sign`, at most `outside` lies.
double chernoff_end(const std::vector<LatticePart>& parts, const Moments& law, double outside, double sign) {
  const double log_outside = std::log(outside);
  const double natural = std::sqrt(-2.0 * log_outside / std::max(law.variance, 1e-12));
  double best = rounding::kInfinity;
  for (const double scale : {0.0625, 0.125, 0.25, 0.5, 0.7, 0.85, 1.0, 1.3, 2.0, 4.0}) {
    const double rate = sign * std::min(natural * scale, 600.0);
    double exponent = -log_outside;
    for (const auto& [lattice, count] : parts) {
      const double start = rate * static_cast<double>(lattice->first);
      const double term = count * (log_moment(*lattice, rate) + start);
      // The sums err by units of what they add up, however much of that cancels.
      exponent += term + 8.0 * kUnit * (std::fabs(count * start) + std::fabs(term) + std::fabs(exponent));
    }
    best = std::min(best, exponent / std::fabs(rate));
  }
  return sign * (std::ceil(best + 1e-12 * std::fabs(best)) + 1.0);
}

// Spectra multiplied together, with a bound on the error of every value.
class Product {
 public:
  explicit Product(const numerics::RealFft& fft)
      : fft_(fft), values_(fft.size() / 2 + 1, Complex(1.0, 0.0)), errors_(values_.size(), 0.0) {}

  void multiply(const TiltedLattice& lattice, double count) {
    const auto size = static_cast<std::int64_t>(fft_.size());
    folded_.assign(fft_.size(), 0.0);
    double square = 0.0;
    std::int64_t slot = ((lattice.first % size) + size) % size;
    for (const double mass : lattice.mass) {
      folded_[static_cast<std::size_t>(slot)] += mass;
      if (++slot == size) slot = 0;
    }
    // Most mass at 0: only the rest is transformed, and with it goes most of the error.
    const double at_zero = folded_[0];
    double rest = 0.0;
    for (std::size_t k = 1; k < folded_.size(); ++k) rest += folded_[k];
    const bool is_rare = count >= kManyReleases && rest < kRareShare * at_zero;
    if (is_rare) folded_[0] = 0.0;
    for (const double mass : folded_) square += mass * mass;
    fft_.forward(folded_, spectrum_);
    // The largest error of one value is at most the norm of all errors, sqrt(size) times that of the masses. Folding
    // adds entries up, each within its number of terms in units.
    const double folds = std::ceil(static_cast<double>(lattice.mass.size()) / static_cast<double>(size)) - 1.0;
    const double error = 1.01 * (fft_.relative_error() + folds * kUnit) * std::sqrt(square * static_cast<double>(size));
    if (is_rare) return multiply_rare(at_zero, count, error, folds * kUnit * at_zero);
    // With z the computed value and s its size, known to 3 units: z^n computed is off by at most `rounding` s^n, and
    // s^n is at most `drift` times the size of z^n computed, or of the power of s computed.
    const double rounding = std::expm1(2.3 * kUnit * count);
    const double drift = std::exp(3.0 * kUnit * count) * (1.0 + 1e-12);
    // s^n below e^-480 is nothing, even times that factor.
    const double nothing = std::exp(-480.0 / count);
    for (std::size_t w = 0; w < values_.size(); ++w) {
      const double old_size = std::sqrt(std::norm(values_[w]));
      const double size_here = std::sqrt(std::norm(spectrum_[w]));
      const double most = size_here + error;
      if (most < nothing) {
        values_[w] = 0.0;
        errors_[w] = kNegligible * (1.0 + old_size + errors_[w]);
        continue;
      }
      const Complex raised = power(spectrum_[w], count);
      const double raised_size = std::sqrt(std::norm(raised));
      // The exact value is within e of z: (s + e)^n - s^n = s^n ((1 + e/s)^n - 1).
      const double above = raised_size > kNegligible
                               ? std::expm1(count * std::log1p(error / size_here)) * (raised_size * drift)
                               : std::exp(count * std::log(most)) * drift;
      const double raised_error = (above + rounding * (raised_size * drift)) * (1.0 + 1e-9);
      multiply_value(w, raised, raised_error);
    }
  }

  // The masses on the cycle, and a bound on the error of each.
  double invert(std::vector<double>& masses) {
    const auto size = static_cast<double>(fft_.size());
    double square = 0.0;
    double error = 0.0;
    for (std::size_t w = 0; w < values_.size(); ++w) {
      // All but the two ends stand for themselves and their mirror image.
      const double times = w == 0 || w + 1 == values_.size() ? 1.0 : 2.0;
      square += times * std::norm(values_[w]);
      error += times * errors_[w];
    }
    fft_.inverse(values_, masses);
    // |e^t - 1| <= |t| e^|t|, and a mean of products is at most the product of the roots of mean squares.
    const double turned = std::exp(largest_turn_);
    return 1.001 * (turned * error / size + (turned * mean_turn_ + fft_.relative_error()) * std::sqrt(square / size)) +
           kNegligible;
  }

 private:
  void multiply_value(std::size_t w, const Complex& factor, double factor_error) {
    const Complex old = values_[w];
    const double old_size = std::sqrt(std::norm(old));
    const double factor_size = std::sqrt(std::norm(factor));
    errors_[w] = (factor_error * (old_size + errors_[w]) + errors_[w] * factor_size) * (1.0 + 1e-12) +
                 2.3 * kUnit * old_size * factor_size;
    values_[w] = {old.real() * factor.real() - old.imag() * factor.imag(),
                  old.real() * factor.imag() + old.imag() * factor.real()};
  }

  // (p + r)^n = p^n (1 + r/p)^n with r the spectrum of all that is not at 0, by logarithms. Errors grow with n |r|,
  // the number of rare losses, and not with n. `norm` bounds the norm of all errors of the spectrum, `everywhere` another
  // error of each value.
  void multiply_rare(double at_zero, double count, double norm, double everywhere) {
    // |p + r| >= 0.7 p, errors included: a value that is off by e moves its power by a factor of at most e^{n e/(0.7 p)}.
    const double rate = count / (0.7 * at_zero);
    largest_turn_ += rate * (norm + everywhere);
    mean_turn_ += rate * (norm / std::sqrt(static_cast<double>(fft_.size())) + everywhere);
    const double log_none = count * std::log(at_zero);
    for (std::size_t w = 0; w < values_.size(); ++w) {
      const double re = spectrum_[w].real() / at_zero;
      const double im = spectrum_[w].imag() / at_zero;
      // |1 + z|^2 = 1 + 2 Re z + |z|^2. For |z| <= 1/4 half of its log is known to 10 |z| units: 4 |Re z| + 5 |z|^2 from
      // its argument, over 1 + 2 Re z >= 1/2, and 3 |z| of its own. The angle is known to 6 |z|.
      const double square = re * re + im * im;
      const double log_size = log_none + count * (0.5 * std::log1p(2.0 * re + square));
      const double angle = count * std::atan2(im, 1.0 + re);
      const double size = std::exp(log_size);
      const double rounded = kUnit * (13.0 * count * std::sqrt(square) + 8.0 * std::fabs(log_none) + 16.0);
      multiply_value(w, {size * std::cos(angle), size * std::sin(angle)},
                     size * (std::expm1(rounded) * (1.0 + 1e-9)) + kNegligible);
    }
  }

  const numerics::RealFft& fft_;
  std::vector<Complex> values_;
  std::vector<double> errors_;
  std::vector<double> folded_;
  std::vector<Complex> spectrum_;
  // Of the values of rare parts, in addition: every value is off by a factor of at most e^largest_turn; the root of the
  // mean square of their logs is at most mean_turn.
  double largest_turn_ = 0.0;
  double mean_turn_ = 0.0;
};

// All losses are infinite (upper), or none counts (lower).
TiltedLattice unknown_like(const TiltedLattice& lattice, Side side) {
  return {.step = lattice.step,
          .first = lattice.first,
          .mass = {0.0},
          .tilt = lattice.tilt,
          .infinite = side == Side::kUpper ? 1.0 : 0.0};
}

}  // namespace

TiltedLattice tilted(const LossLattice& lattice, double tilt, Side side) {
  ensure(tilt >= 0.0 && !lattice.mass.empty(), "tilted: tilt >= 0, a lattice with points");
  const double rate = tilt * lattice.step;
  const auto last = static_cast<double>(lattice.mass.size() - 1);
  TiltedLattice result{.step = lattice.step,
                       .first = lattice.first,
                       .tilt = tilt,
                       .infinite = lattice.infinite,
                       .log_total = lattice.log_total,
                       .offset = lattice.offset};
  const double peak = log_peak(lattice.mass, rate);
  // No mass at all.
  if (std::isinf(peak)) return result.mass.assign(1, 0.0), result;
  Geometric weight(rate, -peak);
  result.mass.reserve(lattice.mass.size());
  double sum = 0.0;
  for (const double mass : lattice.mass) {
    result.mass.push_back(mass > 0.0 ? mass * weight.next() : (weight.next(), 0.0));
    sum += result.mass.back();
  }
  const double start = static_cast<double>(lattice.first) * rate;
  result.log_scale = std::log(sum) + (start + peak);
  // Weights err by Geometric's bound and by the rounding of the exponents, 4 units of the largest.
  const double exponents = std::fabs(start) + std::fabs(peak) + rate * last + std::fabs(result.log_scale) + 4.0;
  const double relative = Geometric::kRelativeError + 8.0 * kUnit * exponents;
  const double scale = (side == Side::kUpper ? 1.0 + relative : 1.0 - relative) / sum;
  for (double& mass : result.mass) {
    mass *= scale;
    if (mass < kNegligible) mass = side == Side::kUpper ? kNegligible : 0.0;
  }
  return result;
}

LossWindow window_of(const std::vector<LatticePart>& parts, double outside) {
  double least = 0.0, most = 0.0;
  for (const auto& [lattice, count] : parts) {
    const auto first = static_cast<double>(lattice->first);
    const double last = first + static_cast<double>(lattice->mass.size()) - 1.0;
    least = rounding::add_down(least, rounding::mul_down(count, first));
    most = rounding::add_up(most, rounding::mul_up(count, last));
  }
  for (const auto& [lattice, count] : parts)
    if (total(*lattice) == 0.0) return {};  // nothing is anywhere
  const Moments law = moments(parts);
  const double low = chernoff_end(parts, law, outside, -1.0);
  const double high = chernoff_end(parts, law, outside, 1.0);
  const double first = std::max(low, least);
  const double last = std::max(first, std::min(high, most));
  // Too far out for exact indices: a window that no transform can hold.
  constexpr double kFarthest = 0x1p50;
  if (!(std::fabs(first) < kFarthest && std::fabs(last) < kFarthest))
    return {.first = -(std::int64_t{1} << 50), .last = std::int64_t{1} << 50};
  return {.first = static_cast<std::int64_t>(first),
          .last = static_cast<std::int64_t>(last),
          .outside_below = low > least ? outside : 0.0,
          .outside_above = high < most ? outside : 0.0};
}

TiltedLattice convolved(const std::vector<LatticePart>& parts, const LossWindow& window, Side side) {
  ensure(!parts.empty() && window.points() <= 0x1p26, "convolved: parts, and a window of at most 2^26 points");
  const auto points = static_cast<std::size_t>(window.points());
  const auto fft = numerics::RealFft::of_size(numerics::RealFft::good_size(points));
  Product product(*fft);
  TiltedLattice result{.step = parts[0].lattice->step, .first = window.first, .tilt = parts[0].lattice->tilt};
  const double sign = side == Side::kUpper ? 1.0 : -1.0;
  double log_kept = 0.0;    // log of the product of total masses
  double log_stray = 0.0;   // log of the factor that strays add to it
  double log_finite = 0.0;  // log of the probability that no loss is infinite
  double scale_error = 0.0;
  for (const auto& [lattice, count] : parts) {
    product.multiply(*lattice, count);
    const double sum = total(*lattice);
    if (sum > 0.0) {
      log_kept += count * std::log(sum);
      log_stray += count * std::log1p(lattice->stray / sum);
    }
    log_finite += count * std::log1p(-std::min(lattice->infinite, 1.0));
    result.log_total = rounding::add_up(result.log_total, rounding::mul_up(count, lattice->log_total));
    result.offset = side == Side::kUpper
                        ? rounding::add_up(result.offset, rounding::mul_up(count, lattice->offset))
                        : rounding::add_down(result.offset, rounding::mul_down(count, lattice->offset));
    const double scale = count * lattice->log_scale;
    result.log_scale += scale;
    scale_error += 2.0 * kUnit * (std::fabs(scale) + std::fabs(result.log_scale));
  }
  result.log_scale += sign * scale_error;
  // With finite and infinite masses F and I it is (F + I)^n - F^n <= (F + I)^n (1 - (1 - I)^n) if F + I >= 1, and at
  // most the last factor otherwise.
  const double excess = side == Side::kUpper ? std::exp(result.log_total) : 1.0;
  // Each logarithm and each sum of them errs by a unit or two.
  const double relative = kUnit * (64.0 + 4.0 * static_cast<double>(parts.size()) + 4.0 * result.log_total);
  result.infinite = std::clamp(rounding::mul_up(-std::expm1(log_finite), excess) * (1.0 + sign * relative), 0.0, 1.0);
  const double outside = window.outside_below + window.outside_above;
  // With sums M and strays S it is (M + S)^n - M^n = M^n ((1 + S/M)^n - 1). Without strays it is 0 however large M^n.
  if (side == Side::kUpper)
    result.stray =
        (rounding::mul_up(std::expm1(log_stray), std::exp(std::max(0.0, log_kept))) + outside) * (1.0 + 1e-9);
  std::vector<double> cycle;
  // Mass from outside the window lands inside: harmless above, to be taken off below.
  const double error = product.invert(cycle) + (side == Side::kLower ? outside : 0.0);
  // Errors that no double holds leave nothing known.
  if (!std::isfinite(error)) return unknown_like(result, side);
  const auto size = static_cast<std::int64_t>(fft->size());
  std::int64_t slot = ((window.first % size) + size) % size;
  result.mass.reserve(points);
  for (std::size_t k = 0; k < points; ++k) {
    result.mass.push_back(rounding::larger(0.0, cycle[static_cast<std::size_t>(slot)] + sign * error));
    if (++slot == size) slot = 0;
  }
  return result;
}

}  // namespace doeblin
