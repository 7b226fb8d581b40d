// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>

#include "doeblin/core/floating_point.hpp"
#include "doeblin/core/types.hpp"
#include "doeblin/profile/ends.hpp"

namespace doeblin {

/// What is known about a Renyi curve besides its values.
struct RenyiTraits {
  /// The orders at which the curve says something; it is infinite above the largest.
  double largest_order = rounding::kInfinity;
  /// Lower and upper enclose one number, as in ProfileTraits.
  bool tight = true;
  /// The divergence of one symmetric pair, the same at every order. A supremum over several pairs may be reached by
  /// different ones in different mechanisms, so such curves do not add up to a lower end.
  bool single_pair = true;
  /// Made from the profile or the pair of the same mechanism: it says nothing that these do not say.
  bool is_of_profile = false;
};

/// Renyi divergence of order alpha as a function of alpha, the larger of both directions of every neighbouring pair.
class RenyiCurve {
 public:
  using Function = std::function<Bracket(Alpha)>;

  explicit RenyiCurve(Function divergence, RenyiTraits traits = {})
      : divergence_(std::move(divergence)), traits_(traits) {}

  [[nodiscard]] Bracket at(Alpha alpha) const { return require_ieee(), divergence_(alpha); }
  [[nodiscard]] const RenyiTraits& traits() const { return traits_; }

 private:
  Function divergence_;
  RenyiTraits traits_;
};

/// From the lower ends of what some neighbours have to the upper ends of what holds for all.
[[nodiscard]] inline RenyiCurve enclosed(const Attained<RenyiCurve>& attained,
                                         const Dominating<RenyiCurve>& dominating) {
  return RenyiCurve([=](Alpha alpha) { return Bracket(attained->at(alpha).lower(), dominating->at(alpha).upper()); },
                    {.largest_order = dominating->traits().largest_order,
                     .tight = false,
                     .single_pair = false,
                     .is_of_profile = dominating->traits().is_of_profile});
}

/// The larger of the two lower ends, where both hold.
[[nodiscard]] inline RenyiCurve raised(const RenyiCurve& curve, const RenyiCurve& other) {
  return RenyiCurve(
      [=](Alpha alpha) {
        const Bracket value = curve.at(alpha);
        return Bracket(std::max(value.lower(), other.at(alpha).lower()), value.upper());
      },
      curve.traits());
}

/// The upper ends alone: no neighbours are known who come near.
[[nodiscard]] inline RenyiCurve at_most(const RenyiCurve& curve) {
  return RenyiCurve([=](Alpha alpha) { return Bracket(0.0, curve.at(alpha).upper()); },
                    {.largest_order = curve.traits().largest_order,
                     .tight = false,
                     .single_pair = false,
                     .is_of_profile = curve.traits().is_of_profile});
}

/// Nothing is known about any order.
[[nodiscard]] inline RenyiCurve unknown_renyi() {
  return RenyiCurve([](Alpha) { return Bracket(0.0, rounding::kInfinity); },
                    {.largest_order = 1.0, .tight = false, .single_pair = false, .is_of_profile = true});
}

/// Anything with `rdp(m, Alpha)`.
template <typename M>
[[nodiscard]] RenyiCurve renyi_of(const M& mechanism) {
  return RenyiCurve([mechanism](Alpha alpha) { return rdp(mechanism, alpha); });
}

}  // namespace doeblin
