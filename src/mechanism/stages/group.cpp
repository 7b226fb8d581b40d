// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/group.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated group_of(const Mechanism& before, double k, const std::string& text) {
  const GroupRule* const rule = before.group_rule();
  const char* black_rule = "black box: delta_k(eps) <= (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k); lower: one person";
  return {before.group(k),
          {.stage = text,
           .source = rule != nullptr ? rule->source : "C4",
           .statement = rule != nullptr ? rule->statement : black_rule,
           .assumptions = {checked(rule != nullptr ? "follows from the form of the mechanism's guarantee"
                                                   : "holds for every mechanism")}}};
}

}  // namespace

Stage group(double k) {
  require_group_size(k);
  const std::string text = call_text("group", {{"k", k}});
  return {text, [k](const Neighbours& before) { return in_groups(before, k); },
          [k, text](const Mechanism& before) { return group_of(before, k, text); }};
}

StageMaker group_maker() {
  return {[](const Call& a, const Settings&) { return group(a.number("k")); }};
}

}  // namespace doeblin::pipeline
