// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/comparison.hpp"

#include <algorithm>

namespace doeblin::pipeline {

std::vector<Analysis> all_analyses(const Settings& settings) {
  const auto with = [&](Accountant accountant, RenyiRule rule = RenyiRule::kOptimal, bool black_box = false) {
    Settings changed = settings;
    changed.accountant = accountant;
    changed.renyi_rule = rule;
    changed.black_box_sampling = black_box;
    return changed;
  };
  return {
      {"best", "closed form, or the tightest that meets the width", with(Accountant::kAuto)},
      {"pld", "exact pairs; privacy-loss distributions by FFT", with(Accountant::kPld)},
      {"renyi", "Renyi divergences, optimal conversion", with(Accountant::kRenyi)},
      {"renyi-cks", "Renyi divergences, conversion of [CKS20]",
       with(Accountant::kRenyi, RenyiRule::kCanonneKamathSteinke)},
      {"renyi-textbook", "Renyi divergences, textbook conversion", with(Accountant::kRenyi, RenyiRule::kTextbook)},
      {"basic", "exact pairs; epsilons and deltas add", with(Accountant::kBasic)},
      {"black-box", "black-box sampling rules; epsilons and deltas add",
       with(Accountant::kBasic, RenyiRule::kOptimal, true)},
  };
}

std::vector<Analysis> all_run_analyses(const Settings& settings) {
  std::vector<Analysis> all;
  for (const RunAnalysisName& one : run_analyses()) {
    all.push_back({one.name, one.description, settings});
    all.back().settings.run_analysis = one.analysis;
  }
  return all;
}

namespace {

bool has_hidden_run(const Pipeline& pipeline) {
  return std::any_of(pipeline.steps().begin(), pipeline.steps().end(),
                     [](const Evaluated& one) { return one.step.is_hidden_run; });
}

}  // namespace

std::vector<Compared> compare(std::string_view expression, const Settings& settings) {
  Settings best = settings;
  best.run_analysis = RunAnalysis::kBest;
  const bool is_run = has_hidden_run(parse(expression, best));
  std::vector<Compared> result;
  for (const Analysis& analysis : is_run ? all_run_analyses(settings) : all_analyses(settings)) {
    try {
      result.push_back({analysis, parse(expression, analysis.settings), ""});
    } catch (const InvalidArgument& error) {
      // The default shows what is wrong with the expression itself.
      if (result.empty()) throw;
      result.push_back({analysis, std::nullopt, error.what()});
    }
  }
  return result;
}

}  // namespace doeblin::pipeline
