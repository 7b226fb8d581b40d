// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/normal_mixture.hpp"

#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/theta.hpp"
#include "doeblin/subsampling/subsampling.hpp"

namespace doeblin {
namespace {

using numerics::exp;
using numerics::Wide;
using Mixture = std::vector<NormalComponent>;

// theta at a level of either sign: for x < 0 it is 1 - e^x + e^x theta_{e^{-x}}.
Bracket theta_at(double x, const Wide& r) {
  if (x >= 0.0) return numerics::theta(x, r);
  return -numerics::expm1(Bracket(x)) + exp(Bracket(x)) * numerics::theta(-x, r);
}

// Decreasing in the level.
Bracket theta_between(const Bracket& level, const Wide& r) {
  if (r.is_zero()) return Bracket(0.0);
  return {std::max(0.0, theta_at(level.upper(), r).lower()), theta_at(level.lower(), r).upper()};
}

// z m c - (m c)^2/2, the log-likelihood ratio of N(m c, 1) against N(0, 1) at z. Double-double, because the terms can
// be large and cancel.
Bracket log_ratio(double z, double multiple, const Wide& unit) {
  const Wide shift = unit * multiple;
  return enclose(shift * z - shift * shift * 0.5);
}

// Where the loss of the pair is `level`, and what the divergence is there.
struct PointOfCurve {
  Bracket level;
  Bracket delta;
};

// log sum w e^a for weights that add up to 1, up to a rest below 1e-300. Near 0 it is log(1 + sum w (e^a - 1)), which
// keeps its digits when most of the weight has a = 0.
Bracket log_sum(const Mixture& mixture, double z, const Wide& unit) {
  Bracket excess(-1e-300, 0.0);
  for (const NormalComponent& component : mixture)
    if (component.multiple > 0.0)
      excess = excess + component.weight * numerics::expm1(log_ratio(z, component.multiple, unit));
  if (excess.lower() > -0.5 && excess.upper() < 1.0) return numerics::log1p(excess);
  Bracket sum(-rounding::kInfinity);
  for (const NormalComponent& component : mixture)
    if (component.weight.upper() > 0.0)
      sum = numerics::log_add_exp(sum, numerics::log(component.weight) + log_ratio(z, component.multiple, unit));
  return sum;
}

Bracket level_at(const Mixture& p, const Mixture& q, double z, const Wide& unit) {
  return log_sum(p, z, unit) - log_sum(q, -z, unit);
}

Bracket delta_at(const Mixture& p, const Mixture& q, double z, const Wide& unit) {
  const Bracket level = level_at(p, q, z, unit);
  Bracket sum(0.0);
  for (const NormalComponent& component : p)
    sum = sum + component.weight * theta_between(log_ratio(z, component.multiple, unit), unit * component.multiple);
  for (const NormalComponent& component : q) {
    if (component.multiple == 0.0) continue;
    const Bracket ratio = log_ratio(-z, component.multiple, unit);
    sum = sum + component.weight * exp(level + ratio) * theta_between(-ratio, unit * component.multiple);
  }
  return clamp(sum, 0.0, 1.0);
}

// log sum w e^{a} and its derivative in z, in plain doubles.
struct Slope {
  double value;
  double derivative;
};

Slope approximate_log_sum(const Mixture& mixture, double z, double c) {
  double excess = 0.0, increase = 0.0;
  for (const NormalComponent& k : mixture) {
    const double shift = k.multiple * c;
    const double growth = std::expm1(shift * z - 0.5 * shift * shift);
    excess += k.weight.upper() * growth;
    increase += k.weight.upper() * (growth + 1.0) * shift;
  }
  if (excess > -0.5 && excess < 1.0) return {std::log1p(excess), increase / (1.0 + excess)};
  double peak = -rounding::kInfinity;
  for (const NormalComponent& k : mixture)
    if (k.weight.upper() > 0.0) {
      const double shift = k.multiple * c;
      peak = std::max(peak, std::log(k.weight.upper()) + shift * z - 0.5 * shift * shift);
    }
  double sum = 0.0, rise = 0.0;
  for (const NormalComponent& k : mixture) {
    const double shift = k.multiple * c;
    const double term = k.weight.upper() * std::exp(shift * z - 0.5 * shift * shift - peak);
    sum += term;
    rise += term * shift;
  }
  return {std::log(sum) + peak, rise / sum};
}

// The z where the loss is epsilon, by Newton's method inside a bracket that shrinks.
double approximate_point(const Mixture& p, const Mixture& q, double c, double epsilon) {
  double low = -0x1p60, high = 0x1p60;
  double z = 0.0;
  for (int i = 0; i < 200; ++i) {
    const Slope above = approximate_log_sum(p, z, c);
    const Slope below = approximate_log_sum(q, -z, c);
    const double miss = above.value - below.value - epsilon;
    (miss > 0.0 ? high : low) = z;
    const double slope = above.derivative + below.derivative;
    double next = slope > 0.0 ? z - miss / slope : rounding::kInfinity;
    if (!(next > low && next < high)) {
      // Double away from 0 until both sides are known, then bisect.
      if (low == -0x1p60)
        next = std::min(2.0 * high, -1.0);
      else if (high == 0x1p60)
        next = std::max(2.0 * low, 1.0);
      else
        next = 0.5 * (low + high);
      if (next <= low || next >= high) break;
    }
    if (std::fabs(next - z) <= 1e-15 * std::fabs(z)) return next;
    z = next;
  }
  return z;
}

// Q(40) is below every double: no mass of a normal law is further out.
constexpr double kFarOut = 40.0;
// Losses up to here are found by Newton's method, whatever the mixture.
constexpr double kUsualLoss = 1e4;

// The loss is above epsilon only where all of P has underflowed.
bool is_beyond(const Mixture& p, const Mixture& q, const Wide& unit, double epsilon) {
  if (epsilon <= kUsualLoss) return false;
  double largest = 0.0;
  for (const NormalComponent& component : p) largest = std::max(largest, component.multiple);
  const double z = rounding::add_up(rounding::mul_up(largest, enclose(unit).upper()), kFarOut);
  return z < 1e100 && level_at(p, q, z, unit).upper() <= epsilon;
}

}  // namespace

Bracket divergence(const Mixture& p, const Mixture& q, const Wide& unit, Epsilon epsilon) {
  const double c = unit.hi;
  if (std::isinf(epsilon.value())) return Bracket(0.0);
  if (unit.is_zero()) return Bracket(0.0);
  if (is_beyond(p, q, unit, epsilon.value())) return {0.0, rounding::kSmallest};
  const double z = approximate_point(p, q, c, epsilon.value());
  // Step away from the approximate point until the likelihood ratio is certainly on the right side.
  const auto certified = [&](double sign) {
    double step = 0x1p-52 * (std::fabs(z) + 1.0 / std::max(1.0, c));
    for (int i = 0; i < 60; ++i, step *= 4.0) {
      const double point = z + sign * step;
      const Bracket level = level_at(p, q, point, unit);
      if (sign > 0.0 ? level.lower() >= epsilon.value() : level.upper() <= epsilon.value()) return point;
    }
    return sign * rounding::kInfinity;
  };
  const double before = certified(-1.0);
  const double after = certified(1.0);
  const double upper = std::isinf(before) ? 1.0 : delta_at(p, q, before, unit).upper();
  const double lower = std::isinf(after) ? 0.0 : delta_at(p, q, after, unit).lower();
  return {lower, upper};
}

LossPair with_replacement_pair(const Wide& mu, double n, double m) {
  const BinomialWeights binomial = binomial_weights(n, m, 1e-300);
  Mixture mixture;
  for (std::size_t k = 0; k < binomial.weights.size(); ++k)
    mixture.push_back({binomial.weights[k], static_cast<double>(k)});
  const Mixture nothing = {{Bracket(1.0), 0.0}};
  // What the weights leave out counts fully against the upper end, and e^eps times against the lower one.
  const double rest = binomial.rest;
  const auto forward = [=](Epsilon epsilon) {
    const Bracket delta = divergence(mixture, nothing, mu, epsilon);
    return clamp({delta.lower(), rounding::add_up(delta.upper(), rest)}, 0.0, 1.0);
  };
  // N(0, 1) is at most 1/w_0 times the mixture.
  const double bound = -numerics::log(binomial.weights[0]).lower();
  const auto backward = [=](Epsilon epsilon) {
    if (epsilon.value() >= bound) return Bracket(0.0);
    const Bracket delta = divergence(nothing, mixture, mu, epsilon);
    const Bracket missing = rest > 0.0 ? exp(Bracket(epsilon.value())) * rest : Bracket(0.0);
    return clamp({rounding::sub_down(delta.lower(), missing.upper()), delta.upper()}, 0.0, 1.0);
  };
  const ProfileTraits bounded{.loss_bound = bound};
  return LossPair{Profile(forward), Profile(backward, bounded), false};
}

LossPair poisson_substitution_pair(const Wide& mu, double rate) {
  const Mixture mixture = {{1.0 - Bracket(rate), 0.0}, {Bracket(rate), 1.0}};
  return LossPair::symmetric_of(Profile([=](Epsilon epsilon) { return divergence(mixture, mixture, mu, epsilon); }));
}

LossPair shifted_poisson_pair(double move, double jump, double rate) {
  require(move >= 0.0 && std::isfinite(move), "move", move, "0 <= move < infinity");
  require(jump >= 0.0 && std::isfinite(jump), "jump", jump, "0 <= jump < infinity");
  require(rate > 0.0 && rate <= 1.0, "rate", rate, "0 < rate <= 1");
  // Means that are rounded up dominate (I18's lemma).
  const Mixture moved = {{1.0 - Bracket(rate), move}, {Bracket(rate), rounding::add_up(move, jump)}};
  const Mixture still = {{Bracket(1.0), 0.0}};
  const Wide unit(1.0);
  // Without a shift N(0, 1) is at most 1/(1-q) times the mixture.
  const double bound = move == 0.0 && rate < 1.0 ? -numerics::log(1.0 - Bracket(rate)).lower() : rounding::kInfinity;
  const auto forward = [=](Epsilon epsilon) { return divergence(moved, still, unit, epsilon); };
  const auto backward = [=](Epsilon epsilon) {
    return epsilon.value() >= bound ? Bracket(0.0) : divergence(still, moved, unit, epsilon);
  };
  const ProfileTraits bounded{.loss_bound = bound};
  return LossPair{Profile(forward), Profile(backward, bounded), false};
}

}  // namespace doeblin
