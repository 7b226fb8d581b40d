// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/renyi_conversion.hpp"

#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/solve.hpp"

// With p = delta (1 + x), 0 < x <= X = (1 - delta)/delta, the sum to be minimised is A + B,
//   log A = log delta + alpha log(1 + x) - (alpha - 1) log x
//   log B = alpha log(1 - p) - (alpha - 1) (eps + log(1 - delta x e^{-eps}))
// Both are convex in x; A falls up to x = alpha - 1 and B always falls, so the minimum lies in [alpha - 1, X], and at
// X when alpha - 1 >= X.
namespace doeblin {
namespace {

using numerics::exp;
using numerics::log;
using numerics::log1p;

struct Problem {
  double alpha;
  double delta;
  double epsilon;

  [[nodiscard]] double largest_x() const { return (1.0 - delta) / delta; }
};

// d log A/dx and d log B/dx at x, plain doubles, each with the log of its term.
struct Terms {
  double log_a, log_b, slope_a, slope_b;
};

Terms terms(const Problem& f, double x) {
  const double s = f.alpha - 1.0;
  const double p = std::min(1.0, f.delta * (1.0 + x));
  const double shrunk = f.delta * x * std::exp(-f.epsilon);
  return {std::log(f.delta) + f.alpha * std::log1p(x) - s * std::log(x),
          f.alpha * std::log1p(-p) - s * (f.epsilon + std::log1p(-shrunk)), f.alpha / (1.0 + x) - s / x,
          f.delta * (-f.alpha / (1.0 - p) + s * std::exp(-f.epsilon) / (1.0 - shrunk))};
}

// x times the derivative of A + B, scaled by the larger of the two.
double rise(const Problem& f, double x) {
  const Terms t = terms(f, x);
  if (!(t.log_b > -rounding::kInfinity)) return x * t.slope_a;
  const double peak = std::max(t.log_a, t.log_b);
  return x * (t.slope_a * std::exp(t.log_a - peak) + t.slope_b * std::exp(t.log_b - peak));
}

double minimiser(const Problem& f) {
  const double low = std::log(std::min(f.alpha - 1.0, f.largest_x()));
  const double high = std::log(f.largest_x());
  return std::exp(numerics::likely_root([&](double log_x) { return rise(f, std::exp(log_x)); }, low, high, 1e-13));
}

// The same quantities as brackets.
struct CertifiedTerms {
  Bracket log_a, log_b, slope_a, slope_b;
};

CertifiedTerms certified_terms(const Problem& f, double x) {
  const Bracket s = Bracket(f.alpha) - 1.0;
  const Bracket p = clamp(Bracket(f.delta) * (1.0 + Bracket(x)), 0.0, 1.0);
  const Bracket fade = exp(Bracket(-f.epsilon));
  const Bracket shrunk = clamp(Bracket(f.delta) * x * fade, 0.0, 1.0);
  const Bracket rest = 1.0 - p;
  CertifiedTerms t;
  t.log_a = log(Bracket(f.delta)) + f.alpha * log1p(Bracket(x)) - s * log(Bracket(x));
  const Bracket log_rest = log1p(-p);
  const Bracket log_other = log1p(-shrunk);
  t.log_b = log_rest.upper() == -rounding::kInfinity ? Bracket(-rounding::kInfinity)
                                                     : f.alpha * log_rest - s * (f.epsilon + log_other);
  t.slope_a = f.alpha / (1.0 + Bracket(x)) - s / x;
  const bool regular = rest.lower() > 0.0 && shrunk.upper() < 1.0;
  t.slope_b = regular ? f.delta * (s * fade / (1.0 - shrunk) - f.alpha / rest) : Bracket(-rounding::kInfinity, 0.0);
  return t;
}

// Encloses log(A + B) at x.
Bracket log_value(const CertifiedTerms& t) { return numerics::log_add_exp(t.log_a, t.log_b); }

// Encloses (A' + B')/(A + B) at x.
Bracket relative_slope(const CertifiedTerms& t) {
  if (t.log_b.upper() == -rounding::kInfinity) return t.slope_a;
  const Bracket total = log_value(t);
  const Bracket weight_a = clamp(exp(t.log_a - total), 0.0, 1.0);
  const Bracket weight_b = clamp(exp(t.log_b - total), 0.0, 1.0);
  return weight_a * t.slope_a + weight_b * t.slope_b;
}

// Encloses the log of the minimum: any point gives the upper end; on [left, right] with certified slopes of opposite
// sign, convexity gives  min >= value(left) (1 + slope(left) (right - left)).
Bracket log_minimum(const Problem& f) {
  if (f.delta == 1.0) return Bracket(rounding::kInfinity);
  const double end = f.largest_x();
  if (f.alpha - 1.0 >= end * (1.0 + 0x1p-50)) {
    // p = 1: (1 - delta)^{1-alpha}.
    return -((Bracket(f.alpha) - 1.0) * log1p(Bracket(-f.delta)));
  }
  const double x = minimiser(f);
  const double upper = log_value(certified_terms(f, x)).upper();
  for (double spread = 1e-8; spread < 1.0; spread *= 8.0) {
    const double left = x * (1.0 - spread);
    const double right = std::min(x * (1.0 + spread), rounding::next_up(end));
    const CertifiedTerms at_left = certified_terms(f, left);
    const Bracket slope = relative_slope(at_left);
    const bool falls_left = slope.upper() <= 0.0;
    const bool rises_right = right >= end || relative_slope(certified_terms(f, right)).lower() >= 0.0;
    if (!falls_left || !rises_right) continue;
    const Bracket factor = 1.0 + slope * Bracket(0.0, rounding::sub_up(right, left));
    if (factor.lower() <= 0.0) continue;
    const double lower = (log_value(at_left) + log(Bracket(factor.lower()))).lower();
    return {lower, upper};
  }
  return {-rounding::kInfinity, upper};
}

// log(min (A + B)) - (alpha - 1)(divergence - eps): non-negative exactly when (alpha, divergence) implies
// (eps, delta).
Bracket margin(const RenyiPoint& point, double epsilon, double delta) {
  const Problem f{point.alpha, delta, epsilon};
  return log_minimum(f) - (Bracket(point.alpha) - 1.0) * (Bracket(point.divergence) - epsilon);
}

// Plain-double versions of the optimal conversion, good enough to choose an order by.
double likely_margin(const RenyiPoint& point, double epsilon, double delta) {
  const Problem f{point.alpha, delta, epsilon};
  const double s = point.alpha - 1.0;
  const double needed = s * (point.divergence - epsilon);
  if (s >= f.largest_x()) return -s * std::log1p(-delta) - needed;
  const Terms t = terms(f, minimiser(f));
  const double peak = std::max(t.log_a, t.log_b);
  return peak + std::log(std::exp(t.log_a - peak) + std::exp(t.log_b - peak)) - needed;
}

// The largest delta another way round, for choosing among orders: delta = p - e^eps q is largest on the boundary of what
// the order allows, p e^{sv} + R = C with v = log(p/q), R = (1-p)^alpha (1-q)^{-s}, C = e^{s divergence}, s = alpha - 1.
struct Boundary {
  double log_p;
  double slope;  // of log p in v
};

// G(p) = p - e^{-sv} (C - R) is convex and not negative at p = e^{s (divergence - v)}: Newton's method falls to its zero
// from there. Where e^{-sv} is beyond the doubles, that start is the answer.
Boundary boundary_at(const RenyiPoint& point, double v) {
  const double s = point.alpha - 1.0;
  const double exponent = s * (point.divergence - v);
  if (s * v > 700.0 || exponent < -700.0) return {exponent, -s};
  const double start = std::exp(exponent), fading = std::exp(-s * v), shrink = std::exp(-v);
  // C - 1, so that small divergences do not cancel.
  const double excess = s * point.divergence < 1.0 ? fading * std::expm1(s * point.divergence) : start - fading;
  double p = std::min(start, 1.0 - 0x1p-53);
  for (int i = 0; i < 40; ++i) {
    const double log_rest = point.alpha * std::log1p(-p) - s * std::log1p(-p * shrink);
    const double rest = std::exp(log_rest);
    const double other = s * shrink / (1.0 - p * shrink);
    const double slope = 1.0 + fading * rest * (other - point.alpha / (1.0 - p));
    const double next = p - (p - excess + fading * std::expm1(log_rest)) / slope;
    const bool is_moving = slope > 0.0 && next > 0.0 && next < p;
    if (!is_moving || p - next < 1e-12 * p) return {std::log(p), -(s - fading * rest * other) / slope};
    p = next;
  }
  return {std::log(p), -s};
}

// log p + log(1 - e^{eps - v}) has one maximum in v. Below v = divergence the order is no constraint, and p = 1.
double likely_log_delta(const RenyiPoint& point, double epsilon) {
  const double s = point.alpha - 1.0;
  const double least = std::max(epsilon, point.divergence);
  const auto fall = [&](double log_beyond) {
    const double v = least + std::exp(log_beyond);
    return -boundary_at(point, v).slope - 1.0 / std::expm1(v - epsilon);
  };
  const double best = numerics::likely_root(fall, std::log(1e-12), std::log(50.0 + 10.0 / s), 1e-6);
  const double v = least + std::exp(best);
  return boundary_at(point, v).log_p + std::log(-std::expm1(epsilon - v));
}

constexpr double kConversionWidth = 1e-10;
// Of what is only to be likely.
constexpr double kLikelyWidth = 1e-11;

}  // namespace

Bracket optimal_epsilon(const RenyiPoint& point, Delta delta) {
  point.validate();
  if (delta.value() == 1.0 || point.divergence == 0.0) return Bracket(0.0);
  if (std::isinf(point.divergence)) return Bracket(rounding::kInfinity);
  const auto shortfall = [&](double epsilon) {
    return std::isinf(epsilon) ? Bracket(-rounding::kInfinity) : -margin(point, epsilon, delta.value());
  };
  return numerics::first_at_most_near(shortfall, 0.0, approximate_epsilon(point, delta.value()), kConversionWidth);
}

Bracket optimal_delta(const RenyiPoint& point, Epsilon epsilon) {
  point.validate();
  if (point.divergence == 0.0) return Bracket(0.0);
  if (std::isinf(point.divergence)) return Bracket(1.0);
  if (std::isinf(epsilon.value())) return Bracket(0.0);
  // The margin grows with delta: nothing smaller than the smallest safe delta is implied.
  const auto shortfall = [&](double delta) {
    if (delta == 0.0) return Bracket(rounding::kInfinity);
    return delta >= 1.0 ? Bracket(-rounding::kInfinity) : -margin(point, epsilon.value(), delta);
  };
  const double likely = std::exp(approximate_log_delta(point, epsilon.value()));
  const Bracket safe = numerics::first_at_most_near(shortfall, 0.0, likely, kConversionWidth);
  return clamp(safe, 0.0, 1.0);
}

bool attaining_pair_is_reversible(const RenyiPoint& point, double epsilon, double delta) {
  const Problem f{point.alpha, delta, epsilon};
  if (!(delta < 1.0) || point.alpha - 1.0 >= f.largest_x()) return false;  // p = 1: the reverse divergence is infinite.
  const double x = minimiser(f);
  const Bracket p = Bracket(delta) * (1.0 + Bracket(x));
  const Bracket q = Bracket(delta) * x * exp(Bracket(-epsilon));
  if (!(p.upper() < 1.0 && q.lower() > 0.0)) return false;
  const Bracket s = Bracket(point.alpha) - 1.0;
  const Bracket reverse =
      numerics::log_add_exp(point.alpha * log(q) - s * log(p), point.alpha * log1p(-q) - s * log1p(-p)) / s;
  return reverse.upper() <= point.divergence;
}

double textbook_epsilon_upper(const RenyiPoint& point, Delta delta) {
  point.validate();
  return (Bracket(point.divergence) - log(Bracket(delta.value())) / (Bracket(point.alpha) - 1.0)).upper();
}

double canonne_kamath_steinke_epsilon_upper(const RenyiPoint& point, Delta delta) {
  point.validate();
  const Bracket alpha(point.alpha);
  const Bracket value =
      point.divergence + log1p(-(1.0 / alpha)) - (log(Bracket(delta.value())) + log(alpha)) / (alpha - 1.0);
  return std::max(0.0, value.upper());
}

double textbook_delta_upper(const RenyiPoint& point, Epsilon epsilon) {
  point.validate();
  const Bracket exponent = (Bracket(point.alpha) - 1.0) * (Bracket(point.divergence) - epsilon.value());
  return std::min(1.0, exp(exponent).upper());
}

double canonne_kamath_steinke_delta_upper(const RenyiPoint& point, Epsilon epsilon) {
  point.validate();
  const Bracket alpha(point.alpha);
  const Bracket s = alpha - 1.0;
  const Bracket exponent = s * (Bracket(point.divergence) - epsilon.value()) - log(s) + alpha * log1p(-(1.0 / alpha));
  return std::min(1.0, exp(exponent).upper());
}

double closed_form_epsilon(const RenyiPoint& point, double delta) {
  const auto [alpha, divergence] = point;
  return std::max(0.0, divergence + std::log1p(-1.0 / alpha) - (std::log(delta) + std::log(alpha)) / (alpha - 1.0));
}

double closed_form_log_delta(const RenyiPoint& point, double epsilon) {
  const auto [alpha, divergence] = point;
  return (alpha - 1.0) * (divergence - epsilon) - std::log(alpha - 1.0) + alpha * std::log1p(-1.0 / alpha);
}

double approximate_epsilon(const RenyiPoint& point, double delta) {
  if (delta >= 1.0) return 0.0;
  const auto margin_at = [&](double epsilon) { return likely_margin(point, epsilon, delta); };
  if (margin_at(0.0) >= 0.0) return 0.0;
  return numerics::likely_root(margin_at, 0.0, closed_form_epsilon(point, delta), kLikelyWidth);
}

double approximate_log_delta(const RenyiPoint& point, double epsilon) {
  const double found = likely_log_delta(point, epsilon);
  return std::isnan(found) ? closed_form_log_delta(point, epsilon) : found;
}

}  // namespace doeblin
