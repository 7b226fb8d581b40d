// SPDX-License-Identifier: Apache-2.0
#include "doeblin/amplify/subsampled_renyi.hpp"

#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/profile_to_renyi.hpp"

namespace doeblin {
namespace {

using numerics::log;

// log(e^x - 1) for x > 0.
Bracket log_expm1(const Bracket& x) {
  if (x.upper() <= 0.0) return Bracket(-rounding::kInfinity);
  if (x.upper() < 30.0) return log(max(numerics::expm1(x), Bracket(0.0)));
  return x + numerics::log1p(-numerics::exp(-max(x, Bracket(1.0))));
}

Bracket integer_order(const RenyiCurve& base, const Bracket& q, double alpha) {
  const Bracket log_q = log(q);
  const Bracket log_rest = log(max(1.0 - q, Bracket(0.0)));
  Bracket log_choose(0.0);
  Bracket log_excess(-rounding::kInfinity);
  for (double l = 1.0; l <= alpha; ++l) {
    log_choose = log_choose + log(Bracket(alpha - l + 1.0) / l);
    if (l < 2.0) continue;
    const Bracket moment = base.at(Alpha(l)) * (l - 1.0);
    if (std::isinf(moment.upper())) return {0.0, rounding::kInfinity};
    const Bracket rest = alpha == l ? Bracket(0.0) : (alpha - l) * log_rest;
    log_excess = numerics::log_add_exp(log_excess, log_choose + rest + l * log_q + log_expm1(moment));
  }
  const Bracket log_moment = log_excess.upper() < 0.0 ? numerics::log1p(numerics::exp(log_excess))
                                                      : numerics::log_add_exp(Bracket(0.0), log_excess);
  return max(log_moment / (Bracket(alpha) - 1.0), Bracket(0.0));
}

}  // namespace

RenyiCurve poisson_renyi(const RenyiCurve& base, const Bracket& rate, const LossPair& sampled_pair) {
  if (rate.lower() >= 1.0) return base;
  const RenyiCurve general = renyi_from_pair(sampled_pair);
  const double bound = sampled_pair.forward.traits().loss_bound;
  return RenyiCurve(
      [base, rate, general, bound](Alpha alpha) {
        const double order = alpha.value();
        const bool summable = order == std::floor(order) && order <= std::min(kLargestSum, base.traits().largest_order);
        return min(summable ? integer_order(base, rate, order) : general.at(alpha), Bracket(bound));
      },
      base.traits());
}

}  // namespace doeblin
