// SPDX-License-Identifier: Apache-2.0
#include "commands/answer.hpp"

namespace doeblin::commands {

bool Report::converged() const {
  for (const Answer& one : answers)
    if (!one.converged) return false;
  return true;
}

}  // namespace doeblin::commands
