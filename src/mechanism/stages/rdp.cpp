// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {
namespace {

Mechanism any_of_one_order(const RenyiPoint& point) {
  Mechanism any = Mechanism::of_profile(profile_of(point), renyi_of(point));
  if (!std::isfinite(point.alpha) || !std::isfinite(2.0 * point.divergence)) return any;
  // alpha mu^2/2 is the divergence of the Gaussian mechanism: nearly the worst of a single release at small deltas.
  const Gdp gaussian{sqrt(numerics::ratio(2.0 * point.divergence, point.alpha))};
  any = std::move(any).with_example(Mechanism::of(gaussian));
  // Of many releases, those are the worst whose losses are hardly larger than epsilon and never smaller than that.
  if (const auto steps = strongest_steps(point)) any = std::move(any).with_example(noise_mechanism(*steps));
  return any;
}

}  // namespace

SourceMaker rdp_maker() {
  return {[](const Call& a, const Settings&) {
    const RenyiPoint point{a.number("alpha"), a.number("epsilon")};
    return Evaluated{
        any_of_one_order(point),
        {.source = "P7, C3",
         .statement = "one Renyi order, converted by the optimal rule; lower: a mechanism that meets it in both "
                      "directions",
         .assumptions = {asserted("the mechanism is (alpha, epsilon)-RDP, in both directions")}}};
  }};
}

Pipeline rdp(const RenyiPoint& point) {
  return made(rdp_maker(), call_of("rdp", {{"alpha", point.alpha}, {"epsilon", point.divergence}}));
}

}  // namespace doeblin::pipeline
