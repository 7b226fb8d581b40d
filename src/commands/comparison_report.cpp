// SPDX-License-Identifier: Apache-2.0
#include "commands/comparison_report.hpp"

#include "commands/progress.hpp"

namespace doeblin::commands {

ComparisonReport comparison_report(const Expression& expression, const pipeline::Settings& settings,
                                   const Question& question, const std::function<void()>& before_each) {
  const auto compared = pipeline::compare(expression.program, settings, before_each);
  Progress progress(compared.size());
  ComparisonReport report{expression.text, compared[0].pipeline->neighbours(), question, {}};
  for (const auto& one : compared) {
    ComparisonRow row{one.analysis, std::nullopt, one.reason};
    if (one.pipeline) row.answer = answer(one.pipeline->guarantee(), question);
    report.rows.push_back(row);
    progress.finished(report.rows.size());
  }
  return report;
}

}  // namespace doeblin::commands
