// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/twice_laplace.hpp"

#include <boost/math/tools/toms748_solve.hpp>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/parameters.hpp"
#include "doeblin/profile/profile_to_renyi.hpp"
#include "profile/twice_laplace_law.hpp"

// H = F/f has dH/dw = -1/(1 + w)^2. The noise is log-concave, so delta is the tail difference at the one point where
// f(x - t) = e^eps f(x), t = sensitivity/l1. Inserting e^eps = f(x - t)/f(x) gives f(x - t) (H(x - t) - H(x)).
namespace doeblin {
namespace {

using numerics::decay_mean;
using numerics::exp;
using numerics::expm1;
using numerics::log1p;
using numerics::Wide;

// Beyond this ratio of scales the second noise is not resolved; the first alone gives the upper bound.
constexpr double kLargestRatio = 0x1p200;

struct Scaled {
  Wide shift;  // t
  Bracket t;   // the same
  Bracket d;   // rho - 1
  Bracket rho;
};

Bracket w(const Bracket& x, const Bracket& d) { return x * decay_mean(d * x); }

// C = 1/(2 (1 + 1/rho)).
Bracket density_at_zero(const Scaled& m) { return 0.5 / (1.0 + 1.0 / m.rho); }

// -log(1 - z)/z, continued by 1 at 0; increasing.
Bracket log_mean(const Bracket& z) {
  const auto at = [](double v) { return v == 0.0 ? Bracket(1.0) : -log1p(-Bracket(v)) / v; };
  return {at(z.lower()).lower(), at(z.upper()).upper()};
}

// The crossing lies at x = y + t, y >= 0. With K = e^{t - eps} - 1 and W = w(t) the crossing has
//   w(y) = (W - K)/(K + d W),   e^{-dy} = rho K/(K + d W),
// and, because w(y + t) - w(y) = e^{-dy} W,
//   delta = C e^{-rho y} W/(1 + w(y + t)).
Bracket delta_beyond_kink(const Scaled& m, const Bracket& K, const Bracket& W) {
  const Bracket sum = K + m.d * W;
  const Bracket w_y = max((W - K) / sum, Bracket(0.0));
  const Bracket z = m.d * w_y;
  const Bracket y = z.upper() < 0.5 ? w_y * log_mean(z) : max(-numerics::log(m.rho * K / sum) / m.d, Bracket(0.0));
  return density_at_zero(m) * exp(-(m.rho * y)) * W / (1.0 + w(y + m.t, m.d));
}

// The crossing lies at x = t - p, 0 < p <= t/2, so x - t = -p. For the eps that belongs to p exactly,
//   delta = A(p) + (1 - f(p)/f(0))/2 + f(p) w(q)/(1 + w(q)),   q = t - p,   A(p) = int_0^p f,
//   eps_p = t - 2p + log(1 + w(p)) - log(1 + w(q)),
// all terms positive. |d delta/d eps| = e^eps F(x) <= 1 turns the residual eps_p - eps into an error bound.
Bracket delta_before_kink(const Scaled& m, const Bracket& excess) {
  const double t = m.t.middle();
  const double d = m.d.middle();
  const double wanted = excess.middle();
  const auto w_double = [d](double x) { return d * x == 0.0 ? x : -std::expm1(-d * x) / d; };
  const auto residual = [&](double p) {
    return wanted - 2.0 * p + std::log1p(w_double(p)) - std::log1p(w_double(t - p));
  };
  double p = t / 2.0;
  if (residual(p) < 0.0 && residual(0.0) > 0.0) {
    std::uintmax_t steps = 100;
    const auto ends =
        boost::math::tools::toms748_solve(residual, 0.0, p, boost::math::tools::eps_tolerance<double>(52), steps);
    p = ends.first;
  }
  const Bracket q = max(enclose(m.shift - Wide(p)), Bracket(0.0));
  const Bracket w_p = w(Bracket(p), m.d);
  const Bracket w_q = w(q, m.d);
  const Bracket decay = exp(Bracket(-p));
  const Bracket loss = -expm1(Bracket(-p));
  const Bracket inner = (loss - decay * w_p / (1.0 + m.rho)) / 2.0;
  const Bracket flank = max(loss - decay * w_p, Bracket(0.0)) / 2.0;
  const Bracket outer = density_at_zero(m) * decay * (1.0 + w_p) * (w_q / (1.0 + w_q));
  const Bracket gap = excess - 2.0 * p + log1p(w_p) - log1p(w_q);
  const double off = std::max(std::fabs(gap.lower()), std::fabs(gap.upper()));
  return inner + flank + outer + Bracket(-off, off);
}

}  // namespace

void TwiceLaplace::validate() const {
  require_noise("scale1", scale1);
  require_noise("scale2", scale2);
  require_sensitivity(sensitivity);
}

TwiceLaplaceLaw law_of(const TwiceLaplace& mechanism) {
  const double large = std::max(mechanism.scale1, mechanism.scale2);
  const double small = std::min(mechanism.scale1, mechanism.scale2);
  return {(Bracket(large) - small) / small, Bracket(large) / small};
}

Wide shift_of(const TwiceLaplace& mechanism) {
  return numerics::ratio(mechanism.sensitivity, std::max(mechanism.scale1, mechanism.scale2));
}

bool TwiceLaplaceLaw::is_resolved() const { return rho.upper() < kLargestRatio; }

Bracket TwiceLaplaceLaw::w(const Bracket& x) const { return doeblin::w(x, d); }

Bracket TwiceLaplaceLaw::delta(const Wide& shift, double epsilon) const {
  const Scaled m{shift, enclose(shift), d, rho};
  if (m.t.upper() == 0.0) return Bracket(0.0);
  if (std::isinf(m.t.upper())) return {0.0, 1.0};
  const Bracket excess = numerics::difference(m.shift, epsilon);
  if (excess.upper() <= 0.0) return Bracket(0.0);
  if (excess.lower() <= 0.0) {
    const Bracket at_most = delta_beyond_kink(m, Bracket(0.0, expm1(excess).upper()) + rounding::kSmallest, w(m.t));
    return {0.0, std::min(1.0, at_most.upper())};
  }
  const Bracket K = expm1(excess);
  const Bracket W = w(m.t);
  if (K.lower() > W.upper()) return clamp(delta_before_kink(m, excess), 0.0, 1.0);
  const Bracket beyond = delta_beyond_kink(m, K, W);
  // Where rounding hides the side, |eps - eps_kink| <= |K - W| and the slope is at most 1.
  const double doubt = K.upper() > W.lower() ? rounding::larger(K.upper() - W.lower(), W.upper() - K.lower()) : 0.0;
  return clamp(beyond + Bracket(0.0, doubt * 1.01), 0.0, 1.0);
}

Bracket delta(const TwiceLaplace& mechanism, Epsilon epsilon) {
  mechanism.validate();
  if (mechanism.sensitivity == 0.0 || std::isinf(epsilon.value())) return Bracket(0.0);
  const TwiceLaplaceLaw law = law_of(mechanism);
  const Wide shift = shift_of(mechanism);
  if (law.is_resolved() && std::isfinite(enclose(shift).upper())) return law.delta(shift, epsilon.value());
  const Laplace larger{std::max(mechanism.scale1, mechanism.scale2), mechanism.sensitivity};
  return {0.0, delta(larger, epsilon).upper()};
}

RenyiCurve renyi_of(const TwiceLaplace& mechanism) {
  mechanism.validate();
  const RenyiCurve curve = renyi_from_profile(profile_of(mechanism));
  const Bracket pure_level = enclose(shift_of(mechanism));
  return RenyiCurve([curve, pure_level](Alpha alpha) {
    return std::isinf(alpha.value()) ? pure_level : min(curve.at(alpha), pure_level);
  });
}

ProfileTraits profile_traits(const TwiceLaplace& mechanism) {
  return {.tight = true, .loss_bound = enclose(shift_of(mechanism)).upper(), .log_concave = false};
}

}  // namespace doeblin
