// SPDX-License-Identifier: Apache-2.0
#include "commands/comparison_report.hpp"

#include "commands/progress.hpp"

namespace doeblin::commands {

pipeline::Comparison comparison_report(const std::string& expression, const pipeline::Settings& settings,
                                       const Question& question) {
  return comparison_report(
      expression, [&](const pipeline::Settings& under) { return pipeline::parse(expression, under); }, settings,
      question);
}

pipeline::Comparison comparison_report(const std::string& expression, const pipeline::EvaluatedUnder& evaluated,
                                       const pipeline::Settings& settings, const Question& question) {
  const auto compared = pipeline::compare(evaluated, settings);
  Progress progress(compared.size());
  const pipeline::Neighbours& about = compared[0].pipeline->neighbours();
  pipeline::Comparison comparison{DOEBLIN_VERSION, expression, about, whose_data(about), question};
  for (const auto& one : compared) {
    pipeline::ComparedAnalysis row{one.analysis.name, one.analysis.description, std::nullopt, one.reason};
    if (one.pipeline) row.answer = answer(one.pipeline->guarantee(), question);
    comparison.analyses.push_back(std::move(row));
    progress.finished(comparison.analyses.size());
  }
  return comparison;
}

}  // namespace doeblin::commands
