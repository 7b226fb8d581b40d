// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "verify/mechanism/added_noise.hpp"
#include "verify/mechanism/noise.hpp"

namespace doeblin::verify {
namespace {

// Pr[z <= m] of integer noise.
using CumulativeLaw = std::function<Ball(double m)>;

// Beyond this doubles are no whole numbers any more.
constexpr double kMostShift = 0x1p50;

// Noise z against z + D: the loss falls as z grows, so the best events are {z <= m}, and the best m is where the loss
// passes epsilon. The neighbours of the estimate are tried too, so that rounding in it does no harm.
Ball best_threshold(const CumulativeLaw& at_most, double shift, const Ball& epsilon, double estimate) {
  const Ball growth = exp(epsilon);
  Ball best(0);
  if (!(std::fabs(estimate) < kMostShift) || !(shift < kMostShift)) throw CannotCheck("whole numbers of this size");
  for (const double offset : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
    const double m = std::floor(estimate) + offset;
    best = max(best, at_most(m) - growth * at_most(m - shift));
  }
  return best;
}

// With a = e^{-1/b}: a^{-m}/(1 + a) for m < 0, and 1 - a^{m+1}/(1 + a) from 0 on.
CumulativeLaw laplace_distribution(double scale) {
  return [scale](double m) {
    const Ball rate = Ball(1) / Ball(scale);
    const Ball norm = Ball(1) + exp(-rate);
    if (m < 0.0) return exp(Ball(m) * rate) / norm;
    return Ball(1) - exp(-(Ball(m + 1.0) * rate)) / norm;
  };
}

constexpr double kMostNoiseTerms = 4e6;

// Sums of e^{-z^2/(2 sigma^2)}, kept from call to call.
class GaussianSums {
 public:
  explicit GaussianSums(double sigma) : sigma_(sigma) {}

  /// The sum over z >= m, for m >= 0.
  [[nodiscard]] Ball from(double m) {
    Table& table = tables_[precision()];
    if (table.tails.empty()) fill(table);
    if (m < static_cast<double>(table.tails.size())) return table.tails[static_cast<std::size_t>(m)];
    return beyond(m);
  }

 private:
  struct Table {
    std::vector<Ball> tails;
  };

  [[nodiscard]] Ball term(double z) const { return exp(-(square(Ball(z)) / (Ball(2) * square(Ball(sigma_))))); }

  // Between 0 and the first term times 1 + sigma sqrt(pi/2): the others are below the integral.
  [[nodiscard]] Ball beyond(double m) const {
    return term(m) * Ball::between(Ball(1), Ball(1) + Ball(sigma_) * sqrt(pi() / Ball(2)));
  }

  void fill(Table& table) const {
    // Far enough that what is beyond is negligible next to the digits kept, down to deltas of 2^-precision.
    const double reach = std::ceil(sigma_ * std::sqrt(4.0 * static_cast<double>(precision()) * std::log(2.0))) + 2.0;
    if (reach > kMostNoiseTerms) throw CannotCheck("a discrete Gaussian of so many terms");
    const auto count = static_cast<std::size_t>(reach);
    table.tails.resize(count + 1);
    table.tails[count] = beyond(reach);
    // e^{-z^2 c} from z to z - 1: times e^{(2z - 1) c}.
    const Ball c = Ball(1) / (Ball(2) * square(Ball(sigma_)));
    Ball value = term(reach);
    Ball ratio = exp(Ball(2.0 * reach - 1.0) * c);
    const Ball step = exp(-(Ball(2) * c));
    for (std::size_t z = count; z-- > 0;) {
      value = value * ratio;
      ratio = ratio * step;
      table.tails[z] = table.tails[z + 1] + value;
    }
  }

  double sigma_;
  std::map<long, Table> tables_;
};

CumulativeLaw gaussian_distribution(double sigma) {
  const auto sums = std::make_shared<GaussianSums>(sigma);
  return [sums](double m) {
    const Ball right = sums->from(0.0);
    const Ball whole = right + right - Ball(1);
    if (m < 0.0) return sums->from(-m) / whole;
    return Ball(1) - sums->from(m + 1.0) / whole;
  };
}

// Symmetric: the probability from x on is that up to -x.
std::function<Ball(const Ball& x)> from(const CumulativeLaw& at_most) {
  return [at_most](const Ball& x) { return at_most(-x.middle()); };
}

// (1 - a)/(1 + a) a^{|x|} with a = e^{-1/b}.
SharedNoise whole_laplace(const CumulativeLaw& at_most, double scale, double step) {
  const auto density = [scale](const Ball& x) {
    const Ball rate = Ball(1) / Ball(scale);
    return exp(-(absolute(x) * rate)) * -expm1(-rate) / (Ball(1) + exp(-rate));
  };
  return std::make_shared<const AddedNoise>(
      AddedNoise{.step = Ball(step),
                 .density = density,
                 .above = from(at_most),
                 .log_density = [scale](double x) { return -std::fabs(x) / scale; },
                 .scale = std::max(scale, 1.0),
                 .is_whole = true,
                 .rate = Ball(1) / Ball(scale)});
}

// e^{-x^2/(2 sigma^2)}, over its sum.
SharedNoise whole_gaussian(const CumulativeLaw& at_most, double sigma, double step) {
  const auto density = [at_most, sigma](const Ball& x) {
    const Ball highest = at_most(0.0) - at_most(-1.0);
    return exp(-(square(x) / (Ball(2) * square(Ball(sigma))))) * highest;
  };
  return std::make_shared<const AddedNoise>(
      AddedNoise{.step = Ball(step),
                 .density = density,
                 .above = from(at_most),
                 .log_density = [sigma](double x) { return -0.5 * x * x / (sigma * sigma); },
                 .scale = std::max(sigma, 1.0),
                 .is_whole = true});
}

// The same mechanism for k people.
Known known_discrete(const CumulativeLaw& at_most, double shift, const std::function<double(double, double)>& threshold,
                     const std::function<SharedNoise(double)>& noise) {
  Known known = known_exactly([=](const Ball& epsilon) {
    if (shift == 0.0) return Ball(0);
    return best_threshold(at_most, shift, epsilon, threshold(shift, epsilon.middle()));
  });
  known.noise = noise(shift);
  // Reached where both shifts are on the same side.
  if (known.noise->rate) known.pure = known.noise->step * *known.noise->rate;
  known.largest_loss = known.pure;
  known.group = [=](unsigned long k) {
    return known_discrete(at_most, shift * static_cast<double>(k), threshold, noise);
  };
  return known;
}

}  // namespace

Known known_discrete_laplace(double scale, double sensitivity) {
  // The loss of z is (|z - D| - |z|)/b: above eps for z < (D - eps b)/2.
  const CumulativeLaw at_most = laplace_distribution(scale);
  Known known = known_discrete(
      at_most, sensitivity, [scale](double shift, double epsilon) { return (shift - epsilon * scale) / 2.0; },
      [=](double step) { return whole_laplace(at_most, scale, step); });
  known.log_ratio = [scale, sensitivity](double z, double k) {
    const double shift = k * sensitivity;
    // A little past the largest loss nothing is left for certain.
    return std::clamp(2.0 * z - shift, -shift, shift * (1.0 + 1e-14)) / scale;
  };
  return known;
}

Known known_discrete_gaussian(double sigma, double sensitivity) {
  // The loss of z is (D^2 - 2 z D)/(2 sigma^2): above eps for z < D/2 - eps sigma^2/D.
  const CumulativeLaw at_most = gaussian_distribution(sigma);
  Known known = known_discrete(
      at_most, sensitivity,
      [sigma](double shift, double epsilon) { return shift / 2.0 - epsilon * sigma * sigma / shift; },
      [=](double step) { return whole_gaussian(at_most, sigma, step); });
  known.log_ratio = [sigma, sensitivity](double z, double k) {
    const double shift = k * sensitivity;
    return shift * (2.0 * z - shift) / (2.0 * sigma * sigma);
  };
  return known;
}

}  // namespace doeblin::verify
