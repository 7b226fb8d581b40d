// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/comparison.hpp"

#include <algorithm>

namespace doeblin::pipeline {

std::size_t Comparison::best() const {
  double least = rounding::kInfinity;
  for (const ComparedAnalysis& one : analyses)
    if (one.answer) least = std::min(least, one.answer->value.upper());
  // Two ways to the same number may differ in its last digits.
  for (std::size_t i = 0; i < analyses.size(); ++i)
    if (analyses[i].answer && analyses[i].answer->value.upper() <= least * (1.0 + 1e-6)) return i;
  return 0;
}

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
  for (const auto& one : kRunAnalyses) {
    all.push_back({std::string(one.word), std::string(one.meaning), settings});
    all.back().settings.run_analysis = one.value;
  }
  return all;
}

std::vector<Analysis> all_mixing_analyses(const Settings& settings) {
  std::vector<Analysis> all;
  for (const auto& one : kMixingAnalyses) {
    all.push_back({std::string(one.word), std::string(one.meaning), settings});
    all.back().settings.mixing = one.value;
  }
  return all;
}

namespace {

template <typename Has>
bool any_step(const Pipeline& pipeline, const Has& has) {
  return std::any_of(pipeline.steps().begin(), pipeline.steps().end(),
                     [&](const Derived& one) { return has(one.step); });
}

std::vector<Analysis> analyses_of(const Pipeline& pipeline, const Settings& settings) {
  const bool has_run = any_step(pipeline, [](const Step& step) { return step.is_hidden_run; });
  const bool has_kernel = any_step(pipeline, [](const Step& step) { return step.is_mixing; });
  if (!has_run && !has_kernel) return all_analyses(settings);
  std::vector<Analysis> all = has_run ? all_run_analyses(settings) : std::vector<Analysis>{};
  // The best of a run is that of its kernels too.
  const std::vector<Analysis> mixing = has_kernel ? all_mixing_analyses(settings) : std::vector<Analysis>{};
  all.insert(all.end(), mixing.begin() + (has_run && has_kernel ? 1 : 0), mixing.end());
  return all;
}

}  // namespace

std::vector<Compared> compare(const Program& program, const Settings& settings,
                              const std::function<void()>& before_each) {
  Settings best = settings;
  best.run_analysis = RunAnalysis::kBest;
  std::vector<Compared> result;
  for (const Analysis& analysis : analyses_of(evaluate(program, best), settings)) {
    before_each();
    try {
      const Pipeline pipeline = evaluate(program, analysis.settings);
      // What does not apply shows here.
      static_cast<void>(pipeline.mechanism());
      result.push_back({analysis, pipeline, ""});
    } catch (const InvalidArgument& error) {
      // The default shows what is wrong with the expression itself.
      if (result.empty()) throw;
      result.push_back({analysis, std::nullopt, error.what()});
    }
  }
  return result;
}

}  // namespace doeblin::pipeline
