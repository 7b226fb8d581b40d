// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/stage.hpp"

namespace doeblin::pipeline {

Evaluated applied(const Stage& stage, const Mechanism& before) {
  Neighbours about = stage.about(before.neighbours());
  Evaluated after = stage.apply(before);
  after.mechanism = std::move(after.mechanism).about(std::move(about)).following(before);
  if (stage.program) after.step.stage = language::line_text(*stage.program);
  return after;
}

}  // namespace doeblin::pipeline
