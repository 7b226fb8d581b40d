// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/subsampling.hpp"

#include <cmath>
#include <memory>

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

using numerics::exp;
using numerics::expm1;
using numerics::log;
using numerics::log1p;
using rounding::kInfinity;

// Beyond this e^{-eps} is a small correction, and e^{eps} would overflow sooner or later.
constexpr double kLargeLoss = 1.0;

// log(1 + (e^{eps'} - 1)/q), the base level behind a sampled one. For large eps' it is
// eps' - log q + log(1 - (1-q) e^{-eps'}).
Bracket base_level(double sampled_level, const Bracket& rate) {
  const Bracket level(sampled_level);
  if (sampled_level < kLargeLoss) return log1p(expm1(level) / rate);
  return level - log(rate) + log1p(-((1.0 - rate) * exp(-level)));
}

// log(1 + q (e^eps - 1)), its inverse. For large eps it is eps + log(q + (1-q) e^{-eps}).
Bracket sampled_level(const Bracket& base, const Bracket& rate) {
  if (std::isinf(base.upper()) && std::isinf(base.lower())) return base;
  if (base.upper() < kLargeLoss) return log1p(rate * expm1(base));
  return max(base + log(rate + (1.0 - rate) * exp(-base)), Bracket(0.0));
}

// A profile at a level that is only known to a bracket.
Bracket delta_between(const Profile& profile, const Bracket& level) {
  const double low = std::max(0.0, level.lower());
  const double high = std::max(0.0, level.upper());
  if (low == high) return profile.delta(Epsilon(low));
  return {profile.delta(Epsilon(high)).lower(), profile.delta(Epsilon(low)).upper()};
}

ProfileTraits sampled_traits(const Profile& profile, double loss_bound) {
  ProfileTraits traits = profile.traits();
  traits.loss_bound = loss_bound;
  traits.log_concave = false;
  // A sampled level is at most the base level, so that rate * delta(eps') >= rate * delta(eps).
  if (profile.traits().log_concave) traits.majorant = std::make_shared<const Profile>(profile);
  return traits;
}

}  // namespace

Profile sampled(const Profile& profile, const Bracket& rate) {
  ensure(rate.lower() > 0.0, "sampled: rate > 0");
  const Bracket q(rate.lower(), std::min(1.0, rate.upper()));
  if (q.lower() == 1.0) return profile;
  const auto delta = [profile, q](Epsilon epsilon) {
    if (std::isinf(epsilon.value())) return q * profile.delta(epsilon);
    return clamp(q * delta_between(profile, base_level(epsilon.value(), q)), 0.0, 1.0);
  };
  const double bound = sampled_level(Bracket(profile.traits().loss_bound), q).upper();
  const ProfileTraits traits = sampled_traits(profile, bound);
  if (!profile.traits().costly) return Profile(delta, traits);
  // Where an evaluation is a search, the inverse is taken through the base's own.
  const auto epsilon = [profile, q](Delta level) {
    const Bracket base_delta = Bracket(level.value()) / q;
    const double low = base_delta.upper() >= 1.0 ? 0.0 : profile.epsilon(Delta(base_delta.upper())).lower();
    const double high = base_delta.lower() >= 1.0 ? 0.0 : profile.epsilon(Delta(base_delta.lower())).upper();
    return Bracket(sampled_level(Bracket(low), q).lower(), sampled_level(Bracket(high), q).upper());
  };
  return Profile(delta, epsilon, traits);
}

Profile sampled_backward(const Profile& profile, const Bracket& rate) {
  ensure(rate.lower() > 0.0, "sampled_backward: rate > 0");
  const Bracket q(rate.lower(), std::min(1.0, rate.upper()));
  if (q.lower() == 1.0) return profile;
  const auto delta = [profile, q](Epsilon epsilon) {
    const double eps = epsilon.value();
    const Bracket growth = expm1(Bracket(eps));
    const Bracket w = q - (1.0 - q) * growth;
    if (w.upper() <= 0.0) return Bracket(0.0);
    // q e^{eps}/w >= 1; at w = 0 the level is infinite.
    const auto level = [&](double value) {
      if (value <= 0.0) return Bracket(kInfinity);
      return eps - log(Bracket(value) / q);
    };
    // Increasing in w: the level falls as w grows.
    const double upper = (Bracket(w.upper()) * delta_between(profile, level(w.upper()))).upper();
    const double least = std::max(0.0, w.lower());
    const double lower = (Bracket(least) * delta_between(profile, level(least))).lower();
    return clamp({lower, upper}, 0.0, 1.0);
  };
  // The loss is at most -log(1 - q (1 - e^{-B})), with B infinite if some losses are.
  const bool bounded = std::isfinite(profile.traits().loss_bound) && profile.delta(Epsilon(kInfinity)).upper() == 0.0;
  const Bracket fall = bounded ? expm1(Bracket(-profile.traits().loss_bound)) : Bracket(-1.0);
  const Bracket shrink = max(q * fall, Bracket(-1.0));
  const double bound = -log1p(Bracket(shrink.lower())).lower();
  return Profile(delta, sampled_traits(profile, bound));
}

LossPair poisson_sampled(const LossPair& pair, const Bracket& rate) {
  if (rate.lower() >= 1.0) return pair;
  return {sampled(pair.forward, rate), sampled_backward(pair.backward, rate), false};
}

LossPairs poisson_sampled(const LossPairs& pairs, const Bracket& rate) {
  LossPairs result{.dominating = Dominating(poisson_sampled(*pairs.dominating, rate)), .is_exact = pairs.is_exact};
  if (pairs.attained) result.attained = Attained(poisson_sampled(**pairs.attained, rate));
  return result;
}

LossPairs sampled_without_replacement(const LossPairs& pairs, const Bracket& rate) {
  if (rate.lower() >= 1.0) return pairs;
  const LossPair& base = *pairs.dominating;
  LossPairs result{.dominating =
                       Dominating(LossPair{sampled(base.forward, rate), sampled(base.backward, rate), base.symmetric})};
  if (pairs.attained) result.attained = Attained(poisson_sampled(**pairs.attained, rate));
  return result;
}

namespace {

// Weights of 0, 1, ... from the log of the first and the ratios of neighbours, which fall: once one is below 1/2, the
// rest is at most twice the next term.
template <typename Ratio>
CountWeights weights_by_ratio(Bracket log_weight, const Ratio& ratio, double last, double rest) {
  CountWeights result{.weights = {}, .rest = 0.0, .some = Bracket(0.0, 1.0)};
  for (double k = 0.0;; ++k) {
    result.weights.push_back(clamp(exp(log_weight), 0.0, 1.0));
    if (k == last) return result;
    const Bracket next = ratio(k);
    log_weight = log_weight + log(next);
    if (next.upper() >= 0.5) continue;
    result.rest = rounding::mul_up(2.0, exp(log_weight).upper());
    if (result.rest <= rest) return result;
    result.rest = 0.0;
  }
}

}  // namespace

CountWeights binomial_weights(const Bracket& p, double trials, double rest) {
  if (p.lower() >= 1.0) {
    CountWeights result{std::vector<Bracket>(static_cast<std::size_t>(trials) + 1, Bracket(0.0)), 0.0, Bracket(1.0)};
    result.weights.back() = Bracket(1.0);
    return result;
  }
  const Bracket odds = p / (1.0 - p);
  const Bracket log_none = trials * log1p(-p);
  CountWeights result = weights_by_ratio(
      log_none, [&](double k) { return (trials - k) / Bracket(k + 1.0) * odds; }, trials, rest);
  result.some = clamp(-expm1(log_none), 0.0, 1.0);
  return result;
}

CountWeights hypergeometric_weights(double n, double m, double people, double rest) {
  // Pr[none] = prod_{i < people} (n - m - i)/(n - i), or with the two exchanged: the shorter product.
  const double draws = std::min(m, people);
  const double others = std::max(m, people);
  if (others + draws > n) {
    // Some of them are drawn for certain: count from the least possible number on.
    const double least = others + draws - n;
    Bracket log_weight(0.0);
    // Pr[least] = prod_{i < n - others} (draws - i)/(n - i) ... by symmetry the probability that all who are left out
    // are of these people.
    const double left_out = n - others;
    for (double i = 0.0; i < left_out; ++i) log_weight = log_weight + log((draws - i) / Bracket(n - i));
    CountWeights result = weights_by_ratio(
        log_weight,
        [&](double k) {
          const double count = least + k;
          return (draws - count) / Bracket(count + 1.0) * ((others - count) / Bracket(k + 1.0));
        },
        draws - least, rest);
    result.weights.insert(result.weights.begin(), static_cast<std::size_t>(least), Bracket(0.0));
    result.some = Bracket(1.0);
    return result;
  }
  Bracket log_none(0.0);
  for (double i = 0.0; i < draws; ++i) log_none = log_none + log1p(-(others / Bracket(n - i)));
  CountWeights result = weights_by_ratio(
      log_none,
      [&](double k) { return (draws - k) / Bracket(k + 1.0) * ((others - k) / Bracket(n - others - draws + k + 1.0)); },
      draws, rest);
  result.some = clamp(-expm1(log_none), 0.0, 1.0);
  return result;
}

namespace {

// sum_j w_j delta_j at a level, from the profiles of 1, 2, ... people.
Bracket weighted_sum(const CountWeights& counts, const std::vector<Profile>& groups, const Bracket& level) {
  Bracket sum(0.0);
  for (std::size_t k = groups.size(); k > 0; --k)
    if (counts.weights[k].upper() > 0.0) sum = sum + counts.weights[k] * delta_between(groups[k - 1], level);
  return sum;
}

std::vector<Profile> group_profiles(const std::function<Profile(double)>& group_profile, const CountWeights& counts,
                                    double each) {
  std::vector<Profile> groups;
  for (std::size_t k = 1; k < counts.weights.size(); ++k)
    groups.push_back(group_profile(each * static_cast<double>(k)));
  return groups;
}

ProfileTraits counted_traits(const CountWeights& counts, const std::vector<Profile>& groups) {
  ProfileTraits traits{.tight = false, .loss_bound = 0.0};
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (counts.weights[k + 1].upper() == 0.0) continue;
    const ProfileTraits& group = groups[k].traits();
    traits.loss_bound = std::max(traits.loss_bound, sampled_level(Bracket(group.loss_bound), counts.some).upper());
    traits.costly = traits.costly || group.costly;
  }
  if (counts.rest > 0.0) traits.loss_bound = kInfinity;
  return traits;
}

Bracket level_behind(double epsilon, const Bracket& rate) {
  return std::isinf(epsilon) ? Bracket(kInfinity) : base_level(epsilon, rate);
}

}  // namespace

Profile sampled_counts(const std::function<Profile(double)>& group_profile, const CountWeights& counts) {
  const std::vector<Profile> groups = group_profiles(group_profile, counts, 1.0);
  return Profile(
      [counts, groups](Epsilon epsilon) {
        const Bracket sum = weighted_sum(counts, groups, level_behind(epsilon.value(), counts.some));
        return clamp({sum.lower(), rounding::add_up(sum.upper(), counts.rest)}, 0.0, 1.0);
      },
      counted_traits(counts, groups));
}

Profile sampled_exchanges(const std::function<Profile(double)>& group_profile, const CountWeights& counts) {
  const std::vector<Profile> away = group_profiles(group_profile, counts, 1.0);
  const std::vector<Profile> apart = group_profiles(group_profile, counts, 2.0);
  return Profile(
      [counts, away, apart](Epsilon epsilon) {
        const Bracket level = level_behind(epsilon.value(), counts.some);
        // e^{eps' - eps}, which tends to eta.
        const Bracket share = std::isinf(epsilon.value()) ? counts.some : clamp(exp(epsilon.value() - level), 0.0, 1.0);
        const Bracket sum =
            (1.0 - share) * weighted_sum(counts, away, level) + share * weighted_sum(counts, apart, level);
        return clamp({sum.lower(), rounding::add_up(sum.upper(), counts.rest)}, 0.0, 1.0);
      },
      counted_traits(counts, apart));
}

}  // namespace doeblin
