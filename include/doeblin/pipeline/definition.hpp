// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "doeblin/pipeline/kernel.hpp"
#include "doeblin/pipeline/pipeline.hpp"

/// What the expression language knows about a source or a stage. Adding one is a new file in src/pipeline/stages and
/// one line in src/pipeline/registry.cpp.
namespace doeblin::pipeline {

/// An argument is a number or a text in quotes.
using Argument = std::variant<double, std::string>;

/// In which direction a parameter makes the guarantee stronger, and where it may lie.
struct Monotone {
  bool larger_is_safer;
  double low = 0.0;
  double high = rounding::kInfinity;
  bool is_integer = false;
};

struct Parameter {
  std::string name;
  std::string meaning;
  /// Must be given when there is no default. A text parameter has a text as its default, possibly empty.
  std::optional<Argument> standard = std::nullopt;
  bool is_text = false;
  /// Set where `calibrate` can solve for the parameter.
  std::optional<Monotone> monotone = std::nullopt;
};

/// Noise: more is safer.
inline constexpr Monotone kNoise = {.larger_is_safer = true};
/// A level of privacy loss, or a sensitivity: less is safer.
inline constexpr Monotone kLoss = {.larger_is_safer = false};
/// How many people, draws or releases: fewer are safer.
inline constexpr Monotone kCount = {.larger_is_safer = false, .low = 1.0, .high = 0x1p53, .is_integer = true};

/// The arguments of a call, every parameter filled in.
class Arguments {
 public:
  explicit Arguments(std::map<std::string, Argument, std::less<>> values, const Settings& settings = {})
      : values_(std::move(values)), settings_(settings) {}
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;
  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  std::map<std::string, Argument, std::less<>> values_;
  Settings settings_;
};

struct Definition {
  std::string name;
  std::string summary;
  std::string example;
  std::vector<Parameter> parameters;
  /// A source makes a pipeline, a stage continues one; a kernel is a stage that also stands alone, for `mix`.
  std::variant<std::function<Pipeline(const Arguments&)>, std::function<Stage(const Arguments&)>,
               std::function<Kernel(const Arguments&)>>
      make;
  /// Where a parameter is monotone, given the other arguments; if empty, what the parameter itself says.
  std::function<Monotone(const Parameter&, const Arguments&)> limits = {};

  [[nodiscard]] bool is_source() const { return make.index() == 0; }
  [[nodiscard]] bool is_kernel() const { return make.index() == 2; }
  /// "gaussian(sigma, sensitivity=1)".
  [[nodiscard]] std::string signature() const;
};

/// Every source and stage, sources first, in the order of the documentation.
[[nodiscard]] const std::vector<Definition>& definitions();

/// The definition called `name`, or null.
[[nodiscard]] const Definition* find_definition(std::string_view name);

/// "name(first=1, second=2)": how derivations write a call.
struct NamedNumber {
  std::string_view name;
  double value;
};
[[nodiscard]] std::string call_text(std::string_view name, std::initializer_list<NamedNumber> arguments);

}  // namespace doeblin::pipeline
