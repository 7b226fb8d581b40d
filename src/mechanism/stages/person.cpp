// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

Stage person(double i) {
  const auto only_one = [i](Neighbours everybody) {
    everybody.places = {i};
    everybody.is_of_worst_place = false;
    return everybody;
  };
  const auto no_run = [i](const Mechanism&) -> Evaluated {
    throw InvalidArgument("i", i, "an iterative run right before this stage, such as noisy_sgd(...)");
  };
  return {call_text("person", {{"i", i}}), only_one, no_run, [i](const People& people) { return people.person(i); }};
}

StageMaker person_maker() {
  return {[](const Call& a, const Settings&) { return person(a.number("i")); }};
}

}  // namespace doeblin::pipeline
