// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/group.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated group_of(const Mechanism& before, double k) {
  const GroupRule* const rule = before.group_rule();
  const char* black_rule = "black box: delta_k(eps) <= (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k); lower: one person";
  return {before.group(k),
          {.source = rule != nullptr ? rule->source : "C4",
           .statement = rule != nullptr ? rule->statement : black_rule,
           .assumptions = {checked(rule != nullptr ? "follows from the form of the mechanism's guarantee"
                                                   : "holds for every mechanism")}}};
}

}  // namespace

StageMaker group_maker() {
  return {[](const Call& a, const Settings&) {
    const double k = a.number("k");
    require_group_size(k);
    return Stage{.about = [k](const Neighbours& before) { return in_groups(before, k); },
                 .apply = [k](const Mechanism& before) { return group_of(before, k); }};
  }};
}

Stage group(double k) { return made(group_maker(), call_of("group", {{"k", k}})); }

}  // namespace doeblin::pipeline
