// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "verify/mixing/kernels.hpp"

/// Pi(psi(Pi X) + Z): a Lipschitz map, noise, a projection.
namespace doeblin::verify {
namespace {

// Digits that cancel in a difference of tails are followed up to here.
constexpr long kMostProjectionBits = 1L << 14;

// In standard deviations; e^-10^30 is as small as anything here.
constexpr double kFarthest = 0x1p50;

struct Law {
  bool is_gaussian;

  // Pr[Z > x], in units of the scale.
  [[nodiscard]] Ball tail(const Ball& x) const {
    if (is_gaussian) return normal_tail(x);
    const Ball low = Ball(1) - exp(x) / Ball(2);
    Ball high = exp(-x) / Ball(2);
    if (certainly_at_most(Ball(0), x)) return high;
    return certainly_at_most(x, Ball(0)) ? low : Ball::between(low, high);
  }
};

// The u that can occur; an end may be infinite.
struct Range {
  Ball low;
  Ball high;
};

// h(u) = S(u - w/2) - g S(u + w/2) where it is positive, in units of the scale.
Ball difference_of_tails(const Law& law, const Ball& u, const Ball& w, const Ball& excess) {
  const Ball half = w / Ball(2);
  // Q(x) <= e^{-x^2/2} for x > 0.
  if (law.is_gaussian && certainly_less(Ball(kFarthest), u - half)) return Ball::between(Ball(0), negligible());
  return positive_part(law.tail(u - half) - (Ball(1) + excess) * law.tail(u + half));
}

bool is_enough(const Ball& value, long bits) {
  return arb_is_exact(value.get()) != 0 || is_negligible(value) || arb_rel_accuracy_bits(value.get()) >= bits / 2;
}

// kappa at an excess, at as much precision as it takes.
template <typename Kappa>
Ball followed(const Ball& excess, const Kappa& kappa) {
  const long start = precision();
  Ball value;
  for (long bits = start + 64; bits <= kMostProjectionBits; bits *= 2) {
    const WithPrecision more(bits);
    value = kappa(excess);
    if (is_enough(value, start)) return value;
    // An excess with a radius would put its whole error into both tails. kappa falls: its ends are enough.
    if (arb_is_exact(excess.get()) != 0) continue;
    const WithPrecision before(start);
    const Ball low = positive_part(excess.low_end());
    return Ball::between(followed(excess.high_end(), kappa), followed(low, kappa));
  }
  return value;
}

// h rises up to u* and falls after it: u* = eps/w, or eps/2 for Laplace.
Ball best_in(const Law& law, const Range& range, const Ball& w, const Ball& excess) {
  const Ball epsilon = log1p(excess);
  const Ball top = law.is_gaussian ? epsilon / w : epsilon / Ball(2);
  if (range.high.is_finite() && certainly_less(range.high, top)) return difference_of_tails(law, range.high, w, excess);
  if (range.low.is_finite() && certainly_less(top, range.low)) return difference_of_tails(law, range.low, w, excess);
  // At u* itself h is at its largest. Where an end of the range cannot be told from u*, both values are the same up to
  // what cannot be told.
  Ball peak = difference_of_tails(law, top, w, excess);
  const bool is_inside = (!range.high.is_finite() || certainly_at_most(top, range.high)) &&
                         (!range.low.is_finite() || certainly_at_most(range.low, top));
  if (is_inside) return peak;
  const bool is_at_high = range.high.is_finite() && !certainly_at_most(top, range.high);
  const Ball edge = difference_of_tails(law, is_at_high ? range.high : range.low, w, excess);
  return Ball::between(edge, peak);
}

Ball scaled(double x, double y, const Ball& scale) {
  if (std::isinf(x) || std::isinf(y)) return Ball(x - y);
  return (Ball(x) - Ball(y)) / scale;
}

struct Interval {
  Law law;
  double sigma;
  double low;
  double high;
  double lipschitz;
  double mean_low;
  double mean_high;

  [[nodiscard]] bool has_range() const { return std::isfinite(mean_low) && std::isfinite(mean_high); }
  // Two means are at most this far apart, in units of the scale.
  [[nodiscard]] Ball width() const {
    const Ball moved = (Ball(high) - Ball(low)) * Ball(lipschitz);
    return (has_range() ? min(moved, Ball(mean_high) - Ball(mean_low)) : moved) / Ball(sigma);
  }
};

// Events are half-lines with an end t in [low, high]; u = t - (m1 + m2)/2 for means at a distance of w, the largest
// there is, so (m1 + m2)/2 lies in [mean_low + w/2, mean_high - w/2]. For the events below t exchange the signs.
Ball value_at(const Interval& noise, const Ball& excess) {
  const Ball w = noise.width();
  if (!excess.is_finite() || arb_is_zero(w.get()) != 0) return Ball(0);
  const Ball sigma(noise.sigma);
  const Ball half = w / Ball(2);
  const auto range = [&](const Ball& low, const Ball& high) {
    return Range{low.is_finite() ? low + half : low, high.is_finite() ? high - half : high};
  };
  const Range up = range(scaled(noise.low, noise.mean_high, sigma), scaled(noise.high, noise.mean_low, sigma));
  const Range down = range(scaled(noise.mean_low, noise.high, sigma), scaled(noise.mean_high, noise.low, sigma));
  return max(best_in(noise.law, up, w, excess), best_in(noise.law, down, w, excess));
}

Curve interval_step(const Interval& noise) {
  const auto value = [noise](const Ball& excess) {
    return followed(excess, [&](const Ball& h) { return value_at(noise, h); });
  };
  if (noise.law.is_gaussian) return {.value = value};
  return {.value = value, .pure_excess = expm1(noise.width())};
}

Curve interval_kernel(const Interval& noise, double steps) {
  Curve single = interval_step(noise);
  if (steps == 1.0) return single;
  if (!noise.law.is_gaussian) return repeated(single, steps);
  // Images at most mean_high - mean_low apart are those of points at most that divided by the constant.
  Ball distance = Ball(noise.high) - Ball(noise.low);
  if (noise.has_range() && noise.lipschitz > 0.0)
    distance = min(distance, (Ball(noise.mean_high) - Ball(noise.mean_low)) / Ball(noise.lipschitz));
  return gaussian_blocks({single.value, Ball(noise.lipschitz), Ball(noise.sigma), distance, steps});
}

// A projection to a ball is post-processing: in the plane of two means the noise is that of a line without ends. With a
// density proportional to e^{-||z||/s} the laws of two means are within a factor of e^{distance/s}.
Curve ball_kernel(const Interval& noise, double radius, double steps) {
  const Ball diameter = Ball(2) * Ball(radius);
  const Ball level = diameter * Ball(noise.lipschitz) / Ball(noise.sigma);
  if (!noise.law.is_gaussian) {
    Curve single = black_box_curve(expm1(level), Ball(0));
    single.is_exact = false;
    return steps == 1.0 ? single : repeated(single, steps);
  }
  Curve single{.value = [level](const Ball& excess) { return gaussian_kappa(excess, level); }, .is_exact = false};
  if (steps == 1.0) return single;
  return gaussian_blocks({single.value, Ball(noise.lipschitz), Ball(noise.sigma), diameter, steps});
}

}  // namespace

Ball gaussian_kappa(const Ball& excess, const Ball& mu) {
  if (!excess.is_finite() || arb_is_zero(mu.get()) != 0) return Ball(0);
  const Range everywhere{Ball(-INFINITY), Ball(INFINITY)};
  return followed(excess, [&](const Ball& h) { return best_in({true}, everywhere, mu, h); });
}

std::optional<Curve> projected_kernel(const language::Call& call) {
  const bool is_gaussian = call.name == "projected_gaussian";
  if (!is_gaussian && call.name != "projected_laplace") return std::nullopt;
  const auto number = [&](const char* name) { return call.number(name); };
  const Interval noise{{is_gaussian},       number("sigma"),    number("low"),      number("high"),
                       number("lipschitz"), number("mean_low"), number("mean_high")};
  const double radius = number("radius");
  return radius == 0.0 ? interval_kernel(noise, number("steps")) : ball_kernel(noise, radius, number("steps"));
}

}  // namespace doeblin::verify
