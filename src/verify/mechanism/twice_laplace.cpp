// SPDX-License-Identifier: Apache-2.0
#include <cmath>

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

// f(x) - e^eps f(x - D) changes its sign once, from positive to negative, as x grows (the noise is log-concave). The
// event x <= t at that point is the best one; a bracket of t with certified signs gives the divergence.
Ball divergence(const Noise& noise, const Ball& shift, const Ball& epsilon) {
  const Ball growth = exp(epsilon);
  const auto excess = [&](const Ball& x) { return noise.density(x) - growth * noise.density(x - shift); };
  Ball low = -(shift + Ball(1));
  Ball high = shift;
  // Far to the left the ratio of densities is largest: if it does not reach e^eps there, it never does.
  for (int i = 0; i < 64 && !certainly_less(Ball(0), excess(low)); ++i) low = low * Ball(2);
  if (!certainly_less(Ball(0), excess(low))) {
    // The event, if there is one, lies further out than this.
    const Ball rest = noise.above(-low);
    return Ball::between(Ball(0), rest.is_finite() ? min(rest, Ball(1)) : Ball(1));
  }
  // At x = D the density at distance D is smaller than e^eps times that at 0.
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
  const Ball t = Ball::between(low, high);
  // Pr[X <= t] - e^eps Pr[X + D <= t]
  const Ball value = noise.above(-t) - growth * noise.above(shift - t);
  return positive_part(value);
}

}  // namespace

Known known_twice_laplace(const Ball& scale1, const Ball& scale2, const Ball& sensitivity) {
  Known known = known_exactly([=](const Ball& epsilon) {
    // From this level on nothing is left ([BBGG19] Lemma 3).
    if (certainly_at_most(sensitivity / max(scale1, scale2), epsilon)) return Ball(0);
    Ball value;
    const long bits = precision();
    for (int factor = 1; factor <= 16; factor *= 2) {
      const WithPrecision more(bits * factor + 64);
      value = divergence(Noise(scale1, scale2), sensitivity, epsilon);
      if (arb_rel_accuracy_bits(value.get()) >= 60) break;
    }
    return value;
  });
  known.noise = twice_laplace_noise(scale1, scale2, sensitivity);
  known.group = [=](unsigned long k) {
    return known_twice_laplace(scale1, scale2, sensitivity * Ball(static_cast<double>(k)));
  };
  return known;
}

}  // namespace doeblin::verify
