// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {

Stage person(double i) {
  const auto only_one = [i](Neighbours everybody) {
    everybody.places = {i};
    everybody.is_of_worst_place = false;
    return everybody;
  };
  return {call_text("person", {{"i", i}}), only_one, [i](const Guarantee& run) {
            if (!run.people)
              throw InvalidArgument("i", i, "an iterative run right before this stage, such as noisy_sgd(...)");
            return run.people->person(i);
          }};
}

Definition person_definition() {
  return {
      .name = "person",
      .summary = "the guarantee of one record of a run, instead of the worst",
      .example = "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1) | person(39)",
      .parameters = {{.name = "i", .meaning = "which record, from 1"}},
      .make = [](const Arguments& a) { return person(a.number("i")); }};
}

}  // namespace doeblin::pipeline
