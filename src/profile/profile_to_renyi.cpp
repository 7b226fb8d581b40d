// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/profile_to_renyi.hpp"

#include <optional>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/quadrature.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

constexpr int kFirstCells = 1 << 10;
constexpr int kMostCells = 1 << 17;
constexpr double kTargetWidth = 1e-6;
// A tail below e^-30 of the whole is past caring about.
constexpr double kTailMargin = 30.0;

// log int_end^inf e^{s eps} delta(eps) d eps <= s end + log delta(end) - log(r - s), r the rate of the last secant.
double log_tail_upper(const numerics::ConvexSamples& samples, double s) {
  const std::size_t last = samples.log_values.size() - 3;
  const double high = samples.log_values[last].upper();
  if (high == -kInfinity) return -kInfinity;
  const double rate = (samples.log_values[last - 1].lower() - high) / samples.step * (1.0 - 0x1p-40);
  if (!(rate > s)) return kInfinity;
  return s * end_of(samples) + high - std::log(rate - s) + 1e-9;
}

// The range to integrate over, long enough that the tail does not matter; nothing when no such range is found.
std::optional<double> integration_end(const Profile& profile, const std::function<Bracket(double)>& f, double s) {
  if (std::isfinite(profile.traits().loss_bound)) return profile.traits().loss_bound;
  if (!profile.traits().log_concave) return std::nullopt;
  for (double end = 1e-12; end < 1e12; end *= 2.0) {
    const auto samples = numerics::sample_convex(f, end, 16);
    const double tail = log_tail_upper(samples, s);
    if (tail < numerics::log_exp_weighted_integral(samples, s).upper() - kTailMargin) return end;
  }
  return std::nullopt;
}

// log of the integral in C2, tail included; `fall` stands for -(s + 1), rounded to the side that is wanted.
Bracket log_moment_integral(const numerics::ConvexSamples& samples, double s, double fall, bool has_tail) {
  const Bracket body = numerics::log_add_exp(numerics::log_exp_weighted_integral(samples, s),
                                             numerics::log_exp_weighted_integral(samples, fall));
  if (!has_tail) return body;
  // e^{-(s+1) eps} <= e^{s eps}: twice the tail covers both terms.
  const Bracket tail(-kInfinity, log_tail_upper(samples, s) + std::log(2.0) + 1e-15);
  return numerics::log_add_exp(body, tail);
}

}  // namespace

Bracket renyi_from_profile(const Profile& profile, Alpha alpha) {
  if (std::isinf(alpha.value())) return {0.0, profile.traits().loss_bound};
  const std::function<Bracket(double)> f = [&](double epsilon) { return profile.delta(Epsilon(epsilon)); };
  if (f(0.0).upper() == 0.0) return Bracket(0.0);
  // A positive limit is mass that one neighbour alone can produce.
  if (f(kInfinity).lower() > 0.0) return Bracket(kInfinity);
  const Bracket s = Bracket(alpha.value()) - 1.0;
  const auto end = integration_end(profile, f, s.upper());
  if (!end) return {0.0, kInfinity};
  const bool has_tail = !std::isfinite(profile.traits().loss_bound);
  Bracket result(0.0, kInfinity);
  for (int cells = kFirstCells; cells <= kMostCells && !(result.relative_width() <= kTargetWidth); cells *= 4) {
    const auto samples = numerics::sample_convex(f, *end, cells);
    // e^{s eps} + e^{-(s+1) eps} increases with s.
    const Bracket fall = -(s + 1.0);
    const Bracket integral(log_moment_integral(samples, s.lower(), fall.lower(), has_tail).lower(),
                           log_moment_integral(samples, s.upper(), fall.upper(), has_tail).upper());
    const Bracket log_excess = numerics::log(s * (s + 1.0)) + integral;
    const Bracket divergence = (log_excess.upper() < 0.0 ? numerics::log1p(numerics::exp(log_excess))
                                                         : numerics::log_add_exp(Bracket(0.0), log_excess)) / s;
    result = {std::max(result.lower(), divergence.lower()), std::min(result.upper(), divergence.upper())};
  }
  return result;
}

}  // namespace doeblin
