// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/subsampled_renyi.hpp"

#include <cmath>

#include "doeblin/core/whole.hpp"
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

// (alpha - 1) D_alpha is convex in alpha and 0 at 1: the chord between integers lies above it, the extensions of the
// neighbouring chords below.
Bracket between_integers(const RenyiCurve& base, const Bracket& q, double alpha) {
  const double below = std::floor(alpha);
  const auto moment = [&](double order) {
    return order <= 1.0 ? Bracket(0.0) : integer_order(base, q, order) * (order - 1.0);
  };
  const Bracket left = moment(below);
  const Bracket right = moment(below + 1.0);
  const Bracket t = Bracket(alpha) - below;
  const Bracket s = Bracket(alpha) - 1.0;
  const Bracket chord = left + t * (right - left);
  double lower = 0.0;
  if (below >= 2.0) lower = (left + t * (left - moment(below - 1.0))).lower();
  lower = std::max(lower, (right - (1.0 - t) * (moment(below + 2.0) - right)).lower());
  return {std::max(0.0, std::min(lower, chord.upper()) / s.upper() * (1.0 - 1e-15)), (chord / s).upper()};
}

}  // namespace

double removing_renyi(const RenyiCurve& base, const Bracket& rate, Alpha alpha) {
  const double order = alpha.value();
  if (!(std::ceil(order) <= std::min(kLargestSum, base.traits().largest_order))) return rounding::kInfinity;
  if (is_whole(order)) return integer_order(base, rate, order).upper();
  const double below = std::floor(order);
  const auto moment = [&](double whole) {
    return whole <= 1.0 ? Bracket(0.0) : Bracket(integer_order(base, rate, whole).upper()) * (whole - 1.0);
  };
  const Bracket t = Bracket(order) - below;
  return (((1.0 - t) * moment(below) + t * moment(below + 1.0)) / (Bracket(order) - 1.0)).upper();
}

RenyiCurve poisson_renyi(const RenyiCurve& base, const Bracket& rate, const LossPair& sampled_pair) {
  if (rate.lower() >= 1.0) return base;
  RenyiCurve general = forward_renyi_from_pair(sampled_pair);
  // Mass that one neighbour lacks makes every order infinite: the general curve says so.
  if (sampled_pair.forward.delta(Epsilon(rounding::kInfinity)).upper() > 0.0) return general;
  const double bound = sampled_pair.forward.traits().loss_bound;
  const double largest = std::min(kLargestSum, base.traits().largest_order);
  return RenyiCurve(
      [base, rate, general, bound, largest](Alpha alpha) {
        const double order = alpha.value();
        if (is_whole(order) && order <= largest) return min(integer_order(base, rate, order), Bracket(bound));
        const Bracket value = general.at(alpha);
        if (std::isfinite(value.upper()) || !(order + 2.0 <= largest)) return value;
        const Bracket chord = between_integers(base, rate, order);
        return Bracket(std::max(value.lower(), chord.lower()), chord.upper());
      },
      base.traits());
}

}  // namespace doeblin
