// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/noise_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/parallel.hpp"

namespace doeblin {
namespace {

using numerics::exp;
using Shifts = std::vector<Shift>;

// What is left out of a mixture has at most this weight, which no answer depends on.
constexpr double kLeastWeight = 1e-300;

double farthest_shift(const Shifts& mixture) {
  double largest = 0.0;
  for (const Shift& shift : mixture) largest = std::max(largest, shift.multiple);
  return largest;
}

// log sum w e^a for weights that add up to 1, up to a rest below 1e-300. Near 0 it is log(1 + sum w (e^a - 1)), which
// keeps its digits when most of the weight has a = 0.
Bracket log_sum(const Shifts& mixture, const std::vector<Bracket>& ratios) {
  double about = 0.0;
  for (std::size_t i = 0; i < mixture.size(); ++i) about += mixture[i].weight.upper() * std::expm1(ratios[i].upper());
  if (about > -0.4 && about < 0.9) {
    Bracket excess(-kLeastWeight, 0.0);
    for (std::size_t i = 0; i < mixture.size(); ++i)
      if (mixture[i].multiple > 0.0) excess = excess + mixture[i].weight * numerics::expm1(ratios[i]);
    if (excess.lower() > -0.5 && excess.upper() < 1.0) return numerics::log1p(excess);
  }
  Bracket sum(-rounding::kInfinity);
  for (std::size_t i = 0; i < mixture.size(); ++i)
    sum = numerics::log_add_exp(sum, numerics::log(mixture[i].weight) + ratios[i]);
  return sum;
}

// The likelihood ratios at a point: of every component to the noise around 0, and of the mixtures to each other.
struct Likelihoods {
  std::vector<Bracket> of_p;
  std::vector<Bracket> of_q;  // at the mirror image of the point
  Bracket level;
};

Likelihoods likelihoods(const ShiftedNoise& noise, const Shifts& p, const Shifts& q, double z) {
  Likelihoods here;
  for (const Shift& shift : p) here.of_p.push_back(noise.log_ratio(z, shift.multiple));
  for (const Shift& shift : q) here.of_q.push_back(noise.log_ratio(-z, shift.multiple));
  here.level = log_sum(p, here.of_p) - log_sum(q, here.of_q);
  return here;
}

Bracket delta_at(const ShiftedNoise& noise, const Shifts& p, const Shifts& q, const Likelihoods& here) {
  Bracket sum(0.0);
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i].multiple > 0.0) sum = sum + p[i].weight * noise.divergence(here.of_p[i], p[i].multiple);
  for (std::size_t j = 0; j < q.size(); ++j)
    if (q[j].multiple > 0.0)
      sum = sum + q[j].weight * exp(here.level + here.of_q[j]) * noise.divergence(-here.of_q[j], q[j].multiple);
  return clamp(sum, 0.0, 1.0);
}

// log sum w e^{a} and its derivative in z, in plain doubles.
ShiftedNoise::Slope approximate_log_sum(const ShiftedNoise& noise, const Shifts& mixture, double z) {
  double excess = 0.0, increase = 0.0;
  for (const Shift& k : mixture) {
    const ShiftedNoise::Slope ratio = noise.approximate_log_ratio(z, k.multiple);
    const double growth = std::expm1(ratio.value);
    excess += k.weight.upper() * growth;
    increase += k.weight.upper() * (growth + 1.0) * ratio.derivative;
  }
  if (excess > -0.5 && excess < 1.0) return {std::log1p(excess), increase / (1.0 + excess)};
  double peak = -rounding::kInfinity;
  for (const Shift& k : mixture)
    if (k.weight.upper() > 0.0)
      peak = std::max(peak, std::log(k.weight.upper()) + noise.approximate_log_ratio(z, k.multiple).value);
  double sum = 0.0, rise = 0.0;
  for (const Shift& k : mixture) {
    const ShiftedNoise::Slope ratio = noise.approximate_log_ratio(z, k.multiple);
    const double term = k.weight.upper() * std::exp(ratio.value - peak);
    sum += term;
    rise += term * ratio.derivative;
  }
  return {std::log(sum) + peak, rise / sum};
}

// About where the loss is epsilon, and how fast it grows there.
struct Crossing {
  double z;
  double slope;
};

// The z between low and high where the loss is epsilon, by Newton's method inside a bracket that shrinks.
Crossing approximate_crossing(const ShiftedNoise& noise, const Shifts& p, const Shifts& q, double low, double high,
                              double epsilon, double guess) {
  double z = guess > low && guess < high ? guess : std::clamp(0.0, low, high);
  double slope = 0.0;
  for (int i = 0; i < 200; ++i) {
    const ShiftedNoise::Slope above = approximate_log_sum(noise, p, z);
    const ShiftedNoise::Slope below = approximate_log_sum(noise, q, -z);
    const double miss = above.value - below.value - epsilon;
    (miss > 0.0 ? high : low) = z;
    slope = above.derivative + below.derivative;
    double next = slope > 0.0 ? z - miss / slope : rounding::kInfinity;
    if (!(next > low && next < high)) {
      next = 0.5 * (low + high);
      if (next <= low || next >= high) break;
    }
    const bool is_settled = std::fabs(next - z) <= 1e-15 * std::fabs(z);
    z = next;
    if (is_settled) break;
  }
  return {z, slope};
}

}  // namespace

NoiseMixture shifts_of(const CountWeights& counts) {
  NoiseMixture mixture{{}, counts.rest};
  for (std::size_t k = 0; k < counts.weights.size(); ++k)
    if (counts.weights[k].upper() > 0.0) mixture.shifts.push_back({counts.weights[k], static_cast<double>(k)});
  return mixture;
}

NoiseMixture NoiseMixture::binomial(double people, const Bracket& rate) {
  return people == 0.0 ? still() : shifts_of(binomial_weights(rate, people, kLeastWeight));
}

namespace {

struct Divergence {
  Bracket delta;
  double z;  // about where it is decided
};

Divergence divergence_from(const ShiftedNoise& noise, const NoiseMixture& p, const NoiseMixture& q, double epsilon,
                           double guess) {
  const double high = noise.farthest(farthest_shift(p.shifts));
  const double low = -noise.farthest(farthest_shift(q.shifts));
  const auto at = [&](double z) { return likelihoods(noise, p.shifts, q.shifts, z); };
  // What is left out of P counts in full against the upper end, what is left out of Q e^eps times against the lower one.
  const auto with_rest = [&](double lower, double upper) {
    const double missing = q.rest > 0.0 ? (exp(Bracket(epsilon)) * q.rest).upper() : 0.0;
    return clamp({rounding::sub_down(lower, missing), rounding::add_up(upper, p.rest)}, 0.0, 1.0);
  };
  // The loss is above epsilon nowhere, or only where all of P has underflowed.
  const double most =
      approximate_log_sum(noise, p.shifts, high).value - approximate_log_sum(noise, q.shifts, -high).value;
  if (!(most > epsilon + 1e-6 * (1.0 + std::fabs(most))) && at(high).level.upper() <= epsilon)
    return {with_rest(0.0, std::isfinite(noise.loss_bound(1.0)) ? 0.0 : rounding::kSmallest), high};
  const Crossing crossing = approximate_crossing(noise, p.shifts, q.shifts, low, high, epsilon, guess);
  // Step away from the crossing until the likelihood ratio is certainly on the right side: as far as its bracket is wide,
  // then further. At `low` the loss is never above 0; beyond `high` nothing is left.
  const Bracket level = at(crossing.z).level;
  const double width = std::max(std::fabs(level.upper() - epsilon), std::fabs(epsilon - level.lower()));
  const double first = std::max(1.25 * width / crossing.slope, 0x1p-51 * std::fabs(crossing.z));
  const auto certified = [&](double sign) {
    double step = first > 0.0 && std::isfinite(first) ? first : 0x1p-52 * (high - low);
    for (int i = 0; i < 60; ++i, step *= 4.0) {
      const double point = crossing.z + sign * step;
      if (!(point > low && point < high)) break;
      Likelihoods here = at(point);
      if (sign > 0.0 ? here.level.lower() >= epsilon : here.level.upper() <= epsilon) return here;
    }
    return at(sign > 0.0 ? high : low);
  };
  const double upper = delta_at(noise, p.shifts, q.shifts, certified(-1.0)).upper();
  const Likelihoods after = certified(1.0);
  const double lower = after.level.lower() >= epsilon ? delta_at(noise, p.shifts, q.shifts, after).lower() : 0.0;
  return {with_rest(std::min(lower, upper), upper), crossing.z};
}

}  // namespace

Bracket divergence(const ShiftedNoise& noise, const NoiseMixture& p, const NoiseMixture& q, Epsilon epsilon) {
  if (std::isinf(epsilon.value())) return {0.0, p.rest};
  return divergence_from(noise, p, q, epsilon.value(), 0.0).delta;
}

namespace {

// No finite loss of P against Q is larger.
double loss_bound(const ShiftedNoise& noise, const NoiseMixture& p, const NoiseMixture& q) {
  const double reach = farthest_shift(p.shifts);
  // K(0) is at most 1/w times a mixture that contains it with weight w.
  if (reach == 0.0 && p.rest == 0.0 && q.shifts[0].multiple == 0.0 && q.shifts[0].weight.lower() > 0.0)
    return std::max(0.0, -numerics::log(q.shifts[0].weight).lower());
  if (p.rest > 0.0 || std::isinf(noise.loss_bound(1.0))) return rounding::kInfinity;
  // Where the ratio no longer grows.
  return std::max(0.0, likelihoods(noise, p.shifts, q.shifts, noise.farthest(reach)).level.upper());
}

// Below this, starting threads takes longer than asking.
constexpr std::size_t kBlock = 64;

Profile one_direction(const SharedNoise& noise, const NoiseMixture& p, const NoiseMixture& q) {
  ProfileTraits traits{.loss_bound = loss_bound(*noise, p, q)};
  // As if everybody took part.
  if (p.rest == 0.0 && q.rest == 0.0)
    traits.majorant = noise->majorant(rounding::add_up(farthest_shift(p.shifts), farthest_shift(q.shifts)));
  const auto delta = [=, bound = traits.loss_bound](double epsilon, double& z) {
    if (epsilon >= bound) return Bracket(0.0);
    if (std::isinf(epsilon)) return Bracket(0.0, p.rest);
    const Divergence found = divergence_from(*noise, p, q, epsilon, z);
    z = found.z;
    return found.delta;
  };
  const auto one = [delta](Epsilon epsilon) {
    double z = 0.0;
    return delta(epsilon.value(), z);
  };
  // Each search begins where the last one ended. Blocks do not depend on the number of threads, nor do the values.
  const auto many = [delta](std::span<const double> epsilon, std::span<double> lower, std::span<double> upper) {
    numerics::parallel_for((epsilon.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
      double z = 0.0;
      for (std::size_t i = block * kBlock; i < std::min((block + 1) * kBlock, epsilon.size()); ++i) {
        const Bracket value = delta(Epsilon(epsilon[i]).value(), z);
        lower[i] = value.lower(), upper[i] = value.upper();
      }
    });
    double widest = 0.0;
    for (std::size_t i = 0; i < epsilon.size(); ++i) widest = std::max(widest, Bracket(lower[i], upper[i]).width());
    return widest;
  };
  return Profile(one, traits).with_batch(many);
}

}  // namespace

LossPair mixture_pair(const SharedNoise& noise, const NoiseMixture& p, const NoiseMixture& q) {
  return {one_direction(noise, p, q), one_direction(noise, q, p), false};
}

LossPair with_replacement_pair(const SharedNoise& noise, double n, double m) {
  return mixture_pair(noise, NoiseMixture::binomial(m, 1.0 / Bracket(n)), NoiseMixture::still());
}

LossPair poisson_substitution_pair(const SharedNoise& noise, const Bracket& rate, double people) {
  const NoiseMixture mixture = NoiseMixture::binomial(people, rate);
  return LossPair::symmetric_of(one_direction(noise, mixture, mixture));
}

LossPair shifted_poisson_pair(double move, double jump, double rate) {
  require(move >= 0.0 && std::isfinite(move), "move", move, "0 <= move < infinity");
  require(jump >= 0.0 && std::isfinite(jump), "jump", jump, "0 <= jump < infinity");
  require(rate > 0.0 && rate <= 1.0, "rate", rate, "0 < rate <= 1");
  // Means that are rounded up dominate (I18's lemma).
  const NoiseMixture moved{{{1.0 - Bracket(rate), move}, {Bracket(rate), rounding::add_up(move, jump)}}};
  return mixture_pair(normal_noise(numerics::Wide(1.0)), moved, NoiseMixture::still());
}

}  // namespace doeblin
