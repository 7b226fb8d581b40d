// SPDX-License-Identifier: Apache-2.0
#include "verify/subsampling/normal_mixture.hpp"

#include <cmath>

#include "verify/known.hpp"

namespace doeblin::verify {
namespace {

// The density, without the factor phi(z) that all of them have in common.
Ball relative_density(const ShiftedMixture& mixture, const Ball& z) {
  Ball sum(0);
  for (const ShiftedPart& part : mixture) sum = sum + part.weight * exp(part.mean * z - square(part.mean) / Ball(2));
  return sum;
}

double mean_of(const ShiftedMixture& mixture) {
  double mean = 0.0;
  for (const ShiftedPart& part : mixture) mean += part.weight.middle() * part.mean.middle();
  return mean;
}

Ball above(const ShiftedMixture& mixture, const Ball& z) {
  Ball sum(0);
  for (const ShiftedPart& part : mixture) sum = sum + part.weight * normal_tail(z - part.mean);
  return sum;
}

ShiftedMixture mirrored(ShiftedMixture mixture) {
  for (ShiftedPart& part : mixture) part.mean = -part.mean;
  return mixture;
}

// log of the ratio of densities, in doubles, for searching.
double log_density(const ShiftedMixture& mixture, double z) {
  double largest = -HUGE_VAL;
  for (const ShiftedPart& part : mixture) {
    const double m = part.mean.middle();
    const double w = part.weight.middle();
    if (w > 0.0) largest = std::max(largest, std::log(w) + m * z - 0.5 * m * m);
  }
  double sum = 0.0;
  for (const ShiftedPart& part : mixture) {
    const double m = part.mean.middle();
    const double w = part.weight.middle();
    if (w > 0.0) sum += std::exp(std::log(w) + m * z - 0.5 * m * m - largest);
  }
  return largest + std::log(sum);
}

// Where P/Q, increasing in z, reaches e^epsilon: found in doubles, then between certified signs.
struct Crossing {
  bool is_found = false;
  bool is_never = false;  ///< P/Q stays below
  Ball z = {};
};

// The derivative of log of the relative density.
Ball log_slope(const ShiftedMixture& mixture, const Ball& z) {
  Ball sum(0);
  for (const ShiftedPart& part : mixture)
    sum = sum + part.weight * part.mean * exp(part.mean * z - square(part.mean) / Ball(2));
  return sum / relative_density(mixture, z);
}

Ball newton_step(const ShiftedMixture& p, const ShiftedMixture& q, const Ball& epsilon, const Ball& z) {
  const Ball value = log(relative_density(p, z)) - log(relative_density(q, z)) - epsilon;
  Ball next = z - value / (log_slope(p, z) - log_slope(q, z));
  arb_get_mid_arb(next.get(), next.get());
  return next;
}

Crossing crossing(const ShiftedMixture& p, const ShiftedMixture& q, const Ball& epsilon) {
  const double level = epsilon.middle();
  const auto below = [&](double z) { return log_density(p, z) - log_density(q, z) < level; };
  double low = -1.0;
  double high = 1.0;
  for (int i = 0; i < 60 && !below(low); ++i) low *= 2.0;
  for (int i = 0; i < 60 && below(high); ++i) high *= 2.0;
  if (below(high)) return {.is_never = true};
  for (int i = 0; i < 200 && high - low > 1e-15 * std::fabs(high); ++i) {
    const double middle = 0.5 * (low + high);
    (below(middle) ? low : high) = middle;
  }
  const Ball growth = exp(epsilon);
  const auto excess = [&](const Ball& z) { return relative_density(p, z) - growth * relative_density(q, z); };
  // Newton's method on the log of the ratio, then certified signs a little to the left and to the right.
  Ball z(0.5 * (low + high));
  for (long digits = 40; digits < precision(); digits *= 2) z = newton_step(p, q, epsilon, z);
  Ball width = max(absolute(z), Ball(1));
  arb_mul_2exp_si(width.get(), width.get(), -precision() / 3);
  const Ball left = Ball(z - width).low_end();
  const Ball right = Ball(z + width).high_end();
  if (!certainly_less(excess(left), Ball(0)) || !certainly_less(Ball(0), excess(right))) return {};
  return {.is_found = true, .z = Ball::between(left, right)};
}

}  // namespace

Ball divergence(const ShiftedMixture& p, const ShiftedMixture& q, const Ball& epsilon) {
  if (mean_of(p) < mean_of(q)) return divergence(mirrored(p), mirrored(q), epsilon);
  const Crossing found = crossing(p, q, epsilon);
  const Ball growth = exp(epsilon);
  const auto excess = [&](const Ball& z) { return relative_density(p, z) - growth * relative_density(q, z); };
  if (found.is_never) {
    // Only beyond this point could P exceed e^epsilon Q.
    const Ball far(0x1p50);
    if (!certainly_less(excess(far), Ball(0))) throw CannotCheck("two mixtures of normal laws that cross far away");
    return Ball::between(Ball(0), above(p, far));
  }
  if (!found.is_found) throw CannotCheck("the point where two mixtures of normal laws cross could not be enclosed");
  const Ball left = found.z.low_end();
  const Ball right = found.z.high_end();
  const Ball value = above(p, left) - growth * above(q, left);
  // What the event {z >= left} misses: the integral of e^eps Q - P from left to the crossing, at most the width of the
  // interval times the largest integrand on it. Of the second order in the width.
  const Ball density = exp(-(square(found.z) / Ball(2))) / sqrt(Ball(2) * pi());
  const Ball slack = absolute(excess(found.z)) * density * (right - left);
  return positive_part(Ball::between(value, value + slack.high_end()));
}

}  // namespace doeblin::verify
