// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/pipeline/noisy_sgd.hpp"
#include "doeblin/pipeline/number_list.hpp"

/// What the arguments of iterative runs have in common.
namespace doeblin::pipeline {

/// One of several values that an argument names.
template <typename Value>
struct Choice {
  const char* name;
  Value value;
};

template <typename Value, std::size_t count>
[[nodiscard]] Value chosen(const char* parameter, const Choice<Value> (&choices)[count], const std::string& text) {
  std::string names;
  for (const Choice<Value>& choice : choices) {
    if (text == choice.name) return choice.value;
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", choice.name);
  }
  throw InvalidArgument(parameter, fmt::format("'{}'", text.substr(0, 40)), "one of " + names);
}

template <typename Value, std::size_t count>
[[nodiscard]] const char* choice_name(const Choice<Value> (&choices)[count], Value value) {
  for (const Choice<Value>& choice : choices)
    if (choice.value == value) return choice.name;
  throw InternalError("broken invariant: a choice without a name");
}

inline constexpr Choice<NoiseLaw> kNoiseLaws[] = {{"gaussian", NoiseLaw::kGaussian}, {"laplace", NoiseLaw::kLaplace}};

/// Steps of a run, written as '3,7' or '100:1000:100'; none for an empty text.
[[nodiscard]] inline std::vector<std::size_t> step_list(const char* parameter, const std::string& text) {
  std::vector<std::size_t> steps;
  if (text.empty()) return steps;
  for (const double value : parse_values(parameter, {text})) {
    require_whole(parameter, value, 1.0, 1e9, "steps, counted from 1");
    steps.push_back(static_cast<std::size_t>(value));
  }
  return steps;
}

}  // namespace doeblin::pipeline
