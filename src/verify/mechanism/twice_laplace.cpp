// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "verify/mechanism/added_noise.hpp"
#include "verify/mechanism/noise.hpp"

namespace doeblin::verify {
namespace {

// The density of Lap(l1) + Lap(l2) and the probability beyond a point, times 4; P6.
class Noise {
 public:
  Noise(const Ball& scale1, const Ball& scale2) : l1_(scale1), l2_(scale2) {
    is_single_ = arb_equal(l1_.get(), l2_.get()) != 0;
    if (is_single_) return;
    const Ball sum = Ball(1) / (l1_ + l2_);
    const Ball gap = Ball(1) / (l1_ - l2_);
    a_ = sum + gap;
    b_ = sum - gap;
  }

  [[nodiscard]] Ball density(const Ball& x) const {
    const Ball y = absolute(x);
    if (is_single_) return (l1_ + y) * exp(-(y / l1_)) / square(l1_);
    return a_ * exp(-(y / l1_)) + b_ * exp(-(y / l2_));
  }

  /// The derivative of the log of the density.
  [[nodiscard]] Ball log_slope(const Ball& x) const {
    const Ball y = absolute(x);
    const Ball fall = is_single_ ? y / (l1_ * (l1_ + y))
                                 : (a_ / l1_ * exp(-(y / l1_)) + b_ / l2_ * exp(-(y / l2_))) /
                                       (a_ * exp(-(y / l1_)) + b_ * exp(-(y / l2_)));
    return certainly_less(x, Ball(0)) ? fall : -fall;
  }

  /// Pr[X >= x], for every x.
  [[nodiscard]] Ball above(const Ball& x) const {
    if (certainly_less(x, Ball(0))) return Ball(1) - upper_tail(-x);
    if (certainly_at_most(Ball(0), x)) return upper_tail(x);
    return Ball::between(upper_tail(positive_part(x)), Ball(1) - upper_tail(positive_part(-x)));
  }

 private:
  [[nodiscard]] Ball upper_tail(const Ball& x) const {
    if (is_single_) return (l1_ + l1_ + x) * exp(-(x / l1_)) / (Ball(4) * l1_);
    return (a_ * l1_ * exp(-(x / l1_)) + b_ * l2_ * exp(-(x / l2_))) / Ball(4);
  }

  Ball l1_, l2_, a_, b_;
  bool is_single_ = false;
};

// About the log of f(x - D)/f(x), in units of the larger scale: in doubles, for searching. With y = |x - D| and
// v = |x| - y it is v - log(1 + e^{-dy} w(v)/(1 + w(y))) from D/2 on, w(x) = (1 - e^{-dx})/d, d = rho - 1 for the ratio
// rho of the scales, and odd around D/2.
double about_log_ratio(double x, double shift, double d) {
  if (2.0 * x < shift) return -about_log_ratio(shift - x, shift, d);
  const double y = std::fabs(x - shift), v = std::min(shift, 2.0 * x - shift);
  const auto w = [d](double length) { return d * length == 0.0 ? length : -std::expm1(-d * length) / d; };
  return v - std::log1p(std::exp(-d * y) * w(v) / (1.0 + w(y)));
}

struct Scales {
  Ball large, small;
  [[nodiscard]] double excess() const { return Ball(large / small - Ball(1)).middle(); }
};

// About where the ratio f(x)/f(x - D) is e^eps: left of D/2, where that of the mirror image grows.
double about_crossing(const Scales& scales, const Ball& shift, const Ball& epsilon) {
  const double move = Ball(shift / scales.large).middle(), d = scales.excess();
  double low = 0.5 * move, high = move + 1024.0;
  while (true) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (about_log_ratio(middle, move, d) < epsilon.middle() ? low : high) = middle;
  }
  return (move - low) * scales.large.middle();
}

// f(x) - e^eps f(x - D) changes its sign once, from positive to negative, as x grows (the noise is log-concave). The
// event x <= t at that point is the best one; a bracket of t with certified signs gives the divergence.
class Crossing {
 public:
  Crossing(const Noise& noise, const Ball& shift, const Ball& epsilon)
      : noise_(noise), shift_(shift), epsilon_(epsilon), growth_(exp(epsilon)) {}

  [[nodiscard]] Ball excess(const Ball& x) const { return noise_.density(x) - growth_ * noise_.density(x - shift_); }

  /// Newton's method, then certified signs a little to the left and to the right.
  [[nodiscard]] std::optional<Ball> near(double guess) const {
    Ball x(guess);
    for (long digits = 20; digits < precision(); digits *= 2) {
      const Ball value = log(noise_.density(x)) - log(noise_.density(x - shift_)) - epsilon_;
      x = x - value / (noise_.log_slope(x) - noise_.log_slope(x - shift_));
      if (!x.is_finite()) return std::nullopt;
      arb_get_mid_arb(x.get(), x.get());
    }
    Ball width = max(absolute(x), shift_);
    arb_mul_2exp_si(width.get(), width.get(), -precision() / 2);
    const Ball left = Ball(x - width).low_end(), right = Ball(x + width).high_end();
    if (!certainly_less(Ball(0), excess(left)) || !certainly_less(excess(right), Ball(0))) return std::nullopt;
    return Ball::between(left, right);
  }

  /// Between certified signs at both ends; less than half as sharp, and slow.
  [[nodiscard]] Ball between(Ball low, Ball high) const {
    for (long i = 0; i < 2 * precision(); ++i) {
      const Ball middle = Ball((low + high) / Ball(2)).low_end();
      const Ball value = excess(middle);
      if (certainly_less(Ball(0), value))
        low = middle;
      else if (certainly_less(value, Ball(0)))
        high = middle;
      else
        break;
    }
    return Ball::between(low, high);
  }

  /// Pr[X <= t] - e^eps Pr[X + D <= t]
  [[nodiscard]] Ball divergence_at(const Ball& t) const {
    return positive_part(noise_.above(-t) - growth_ * noise_.above(shift_ - t));
  }

 private:
  const Noise& noise_;
  Ball shift_, epsilon_, growth_;
};

Ball divergence(const Noise& noise, const Ball& shift, const Ball& epsilon, double guess) {
  const Crossing crossing(noise, shift, epsilon);
  if (const std::optional<Ball> t = crossing.near(guess)) return crossing.divergence_at(*t);
  Ball low = -(shift + Ball(1));
  // Far to the left the ratio of densities is largest: if it does not reach e^eps there, it never does.
  for (int i = 0; i < 64 && !certainly_less(Ball(0), crossing.excess(low)); ++i) low = low * Ball(2);
  if (!certainly_less(Ball(0), crossing.excess(low))) {
    // The event, if there is one, lies further out than this.
    const Ball rest = noise.above(-low);
    return Ball::between(Ball(0), rest.is_finite() ? min(rest, Ball(1)) : Ball(1));
  }
  // At x = D the density at distance D is smaller than e^eps times that at 0.
  return crossing.divergence_at(crossing.between(low, shift));
}

}  // namespace

Known known_twice_laplace(const Ball& scale1, const Ball& scale2, const Ball& sensitivity) {
  const Scales scales{max(scale1, scale2), min(scale1, scale2)};
  const Ball level = sensitivity / scales.large;
  Known known = known_exactly([=](const Ball& epsilon) {
    // From this level on nothing is left ([BBGG19] Lemma 3).
    if (certainly_at_most(level, epsilon)) return Ball(0);
    const double guess = about_crossing(scales, sensitivity, epsilon);
    Ball value;
    const long bits = precision();
    for (int factor = 1; factor <= 16; factor *= 2) {
      const WithPrecision more(bits * factor + 64);
      value = divergence(Noise(scale1, scale2), sensitivity, epsilon, guess);
      if (arb_rel_accuracy_bits(value.get()) >= 60) break;
    }
    return value;
  });
  known.pure = level;
  known.largest_loss = level;
  known.noise = twice_laplace_noise(scale1, scale2, sensitivity);
  known.group = [=](unsigned long k) {
    return known_twice_laplace(scale1, scale2, sensitivity * Ball(static_cast<double>(k)));
  };
  known.log_ratio = [move = level.middle(), d = scales.excess()](double z, double k) {
    // A little past the largest loss nothing is left for certain.
    const double most = k * move, ratio = about_log_ratio(z, most, d);
    return z > most + 1024.0 ? most * (1.0 + 1e-14) : ratio;
  };
  return known;
}

}  // namespace doeblin::verify
