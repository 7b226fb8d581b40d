// SPDX-License-Identifier: Apache-2.0
#include "verify/mechanism/added_noise.hpp"

#include <cmath>

namespace doeblin::verify {
namespace {

// Twice-Laplace noise is the difference of two Laplace laws, in which digits cancel where the scales are close.
constexpr long kMorePrecision = 4;

// Pr[noise >= x] of symmetric noise from its tail at |x|.
Ball either_side(const Ball& x, const Ball& tail) {
  if (certainly_at_most(Ball(0), x)) return tail;
  if (certainly_at_most(x, Ball(0))) return Ball(1) - tail;
  return Ball::between(tail, Ball(1) - tail);
}

// The same scale twice: (l + |x|) e^{-|x|/l}/(4 l^2), beyond x >= 0 it is (2 l + x) e^{-x/l}/(4 l).
AddedNoise equal_scales(const Ball& l) {
  return {.step = Ball(0),
          .density =
              [l](const Ball& x) {
                const Ball y = absolute(x);
                return (l + y) * exp(-(y / l)) / (Ball(4) * square(l));
              },
          .above =
              [l](const Ball& x) {
                const Ball y = absolute(x);
                return either_side(x, (Ball(2) * l + y) * exp(-(y / l)) / (Ball(4) * l));
              },
          .log_density =
              [l = l.middle()](double x) {
                const double y = std::fabs(x) / l;
                return std::log1p(y) - y;
              }};
}

// l > s: (l e^{-|x|/l} - s e^{-|x|/s})/(2 (l^2 - s^2)), beyond x >= 0 it is (l^2 e^{-x/l} - s^2 e^{-x/s})/(2 (l^2 - s^2)).
AddedNoise different_scales(const Ball& l, const Ball& s) {
  const WithPrecision more(kMorePrecision * precision());
  const Ball whole = Ball(2) * (square(l) - square(s));
  const Ball gap = Ball(1) / s - Ball(1) / l;
  return {.step = Ball(0),
          .density =
              [=](const Ball& x) {
                const Ball y = absolute(x);
                return (l * exp(-(y / l)) - s * exp(-(y / s))) / whole;
              },
          .above =
              [=](const Ball& x) {
                const Ball y = absolute(x);
                return either_side(x, (square(l) * exp(-(y / l)) - square(s) * exp(-(y / s))) / whole);
              },
          // 1 - (s/l) e^{-|x| (1/s - 1/l)} without a difference of what is close.
          .log_density =
              [large = l.middle(), gap = gap.middle()](double x) {
                const double y = std::fabs(x);
                // s/l = 1/(1 + l gap)
                return std::log(-std::expm1(-std::log1p(large * gap) - y * gap)) - y / large;
              }};
}

}  // namespace

SharedNoise laplace_noise(const Ball& step) {
  return std::make_shared<const AddedNoise>(
      AddedNoise{.step = step,
                 .density = [](const Ball& x) { return exp(-absolute(x)) / Ball(2); },
                 .above = [](const Ball& x) { return either_side(x, exp(-absolute(x)) / Ball(2)); },
                 .log_density = [](double x) { return -std::fabs(x); },
                 .rate = Ball(1)});
}

SharedNoise twice_laplace_noise(const Ball& scale1, const Ball& scale2, const Ball& step) {
  const Ball large = max(scale1, scale2), small = min(scale1, scale2);
  AddedNoise noise = arb_equal(scale1.get(), scale2.get()) != 0 ? equal_scales(large) : different_scales(large, small);
  noise.step = step;
  noise.scale = large.middle();
  noise.rate = Ball(1) / large;
  return std::make_shared<const AddedNoise>(std::move(noise));
}

}  // namespace doeblin::verify
