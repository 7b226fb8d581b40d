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

/// Sampling m of n with replacement.
///
/// Formula  delta'(eps') = sum_{k=1}^m Bin(k; m, 1/n) delta_k(eps), eta = 1 - (1 - 1/n)^m,
///          eps = log(1 + (e^{eps'} - 1)/eta), delta_k the profile for k people
/// Source   [BBG18] Theorems 10, 11; catalogue S3, S4
/// Domain   n, m >= 1, integers up to 2^53
[[nodiscard]] Profile sampled_with_replacement(const std::function<Profile(double)>& group_profile, double n, double m);

/// 1 - (1 - 1/n)^m.
[[nodiscard]] Bracket with_replacement_rate(double n, double m);

/// Bin(k; m, 1/n) for k = 0, 1, ... until the rest is below `rest`, which is then an upper bound on what is left.
struct BinomialWeights {
  std::vector<Bracket> weights;
  double rest;
};
[[nodiscard]] BinomialWeights binomial_weights(double n, double m, double rest);

}  // namespace doeblin
