// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/mixed_renyi.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/subsampling/subsampled_renyi.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

constexpr RenyiTraits kUpperOnly{.tight = false, .single_pair = false, .is_of_profile = true};

// log sum_j w_j e^{s R_j} over s, all terms from above; R_0 = 0. For small moments log(1 + sum_j w_j (e^{s R_j} - 1)).
double mixed_upper(const std::vector<RenyiCurve>& curves, const CountWeights& counts, double alpha) {
  if (counts.rest > 0.0) return kInfinity;
  double largest = 0.0;
  std::vector<Bracket> moments;
  const Bracket s = Bracket(alpha) - 1.0;
  for (std::size_t j = 1; j < counts.weights.size(); ++j) {
    const bool counts_at_all = counts.weights[j].upper() > 0.0;
    const double divergence = counts_at_all ? curves[j - 1].at(Alpha(alpha)).upper() : 0.0;
    if (std::isinf(divergence)) return kInfinity;
    largest = std::max(largest, divergence);
    moments.emplace_back(std::isinf(alpha) ? 0.0 : (s * divergence).upper());
  }
  if (std::isinf(alpha) || largest == 0.0) return largest;
  Bracket log_excess(-kInfinity);
  for (std::size_t j = 1; j < counts.weights.size(); ++j) {
    const double weight = counts.weights[j].upper();
    if (!(weight > 0.0) || moments[j - 1].upper() == 0.0) continue;
    // log(e^x - 1) = x + log(1 - e^{-x}).
    const Bracket x = moments[j - 1];
    log_excess =
        numerics::log_add_exp(log_excess, numerics::log(Bracket(weight)) + x + numerics::log(-numerics::expm1(-x)));
  }
  const Bracket log_moment = log_excess.upper() < 0.0 ? numerics::log1p(numerics::exp(log_excess))
                                                      : numerics::log_add_exp(Bracket(0.0), log_excess);
  // A mean of moments is at most the largest.
  return std::min(largest, (log_moment / s).upper());
}

// alpha/(alpha-1) log sum_j w_j e^{(alpha-1) R_j/alpha}: with r_j the ratios, the norm of sum_j w_j r_j under Q is at most
// the sum of their norms.
double minkowski_upper(const std::vector<RenyiCurve>& curves, const CountWeights& counts, double alpha) {
  Bracket log_sum = numerics::log(Bracket(counts.weights[0].upper()));
  const Bracket share = (Bracket(alpha) - 1.0) / alpha;
  for (std::size_t j = 1; j < counts.weights.size(); ++j) {
    const double weight = counts.weights[j].upper();
    if (!(weight > 0.0)) continue;
    const double divergence = curves[j - 1].at(Alpha(alpha)).upper();
    if (std::isinf(divergence)) return kInfinity;
    log_sum = numerics::log_add_exp(log_sum, numerics::log(Bracket(weight)) + share * divergence);
  }
  return std::max(0.0, (log_sum / share).upper());
}

// E[(sum_j w_j r_j)^alpha] is at least each E[(w_j r_j)^alpha].
double largest_term(const std::vector<RenyiCurve>& curves, const CountWeights& counts, double alpha) {
  double largest = 0.0;
  for (std::size_t j = 1; j < counts.weights.size(); ++j) {
    const double weight = counts.weights[j].lower();
    if (!(weight > 0.0)) continue;
    const Bracket s = Bracket(alpha) - 1.0;
    const Bracket term = alpha / s * numerics::log(Bracket(weight)) + curves[j - 1].at(Alpha(alpha)).lower();
    largest = std::max(largest, term.lower());
  }
  return largest;
}

struct CountCurves {
  std::vector<RenyiCurve> of;
  double largest_order;
};

CountCurves curves_of(const std::function<RenyiCurve(double)>& apart, const CountWeights& counts) {
  if (counts.rest > 0.0) return {{}, 1.0};
  CountCurves curves{{}, kInfinity};
  for (std::size_t j = 1; j < counts.weights.size(); ++j) {
    const bool is_needed = counts.weights[j].upper() > 0.0;
    curves.of.push_back(is_needed ? apart(static_cast<double>(j)) : unknown_renyi());
    if (is_needed) curves.largest_order = std::min(curves.largest_order, curves.of.back().traits().largest_order);
  }
  return curves;
}

}  // namespace

RenyiCurve mixed_renyi(const std::function<RenyiCurve(double)>& apart, const CountWeights& counts) {
  const CountCurves curves = curves_of(apart, counts);
  RenyiTraits traits = kUpperOnly;
  traits.largest_order = curves.largest_order;
  return RenyiCurve([=](Alpha alpha) { return Bracket(0.0, mixed_upper(curves.of, counts, alpha.value())); }, traits);
}

RenyiCurve removed_renyi(const std::function<RenyiCurve(double)>& apart, const CountWeights& counts) {
  const CountCurves curves = curves_of(apart, counts);
  RenyiTraits traits = kUpperOnly;
  traits.largest_order = curves.largest_order;
  const double none = counts.weights[0].lower();
  const double most_added = none > 0.0 ? -numerics::log(Bracket(none)).lower() : kInfinity;
  return RenyiCurve(
      [=](Alpha alpha) {
        const double order = alpha.value();
        const double mixed = mixed_upper(curves.of, counts, order);
        if (std::isinf(order) || std::isinf(mixed)) return Bracket(0.0, mixed);
        const double upper = std::min(mixed, std::max(most_added, minkowski_upper(curves.of, counts, order)));
        return Bracket(std::min(upper, largest_term(curves.of, counts, order)), upper);
      },
      traits);
}

RenyiCurve poisson_renyi_bound(const RenyiCurve& base, const Bracket& rate) {
  if (rate.lower() >= 1.0) return at_most(base);
  const CountWeights coin{{1.0 - rate, rate}, 0.0, rate};
  RenyiTraits traits = kUpperOnly;
  traits.largest_order = base.traits().largest_order;
  const double most_added = -numerics::log1p(-rate).lower();
  return RenyiCurve(
      [=](Alpha alpha) {
        const double mixed = mixed_upper({base}, coin, alpha.value());
        const double removed = removing_renyi(base, rate, alpha);
        return Bracket(0.0, std::min(mixed, std::max(removed, most_added)));
      },
      traits);
}

RenyiCurve tightened(const RenyiCurve& curve, const RenyiCurve& other) {
  RenyiTraits traits = curve.traits();
  traits.is_of_profile = true;
  traits.largest_order = std::max(curve.traits().largest_order, other.traits().largest_order);
  return RenyiCurve(
      [=](Alpha alpha) {
        const Bracket own = curve.at(alpha);
        const double upper = std::min(own.upper(), other.at(alpha).upper());
        return Bracket(std::min(own.lower(), upper), upper);
      },
      traits);
}

}  // namespace doeblin
