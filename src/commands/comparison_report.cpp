// SPDX-License-Identifier: Apache-2.0
#include "commands/comparison_report.hpp"

#include "commands/progress.hpp"

namespace doeblin::commands {

pipeline::Comparison comparison_report(const Expression& expression, const Settings& settings, const Question& question,
                                       const std::function<void()>& before_each) {
  const auto compared = pipeline::compare(expression.program, settings, before_each);
  Progress progress(compared.size());
  const Neighbours& about = compared[0].pipeline->neighbours();
  pipeline::Comparison comparison{DOEBLIN_VERSION, expression.text, about, whose_data(about), question};
  for (const auto& one : compared) {
    pipeline::ComparedAnalysis row{one.analysis.name, one.analysis.description, std::nullopt, one.reason};
    if (one.pipeline) row.answer = answer(one.pipeline->mechanism(), question, settings.goal);
    comparison.analyses.push_back(std::move(row));
    progress.finished(comparison.analyses.size());
  }
  return comparison;
}

}  // namespace doeblin::commands
