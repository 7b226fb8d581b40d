// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/pipeline/question.hpp"

namespace doeblin::pipeline {

/// A way to analyse a pipeline: the settings that select it, and what to call it.
struct Analysis {
  std::string name;
  std::string description;
  Settings settings;
};

/// An analysis of one pipeline; where it does not apply there is a reason instead of a pipeline.
struct Compared {
  Analysis analysis;
  std::optional<Pipeline> pipeline;
  std::string reason;
};

/// What one analysis answers; without an answer there is a reason why it does not apply.
struct ComparedAnalysis {
  std::string name;
  std::string description;
  std::optional<Answer> answer = std::nullopt;
  std::string reason = {};

  friend bool operator==(const ComparedAnalysis&, const ComparedAnalysis&) = default;
};

/// One question, answered by every analysis there is.
struct Comparison {
  std::string software_version = {};
  std::string expression = {};
  Neighbours neighbours = {};
  std::string whose = {};  ///< data may change, in words: whose_data(neighbours), or what a file says
  Question question = {};
  /// At least one has an answer.
  std::vector<ComparedAnalysis> analyses = {};

  /// The one with the smallest upper end, the first of those that are equal to six digits.
  [[nodiscard]] std::size_t best() const;

  friend bool operator==(const Comparison&, const Comparison&) = default;
};

/// Every analysis there is, the default first, then from the tightest to the crudest.
[[nodiscard]] std::vector<Analysis> all_analyses(const Settings& settings);

/// The same for hidden runs: published analyses and ours.
[[nodiscard]] std::vector<Analysis> all_run_analyses(const Settings& settings);

/// The same for kernels.
[[nodiscard]] std::vector<Analysis> all_mixing_analyses(const Settings& settings);

/// The same pipeline under every analysis: those of its hidden run and of its kernels if it has any, else those of
/// compositions. Throws if the default one does not apply, or `before_each`, which is called before every evaluation,
/// does.
[[nodiscard]] std::vector<Compared> compare(
    const Program& program, const Settings& settings = {}, const std::function<void()>& before_each = [] {});

}  // namespace doeblin::pipeline
