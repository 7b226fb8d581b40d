// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/stage.hpp"

#include <fmt/format.h>

#include "doeblin/core/format.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated applied_to_each(const Stage& stage, const Mechanism& before) {
  const double people = before.neighbours().people;
  ensure(static_cast<bool>(before.single()), "what one of a group has is known");
  Evaluated after = applied(stage, before.single()());
  after.mechanism = after.mechanism.group(people);
  after.step.source += ", S10";
  after.step.statement += fmt::format("; each of the {} people for themselves", format_exact(people));
  return after;
}

}  // namespace

Evaluated applied(const Stage& stage, const Mechanism& before) {
  if (stage.is_for_each_person && before.neighbours().people > 1.0) return applied_to_each(stage, before);
  Neighbours about = stage.about(before.neighbours());
  Evaluated after = stage.apply(before);
  after.mechanism = std::move(after.mechanism).about(std::move(about)).following(before);
  if (before.single() && !after.mechanism.single())
    after.mechanism = std::move(after.mechanism).with_single([stage, single = before.single()] {
      return applied(stage, single()).mechanism;
    });
  if (after.mechanism.examples().empty())
    for (const auto& example : before.examples())
      after.mechanism = std::move(after.mechanism).with_example(applied(stage, *example).mechanism);
  if (stage.program) after.step.stage = language::line_text(*stage.program);
  return after;
}

}  // namespace doeblin::pipeline
