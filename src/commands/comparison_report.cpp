// SPDX-License-Identifier: Apache-2.0
#include "commands/comparison_report.hpp"

#include "commands/progress.hpp"

namespace doeblin::commands {

ComparisonReport comparison_report(const std::string& expression, const pipeline::Settings& settings,
                                   const Question& question) {
  return comparison_report(
      expression, [&](const pipeline::Settings& under) { return pipeline::parse(expression, under); }, settings,
      question);
}

ComparisonReport comparison_report(const std::string& expression, const pipeline::EvaluatedUnder& evaluated,
                                   const pipeline::Settings& settings, const Question& question) {
  const auto compared = pipeline::compare(evaluated, settings);
  Progress progress(compared.size());
  ComparisonReport report{expression, compared[0].pipeline->neighbours(), question, {}};
  for (const auto& one : compared) {
    ComparisonRow row{one.analysis, std::nullopt, one.reason};
    if (one.pipeline) row.answer = answer(one.pipeline->guarantee(), question);
    report.rows.push_back(row);
    progress.finished(report.rows.size());
  }
  return report;
}

}  // namespace doeblin::commands
