// SPDX-License-Identifier: Apache-2.0
#include "commands/answer.hpp"

namespace doeblin::commands {

bool Report::converged() const {
  for (const Answer& one : answers)
    if (!one.converged) return false;
  return true;
}

const pipeline::Mechanism* known_guarantee(const pipeline::Derived& step) {
  try {
    return &step.mechanism();
  } catch (const InvalidArgument&) {
    return nullptr;
  }
}

Expression expression_of(const language::Program& program) {
  return {program, has_words(program) ? short_text(program) : ""};
}

}  // namespace doeblin::commands
