// SPDX-License-Identifier: Apache-2.0
#include "verify/mechanism/noise.hpp"

#include <algorithm>

#include "verify/mechanism/added_noise.hpp"

namespace doeblin::verify {
namespace {

Ball scaled(const Ball& x, unsigned long k) { return x * Ball(static_cast<double>(k)); }

}  // namespace

// 1 - e^{(eps - theta)/2}, 0 from theta on.
Known known_laplace(const Ball& level) {
  Known known = known_exactly(
      [level](const Ball& epsilon) { return positive_part(-expm1(min(epsilon - level, Ball(0)) / Ball(2))); });
  known.pure = level;
  known.largest_loss = level;
  known.noise = laplace_noise(level);
  known.group = [level](unsigned long k) { return known_laplace(scaled(level, k)); };
  // log(alpha e^{(alpha-1) t}/(2 alpha - 1) + (alpha - 1) e^{-alpha t}/(2 alpha - 1))/(alpha - 1)
  known.renyi = [level](const Ball& alpha) {
    const Ball s = alpha - Ball(1);
    const Ball sum = alpha * exp(s * level) + s * exp(-(alpha * level));
    return log(sum / (alpha + s)) / s;
  };
  // From one end to the other between 0 and k steps.
  known.log_ratio = [step = level.middle()](double z, double k) {
    return std::clamp(2.0 * z - k * step, -k * step, k * step);
  };
  return known;
}

Known known_response(const Ball& p) {
  const Ball more = max(p, Ball(1) - p);
  const Ball less = min(p, Ball(1) - p);
  Known known = known_exactly([more, less](const Ball& epsilon) { return positive_part(more - exp(epsilon) * less); });
  if (certainly_less(Ball(0), less)) known.pure = log(more / less);
  known.largest_loss = known.pure ? *known.pure : Ball(0);
  // log(p^alpha (1-p)^{1-alpha} + (1-p)^alpha p^{1-alpha})/(alpha - 1)
  if (known.pure)
    known.renyi = [more, less, level = *known.pure](const Ball& alpha) {
      const Ball s = alpha - Ball(1);
      return log(more * exp(s * level) + less * exp(-(s * level))) / s;
    };
  return known;
}

Known known_black_box(const Ball& level, const Ball& failure) {
  // delta + (1 - delta) [e^{eps0} - e^eps]_+/(1 + e^{eps0}), written without large numbers.
  Known known = known_exactly([level, failure](const Ball& epsilon) {
    const Ball gap = positive_part(-expm1(min(epsilon - level, Ball(0))));
    return failure + (Ball(1) - failure) * gap / (Ball(1) + exp(-level));
  });
  if (arb_is_zero(failure.get()) != 0) known.pure = level;
  known.largest_loss = level;
  return known;
}

}  // namespace doeblin::verify
