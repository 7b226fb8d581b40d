// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_known.hpp"

#include <algorithm>
#include <cmath>

namespace doeblin::verify {
namespace {

constexpr long kProfileBits = 128;
// From here on the profile is Q(a) up to a small term, a = epsilon/mu - mu/2 being a difference of large numbers.
constexpr double kLargeLevel = 2e4;
constexpr long kMostRunBits = 4096;
constexpr double kFarOut = 41.0;
// Deltas of more parts are not added up one by one.
constexpr std::size_t kMostAdded = 3000;

long bits_for(const Ball& mu) {
  fmpz_t exponent;
  fmpz_init(exponent);
  arf_abs_bound_lt_2exp_fmpz(exponent, arb_midref(mu.get()));
  const double size = std::fabs(fmpz_get_d(exponent));
  fmpz_clear(exponent);
  return kProfileBits + static_cast<long>(std::min(3.0 * size, static_cast<double>(kMostRunBits)));
}

// theta for a large mu: Q(a) - phi(a) R(b), b = a + mu, where the Mills ratio R lies between two convergents of its
// continued fraction, b/(b^2 + 1) < R(b) < (b^2 + 2)/(b^3 + 3b).
Ball profile_of_large(const Ball& epsilon, const Ball& mu) {
  const Ball a = epsilon / mu - mu / Ball(2), b = epsilon / mu + mu / Ball(2), b2 = square(b);
  const Ball density = exp(-(square(a) / Ball(2))) / sqrt(Ball(2) * pi());
  const Ball ratio = Ball::between(b / (b2 + Ball(1)), (b2 + Ball(2)) / (b * (b2 + Ball(3))));
  return normal_tail(a) - density * ratio;
}

std::optional<Pairs> gaussian_pairs(const Ball& mu, bool are_attained) {
  const Divergence both = [mu](const Ball& epsilon) { return theta_of_wide(epsilon, mu); };
  return Pairs{both, both, are_attained, true};
}

std::function<Ball(const Ball&)> renyi_of(const Ball& mu) {
  return [mu](const Ball& alpha) { return alpha * square(mu) / Ball(2); };
}

// k people are at least as private as k times the Gaussian level of one; they sit at different places, so nothing is
// known from below.
std::function<Known(unsigned long)> group_of(const Ball& mu) {
  return [mu](unsigned long k) {
    const Ball level = mu * Ball(static_cast<double>(k));
    return known_dominated(level, [level](const Ball& epsilon) { return profile_at(epsilon, level); });
  };
}

}  // namespace

Ball profile_at(const Ball& epsilon, const Ball& mu) {
  if (arb_is_zero(mu.get())) return Ball(0);
  if (mu.is_infinite()) return Ball(1);
  if (!mu.is_finite()) return Ball::between(Ball(0), Ball(1));
  // A small level is what is left of two numbers near 1/2, a large one makes a difference of large numbers.
  const WithPrecision bits(bits_for(mu));
  const Ball a = epsilon / mu - mu / Ball(2);
  if (certainly_less(Ball(kFarOut), a)) return Ball::between(Ball(0), exp(-(square(a) / Ball(2))) / Ball(2));
  if (certainly_less(Ball(kLargeLevel), mu))
    return Ball::between(profile_of_large(epsilon.high_end(), mu.low_end()),
                         profile_of_large(epsilon.low_end(), mu.high_end()));
  return theta_of_wide(epsilon, mu);
}

Known known_nothing() { return known_level(Ball(0), Ball(0)); }

Known known_level(const Ball& low, const Ball& high) {
  const bool is_exact = arb_equal(low.get(), high.get()) != 0;
  Known known;
  known.delta = [low, high, is_exact](const Ball& epsilon) {
    const Ball upper = profile_at(epsilon, high);
    return Enclosed{upper, is_exact ? upper : profile_at(epsilon, low)};
  };
  known.pairs = gaussian_pairs(high, is_exact);
  (is_exact ? known.mu : known.dominating_mu) = high;
  known.renyi = renyi_of(high);
  known.group = group_of(high);
  return known;
}

Known known_dominated(const Ball& mu, std::function<Ball(const Ball& epsilon)> delta) {
  Known known;
  known.delta = [delta = std::move(delta)](const Ball& epsilon) { return Enclosed{delta(epsilon), Ball(0)}; };
  known.dominating_mu = mu;
  known.renyi = renyi_of(mu);
  known.group = group_of(mu);
  return known;
}

Known known_repeated(const std::vector<Known>& parts, double times) {
  Ball squares(0);
  bool is_exact = true;
  for (const Known& part : parts) {
    squares = squares + square(part.mu ? *part.mu : part.dominating_mu.value());
    is_exact = is_exact && part.mu;
  }
  const Ball level = sqrt(squares * Ball(times));
  if (is_exact) return known_level(level, level);
  const Ball releases(times * static_cast<double>(parts.size()));
  return known_dominated(level, [parts, times, level, releases](const Ball& epsilon) {
    if (parts.size() > kMostAdded) return profile_at(epsilon, level);
    Ball sum(0);
    for (const Known& part : parts) sum = sum + part.delta(epsilon / releases).upper;
    return min(profile_at(epsilon, level), sum * Ball(times));
  });
}

}  // namespace doeblin::verify
