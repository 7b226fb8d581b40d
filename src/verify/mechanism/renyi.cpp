// SPDX-License-Identifier: Apache-2.0
#include "verify/mechanism/renyi.hpp"

#include <algorithm>
#include <cmath>

namespace doeblin::verify {
namespace {

// Searching needs no more than this.
constexpr long kSearchBits = 64;
constexpr int kMostNewtonSteps = 60;

Ball to_power(const Ball& x, const Ball& exponent) {
  Ball r;
  arb_pow(r.get(), x.get(), exponent.get(), precision());
  return r;
}

Ball rounded(const Ball& x) {
  Ball r = x;
  arb_get_mid_arb(r.get(), x.get());
  return r;
}

// phi(p, q) = p^alpha q^{1-alpha} + (1-p)^alpha (1-q)^{1-alpha}, jointly convex, with its derivatives.
struct Moment {
  Ball value, by_p, by_q;
};

Moment moment(const Ball& p, const Ball& q, const Ball& alpha) {
  const Ball one(1);
  const Ball s = alpha - one;
  const Ball first = to_power(p / q, s);
  const Ball second = arb_is_one(p.get()) != 0 ? Ball(0) : to_power((one - p) / (one - q), s);
  return {p * first + (one - p) * second, alpha * (first - second),
          s * (second * (one - p) / (one - q) - first * p / q)};
}

// The boundary of the convex set where phi <= c, towards large p and small q, at a given ratio p/q = e^v > 1: since
// phi <= c is p e^{s v} + (1-p)^alpha (1-q)^{1-alpha} <= c, with q = p e^{-v}. Solved for p by Newton's method.
Ball boundary(const Ball& v, const Ball& alpha, const Ball& c, const Ball& about) {
  const Ball one(1);
  const Ball s = alpha - one;
  const Ball shrink = exp(-v);
  const Ball growth = exp(s * v);
  Ball p = about;
  if (!certainly_less(p, one)) p = rounded((c - one) / growth);
  if (!certainly_less(p, one)) p = Ball(0.5);
  for (int i = 0; i < kMostNewtonSteps; ++i) {
    const Ball rest = to_power((one - p) / (one - p * shrink), s);
    const Ball value = p * growth + (one - p) * rest - c;
    const Ball slope = growth - alpha * rest + s * shrink * rest * (one - p) / (one - p * shrink);
    const Ball next = rounded(p - value / slope);
    const bool is_inside = certainly_less(Ball(0), next) && certainly_less(next, one);
    const Ball moved = is_inside ? next : rounded((p + Ball(certainly_less(Ball(0), next) ? 1 : 0)) / Ball(2));
    const double change = std::fabs(Ball((moved - p) / p).middle());
    p = moved;
    if (change < std::ldexp(1.0, -static_cast<int>(precision() / 2))) break;
  }
  return p;
}

// A maximum of a function with one, between low and high, by Brent's method: the top of the parabola through the three
// best points, or a golden section where that leads nowhere.
template <typename Function>
double best_between(double low, double high, const Function& function) {
  constexpr double kGolden = 0.3819660112501051, kEnough = 1e-7;
  constexpr int kMostRounds = 80;
  double best = low + kGolden * (high - low), second = best, third = best;
  double at_best = function(best), at_second = at_best, at_third = at_best;
  double step = 0.0, step_before = 0.0;
  for (int i = 0; i < kMostRounds; ++i) {
    const double middle = 0.5 * (low + high), least = kEnough * (1.0 + std::fabs(best));
    if (std::fabs(best - middle) <= 2.0 * least - 0.5 * (high - low)) break;
    const double r = (best - second) * (at_best - at_third), q = (best - third) * (at_best - at_second);
    const double top = ((best - second) * r - (best - third) * q) / (2.0 * (q - r));
    const bool is_inside = best + top > low && best + top < high && std::fabs(top) < 0.5 * std::fabs(step_before);
    step_before = is_inside ? step : (best < middle ? high : low) - best;
    step = is_inside ? top : kGolden * step_before;
    if (std::fabs(step) < least) step = std::copysign(least, is_inside ? middle - best : step);
    const double next = best + step;
    const double at_next = function(next);
    if (at_next >= at_best) {
      (next >= best ? low : high) = best;
      third = second, at_third = at_second;
      second = best, at_second = at_best;
      best = next, at_best = at_next;
      continue;
    }
    (next < best ? low : high) = next;
    if (at_next >= at_second || second == best) {
      third = second, at_third = at_second;
      second = next, at_second = at_next;
    } else if (at_next >= at_third || third == best || third == second) {
      third = next, at_third = at_next;
    }
  }
  return best;
}

// A tangent of the set at a point near the best one bounds p - g q on all of it: phi is convex, so that
// phi_p (p - p0) + phi_q (q - q0) <= c - phi0 for every (p, q) in the set. With phi_q < 0 this is a lower bound on q,
// and p - g q is at most a linear function of p, which is largest at p = 0 or p = 1.
Ball tangent_bound(const Ball& p, const Ball& q, const Ball& alpha, const Ball& c, const Ball& epsilon) {
  const Ball growth = exp(epsilon);
  const Moment at = moment(p, q, alpha);
  if (!certainly_less(at.by_q, Ball(0))) return Ball(1);
  const auto bound = [&](const Ball& x) { return x - growth * (q + (at.by_p * (x - p) - (c - at.value)) / -at.by_q); };
  return positive_part(max(bound(Ball(0)), bound(Ball(1))));
}

// The same in doubles, for searching: p + (1-p) ((1-p)/(1-q))^s e^{-sv} = e^{s (divergence - v)} at q = p e^{-v} is convex
// in p and not negative at e^{s (divergence - v)}, from where Newton's method falls to the solution. That start is
// the answer where e^{-sv} is beyond the doubles.
double log_boundary(double v, double s, double divergence) {
  if (s * v > 700.0) return s * (divergence - v);
  const double start = std::min(1.0, std::exp(s * (divergence - v)));
  const double shrink = std::exp(-v), falling = std::exp(-s * v);
  // Both sides less e^{-sv}, so that small divergences do not cancel.
  const double wanted = s * divergence < 1.0 ? falling * std::expm1(s * divergence) : start - falling;
  double p = start < 1.0 ? start : 1.0 - 0x1p-53;
  for (int i = 0; i < kMostNewtonSteps; ++i) {
    const double rest = (s + 1.0) * std::log1p(-p) - s * std::log1p(-p * shrink);
    const double value = p + falling * std::expm1(rest) - wanted;
    const double slope = 1.0 + falling * std::exp(rest) * (s * shrink / (1.0 - p * shrink) - (s + 1.0) / (1.0 - p));
    const double next = p - value / slope;
    if (!(slope > 0.0) || !(next > 0.0) || !(next < p)) break;
    const bool is_close = p - next < 1e-13 * p;
    p = next;
    if (is_close) break;
  }
  return std::log(p);
}

// As near to the boundary as doubles are.
Ball about_boundary(const Ball& v, const Ball& alpha, const Ball& divergence) {
  return exp(Ball(log_boundary(v.middle(), Ball(alpha - Ball(1)).middle(), divergence.middle())));
}

// Where phi = c and the gradient is parallel to (1, -g): Newton's method for v, by the sign of the residual.
Ball stationary(double start, const Ball& alpha, const Ball& divergence, const Ball& c, const Ball& epsilon) {
  const Ball growth = exp(epsilon);
  const auto residual = [&](const Ball& v) {
    const Ball p = boundary(v, alpha, c, rounded(about_boundary(v, alpha, divergence)));
    const Moment at = moment(p, p * exp(-v), alpha);
    return rounded(at.by_q + growth * at.by_p);
  };
  // Secant steps.
  Ball before(start * (1.0 + 1e-9) + 1e-12);
  Ball v(start);
  Ball value_before = residual(before);
  for (int i = 0; i < kMostNewtonSteps; ++i) {
    const Ball value = residual(v);
    const Ball slope = rounded((value - value_before) / (v - before));
    if (!slope.is_finite() || arb_contains_zero(slope.get()) != 0) break;
    const Ball next = rounded(v - value / slope);
    if (!next.is_finite() || !certainly_less(epsilon, next)) break;
    before = v, value_before = value;
    const double change = std::fabs(Ball((next - v) / v).middle());
    v = next;
    if (change < std::ldexp(1.0, -static_cast<int>(precision() / 2))) break;
  }
  return v;
}

// log(p (1 - e^{epsilon - v})) has one maximum in v > epsilon. Ratios below e^divergence are no constraint at all: there
// p = 1. The largest one, and log(v - max(epsilon, divergence)) there.
struct BestRatio {
  double log_gain, log_beyond;
};

BestRatio best_ratio(double s, double divergence, double epsilon) {
  const double least = std::max(epsilon, divergence);
  const auto log_gain = [&](double u) {
    const double v = least + std::exp(u);
    return log_boundary(v, s, divergence) + std::log(-std::expm1(epsilon - v));
  };
  const double u = best_between(std::log(1e-12), std::log(50.0 + 10.0 / s), log_gain);
  return {log_gain(u), u};
}

// Where the tangent is taken: every point gives a bound, whose distance from the best is of second order. What is as
// small as delta is seen with as many bits more.
struct BestPoint {
  Ball p, v;
};

BestPoint best_point(const BestRatio& about, const Ball& alpha, const Ball& divergence, const Ball& c,
                     const Ball& epsilon) {
  const double delta_bits = std::max(0.0, -about.log_gain / std::log(2.0));
  const double enough = 2.0 * (static_cast<double>(kSearchBits) + delta_bits);
  const WithPrecision search(static_cast<long>(std::fmin(2.0 * static_cast<double>(precision()), enough)));
  const double start = max(epsilon, divergence).middle() + std::exp(about.log_beyond);
  const Ball v = stationary(start, alpha, divergence, c, epsilon);
  return {boundary(v, alpha, c, rounded(about_boundary(v, alpha, divergence))), v};
}

}  // namespace

Ball renyi_delta(const Ball& alpha, const Ball& divergence, const Ball& epsilon) {
  const Ball c = exp((alpha - Ball(1)) * divergence);
  if (!c.is_finite()) return Ball(1);
  if (arb_is_zero(divergence.get()) != 0) return Ball(0);
  const BestRatio about = best_ratio(Ball(alpha - Ball(1)).middle(), divergence.middle(), epsilon.middle());
  const auto [p, v] = best_point(about, alpha, divergence, c, epsilon);
  const WithPrecision more(2 * precision());
  const Ball inside = tangent_bound(p, rounded(p * exp(-v)), alpha, c, epsilon);
  // The best point may be the corner p = 1, q = e^-divergence. Every tangent is a bound.
  const Ball corner = tangent_bound(Ball(1), rounded(exp(-divergence)), alpha, c, epsilon);
  return min(Ball(1), min(inside, corner));
}

Ball best_renyi_delta(const std::function<Ball(const Ball& alpha)>& curve, const Ball& epsilon,
                      const std::optional<Ball>& largest_order) {
  // The larger the better, so that the same search serves.
  const auto value = [&](double u) {
    const WithPrecision less(kSearchBits);
    const Ball divergence = curve(Ball(1) + Ball(std::exp(u)));
    if (!divergence.is_finite()) return -kInfinity;
    const double gain = -best_ratio(std::exp(u), divergence.middle(), epsilon.middle()).log_gain;
    return std::isnan(gain) ? -kInfinity : gain;
  };
  double centre = 0.0;
  double best_value = -kInfinity;
  for (double u = -18.0; u <= 14.0; u += 2.0) {
    const double here = value(u);
    if (best_value < here) best_value = here, centre = u;
  }
  const double best = best_between(centre - 2.0, centre + 2.0, value);
  const auto at = [&](const Ball& alpha) {
    const Ball divergence = curve(alpha);
    return divergence.is_finite() ? renyi_delta(alpha, divergence, epsilon) : Ball(1);
  };
  const Ball found = at(Ball(1) + Ball(std::exp(best)));
  return largest_order ? min(found, at(*largest_order)) : found;
}

Known known_by_renyi(std::function<Ball(const Ball& alpha)> curve, const Divergence& attained) {
  Known known{.delta = [curve, attained](const Ball& epsilon) {
    return Enclosed{best_renyi_delta(curve, epsilon), attained ? attained(epsilon) : Ball(0)};
  }};
  known.renyi = std::move(curve);
  return known;
}

Known known_renyi_point(const Ball& alpha, const Ball& divergence) {
  Known known{.delta = [=](const Ball& epsilon) { return Enclosed{renyi_delta(alpha, divergence, epsilon), Ball(0)}; }};
  // Divergences grow with the order; nothing is known above alpha.
  known.renyi = [=](const Ball& order) {
    if (certainly_less(alpha, order)) return Ball(HUGE_VAL);
    return divergence;
  };
  known.largest_order = alpha;
  return known;
}

}  // namespace doeblin::verify
