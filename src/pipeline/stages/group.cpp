// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/group.hpp"
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated group_of(const Guarantee& before, double k, const std::string& text) {
  if (before.white_box_group) {
    Guarantee after = before.white_box_group(k);
    after.relation = before.relation;
    return {after,
            {.stage = text,
             .source = "C4",
             .statement = before.group_rule,
             .assumptions = {checked("follows from the form of the mechanism's guarantee")}}};
  }
  const Profile profile = black_box_group(before.profile, k);
  // No Renyi rule is known for a black box; k = 1 changes nothing.
  const auto unknown = [renyi = before.renyi](Alpha alpha) {
    return Bracket(renyi.at(alpha).lower(), rounding::kInfinity);
  };
  const RenyiCurve renyi = k == 1.0 ? before.renyi : RenyiCurve(unknown, {.tight = false});
  return {{.profile = profile, .renyi = renyi, .relation = before.relation},
          {.stage = text,
           .source = "C4",
           .statement = "black box: delta_k(eps) <= (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k); lower: one person",
           .assumptions = {checked("holds for every mechanism")}}};
}

}  // namespace

Stage group(double k) {
  require_group_size(k);
  const std::string text = call_text("group", {{"k", k}});
  return {text, [k, text](const Guarantee& before) { return group_of(before, k, text); }};
}

Definition group_definition() {
  return {.name = "group",
          .summary = "protect k people at once",
          .example = "laplace(scale=1) | group(3)",
          .parameters = {{.name = "k", .meaning = "how many people"}},
          .make = [](const Arguments& a) { return group(a.number("k")); }};
}

}  // namespace doeblin::pipeline
