// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "doeblin/profile/loss_pair.hpp"

/// Amplification by subsampling (catalogue S): a profile or pair in, the sampled one out. A rate is the probability
/// that one person is part of the sample; it is a Bracket because m/n is rarely a double.
namespace doeblin {

/// The rule for one person who is sampled with probability `rate`.
///
/// Formula  delta'(eps') = rate delta(eps), eps = log(1 + (e^{eps'} - 1)/rate)
/// Source   [BBG18] Theorems 8, 9; catalogue S1, S2. For a pair (P, Q) it is D_{e^{eps'}}((1-q) Q + q P || Q)
/// Domain   0 < rate <= 1
/// Bound    `lower` is attained by randomised membership (S6)
[[nodiscard]] Profile sampled(const Profile& profile, const Bracket& rate);

/// The other direction of the same pair: D_{e^{eps'}}(Q || (1-q) Q + q P), where `profile` is D(Q||P).
///
/// Formula  w delta(log(q e^{eps'}/w)), w = 1 - (1-q) e^{eps'}; 0 where w <= 0
/// Source   [ZDW22]; catalogue S7
[[nodiscard]] Profile sampled_backward(const Profile& profile, const Bracket& rate);

/// Poisson sampling under add/remove: ((1-q) Q + q P, Q), the forward direction being "remove". Catalogue S7.
[[nodiscard]] LossPair poisson_sampled(const LossPair& pair, const Bracket& rate);
[[nodiscard]] LossPairs poisson_sampled(const LossPairs& pairs, const Bracket& rate);

/// Sampling a fixed number without replacement under substitution. Dominated by the rule in both directions, which is
/// a profile and not one pair; attained is the pair in which everybody else contributes nothing. Catalogue S2, S7.
[[nodiscard]] LossPairs sampled_without_replacement(const LossPairs& pairs, const Bracket& rate);

/// How many of some people become part of a sample: the weight of 0, 1, ... of them.
struct CountWeights {
  std::vector<Bracket> weights;
  double rest;   ///< at least the weight of all larger counts
  Bracket some;  ///< the probability that any of them does, 1 - weights[0] without its rounding
};

/// Bin(k; trials, p) for k = 0, 1, ... until the rest is below `rest`.
/// Domain: 0 < p <= 1, trials a whole number from 1 to 2^53
[[nodiscard]] CountWeights binomial_weights(const Bracket& p, double trials, double rest);

/// How many of `people` are among m that are drawn from n without replacement.
/// Domain: whole numbers, 1 <= m <= n, 1 <= people <= n
[[nodiscard]] CountWeights hypergeometric_weights(double n, double m, double people, double rest);

/// A number of records that changes, each of which is one person's to the mechanism that gets the sample.
///
/// Formula  delta'(eps') = sum_{j>=1} w_j delta_j(eps), eta = 1 - w_0, eps = log(1 + (e^{eps'} - 1)/eta), delta_j the
///          profile for j people
/// Source   [BBG18] Theorems 7, 10, 11: with replacement (catalogue S3, S4); several people sampled each for
///          themselves (S10)
[[nodiscard]] Profile sampled_counts(const std::function<Profile(double)>& group_profile, const CountWeights& counts);

/// Poisson sampling when people are exchanged for others, each pair with one coin; the base is private for adding and
/// removing.
///
/// Formula  delta'(eps') = sum_{j>=1} w_j ((1 - b) delta_j(eps) + b delta_{2j}(eps)), e^{eps'} - 1 = eta (e^eps - 1),
///          b = e^{eps' - eps}
/// Source   [BBG18] Theorem 2 with the three laws on a diagonal coupling; catalogue S11
[[nodiscard]] Profile sampled_exchanges(const std::function<Profile(double)>& group_profile,
                                        const CountWeights& counts);

}  // namespace doeblin
