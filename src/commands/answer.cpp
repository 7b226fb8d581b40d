// SPDX-License-Identifier: Apache-2.0
#include "commands/answer.hpp"

#include <algorithm>

namespace doeblin::commands {

bool Report::converged() const {
  for (const Answer& one : answers)
    if (!one.converged) return false;
  return true;
}

std::size_t ComparisonReport::best() const {
  double least = rounding::kInfinity;
  for (const ComparisonRow& row : rows)
    if (row.answer) least = std::min(least, row.answer->value.upper());
  // Two ways to the same number may differ in its last digits.
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].answer && rows[i].answer->value.upper() <= least * (1.0 + 1e-6)) return i;
  return 0;
}

}  // namespace doeblin::commands
