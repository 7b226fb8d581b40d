// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "doeblin/language/schema.hpp"

/// The schemas, a file for each chapter of the theory.
namespace doeblin::language {

using Parameters = std::vector<Parameter>;
using enum Schema::Kind;

/// A schema before anybody asked for it: a run of the program needs a few of them, and only those are made.
struct Row {
  std::string_view name;
  Schema::Kind kind;
  Role role = Role::kPlain;
  const char* summary;
  const char* example;
  Parameters (*parameters)();
  std::array<std::string_view, 5> synonyms = {};
};

[[nodiscard]] std::span<const Row> noise_rows();
[[nodiscard]] std::span<const Row> black_box_rows();
[[nodiscard]] std::span<const Row> diffusion_rows();
[[nodiscard]] std::span<const Row> iteration_rows();
[[nodiscard]] std::span<const Row> sampling_rows();
[[nodiscard]] std::span<const Row> composition_rows();
[[nodiscard]] std::span<const Row> mixing_rows();

/// Noise: a positive number, more is safer.
[[nodiscard]] inline Parameter scale(const char* name, const char* meaning) {
  return {.name = name, .meaning = meaning, .type = Type::kScale, .monotone = kMoreIsSafer};
}

/// Less is safer.
[[nodiscard]] inline Parameter loss(const char* name, const char* meaning, std::optional<double> standard = {}) {
  Parameter result{.name = name, .meaning = meaning, .monotone = kLessIsSafer};
  if (standard) result.standard = *standard;
  return result;
}

/// From 0 to 1, less is safer.
[[nodiscard]] inline Parameter share(const char* name, const char* meaning, const Monotone& monotone = kSmallIsSafer) {
  return {.name = name, .meaning = meaning, .type = Type::kShare, .monotone = monotone};
}

/// A whole number.
[[nodiscard]] inline Parameter count(const char* name, const char* meaning, const Monotone& monotone = kFewAreSafer,
                                     std::optional<double> standard = {}) {
  Parameter result{.name = name, .meaning = meaning, .type = Type::kCount, .monotone = monotone};
  if (standard) result.standard = *standard;
  return result;
}

/// A number for which nobody can solve.
[[nodiscard]] inline Parameter number(const char* name, const char* meaning, std::optional<double> standard = {},
                                      Type type = Type::kNumber) {
  Parameter result{.name = name, .meaning = meaning, .type = type};
  if (standard) result.standard = *standard;
  return result;
}

/// One of some words, the first of which is the default; it may be empty.
[[nodiscard]] inline Parameter choice(const char* name, const char* meaning, std::vector<std::string> choices) {
  Parameter result{.name = name, .meaning = meaning, .type = Type::kChoice};
  result.standard = choices[0];
  result.choices = std::move(choices);
  return result;
}

[[nodiscard]] inline Parameter file(const char* name, const char* meaning, bool is_optional = false) {
  Parameter result{.name = name, .meaning = meaning, .type = Type::kFile};
  if (is_optional) result.standard = std::string();
  return result;
}

[[nodiscard]] inline Parameter steps_of_a_run(const char* name, const char* meaning, const char* standard) {
  return {.name = name, .meaning = meaning, .type = Type::kSteps, .standard = std::string(standard)};
}

/// A parameter that lines of derivations write even where it has its default.
[[nodiscard]] inline Parameter shown(Parameter parameter) {
  parameter.is_shown = true;
  return parameter;
}

/// How far one person moves the value.
[[nodiscard]] inline Parameter sensitivity(const char* meaning) { return shown(loss("sensitivity", meaning, 1.0)); }

}  // namespace doeblin::language
