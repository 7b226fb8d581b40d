// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/core/words.hpp"
#include "doeblin/iteration/noisy_sgd.hpp"
#include "doeblin/language/number_list.hpp"

/// What the arguments of iterative runs have in common.
namespace doeblin::pipeline {

/// One of several values that an argument names.
template <typename Value, std::size_t count>
[[nodiscard]] Value chosen(const char* parameter, const Words<Value, count>& choices, const std::string& text) {
  if (const auto found = choices.value_of(text)) return *found;
  throw InvalidArgument(parameter, fmt::format("'{}'", text.substr(0, 40)), "one of " + choices.listed(", ", "'"));
}

/// Steps of a run, written as '3,7' or '100:1000:100'; none for an empty text.
[[nodiscard]] inline std::vector<std::size_t> step_list(const char* parameter, const std::string& text) {
  std::vector<std::size_t> steps;
  if (text.empty()) return steps;
  for (const double value : language::parse_values(parameter, {text})) {
    require_whole(parameter, value, 1.0, 1e9, "steps, counted from 1");
    steps.push_back(static_cast<std::size_t>(value));
  }
  return steps;
}

/// The other way round.
[[nodiscard]] inline std::string steps_text(const std::vector<std::size_t>& steps) {
  std::string text;
  for (const std::size_t step : steps) text += (text.empty() ? "" : ",") + std::to_string(step);
  return text;
}

/// A run as the line of a derivation writes it, with the analysis that was chosen for it.
[[nodiscard]] inline std::string analysed_text(const language::Call& call, RunAnalysis analysis) {
  return line_text(call.with("analysis", std::string(name(analysis))));
}

}  // namespace doeblin::pipeline
