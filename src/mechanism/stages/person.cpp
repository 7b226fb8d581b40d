// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

StageMaker person_maker() {
  return {[](const Call& a, const Settings&) {
    const double i = a.number("i");
    const auto only_one = [i](Neighbours everybody) {
      everybody.places = {i};
      everybody.is_of_worst_place = false;
      return everybody;
    };
    const auto no_run = [i](const Mechanism&) -> Evaluated {
      throw InvalidArgument("i", i, "an iterative run right before this stage, such as noisy_sgd(...)");
    };
    return Stage{
        .about = only_one, .apply = no_run, .of_people = [i](const People& people) { return people.person(i); }};
  }};
}

Stage person(double i) { return made(person_maker(), call_of("person", {{"i", i}})); }

}  // namespace doeblin::pipeline
