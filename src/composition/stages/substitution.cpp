// SPDX-License-Identifier: Apache-2.0
#include "composition/stages/substitution.hpp"

namespace doeblin::pipeline {
namespace {

constexpr const char* kStatement = "an exchange is a removal and an addition: a group of two";

// Upper ends and the dominating pair are those of two people, one of whom leaves and one of whom joins: some way of
// changing two records is an exchange of one, but nobody says which.
Mechanism exchanged(const Mechanism& before) {
  const Mechanism two = before.group(2.0);
  Neighbours about = before.neighbours();
  about.relation = Relation::kSubstitute;
  return Mechanism::of_dominating(enclosed(Attained(nothing_attained()), Dominating(two.profile())),
                                  at_most(two.renyi()), two.pairs().dominating)
      .about(std::move(about))
      .with_groups({.of = [before](double k) { return exchanged(before.group(k)); },
                    .statement = kStatement,
                    .is_attained = false,
                    .source = "C9"});
}

}  // namespace

Stage as_substitution() {
  return {.about =
              [](Neighbours before) {
                ensure(before.relation == Relation::kAddRemove && !before.size, "an add/remove guarantee");
                require_everybody(before);
                before.relation = Relation::kSubstitute;
                return before;
              },
          .apply =
              [](const Mechanism& before) {
                return Evaluated{exchanged(before),
                                 {.stage = "as substitution",
                                  .source = "C9, C4",
                                  .statement = kStatement,
                                  .assumptions = {checked("holds for data of any size")}}};
              }};
}

}  // namespace doeblin::pipeline
