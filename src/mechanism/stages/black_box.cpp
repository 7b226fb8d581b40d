// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {
namespace {

Mechanism worst_black_box(const BlackBox& box) {
  Mechanism worst = Mechanism::of_pair(LossPair::symmetric_of(profile_of(box)), renyi_of(box));
  if (!(box.epsilon > 0.0) || std::isinf(box.epsilon)) return worst;
  // Nobody knows what several people have in the worst mechanism for one; Laplace noise is (epsilon, 0)-DP too.
  return std::move(worst).with_example(noise_mechanism(Laplace{.scale = 1.0, .sensitivity = box.epsilon}));
}

}  // namespace

SourceMaker black_box_maker() {
  return {[](const Call& a, const Settings&) {
    const BlackBox mechanism{a.number("epsilon"), a.number("delta")};
    mechanism.validate();
    return Evaluated{worst_black_box(mechanism),
                     {.source = "P4",
                      .statement = "the worst profile that an (epsilon, delta)-DP mechanism can have",
                      .assumptions = {asserted("the mechanism is (epsilon, delta)-DP")}}};
  }};
}

Pipeline black_box(const BlackBox& mechanism) {
  return made(black_box_maker(), call_of("black_box", {{"epsilon", mechanism.epsilon}, {"delta", mechanism.delta}}));
}

}  // namespace doeblin::pipeline
