// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/group.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated group_of(const Guarantee& before, double k, const std::string& text) {
  const bool white = static_cast<bool>(before.white_box_group);
  const char* black_rule = "black box: delta_k(eps) <= (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k); lower: one person";
  return {group_guarantee(before, k),
          {.stage = text,
           .source = "C4",
           .statement = white ? before.group_rule : black_rule,
           .assumptions = {
               checked(white ? "follows from the form of the mechanism's guarantee" : "holds for every mechanism")}}};
}

}  // namespace

Guarantee group_guarantee(const Guarantee& guarantee, double k) {
  Guarantee after = guarantee.white_box_group
                        ? guarantee.white_box_group(k)
                        : Guarantee{.profile = black_box_group(guarantee.profile, k),
                                    .renyi = black_box_group_renyi(guarantee.profile, guarantee.renyi, k)};
  after.neighbours = in_groups(guarantee.neighbours, k);
  if (guarantee.is_group_bound_only) {
    // The bound of the rule, and what one person has.
    after.profile = enclosed(guarantee.profile, after.profile);
    after.renyi = enclosed(guarantee.renyi, after.renyi);
    if (after.gdp) after.dominating_gdp = after.gdp;
    after.gdp.reset();
    after.zcdp.reset();
    after.pairs.reset();
    after.white_box_group = {};
  }
  return after;
}

Stage group(double k) {
  require_group_size(k);
  const std::string text = call_text("group", {{"k", k}});
  return {text, [k](const Neighbours& before) { return in_groups(before, k); },
          [k, text](const Guarantee& before) { return group_of(before, k, text); }};
}

StageMaker group_maker() {
  return {[](const Call& a, const Settings&) { return group(a.number("k")); }};
}

}  // namespace doeblin::pipeline
