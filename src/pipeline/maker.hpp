// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include "doeblin/language/schema.hpp"
#include "doeblin/pipeline/kernel.hpp"
#include "doeblin/pipeline/pipeline.hpp"

namespace doeblin::pipeline {

using language::Call;
using language::Monotone;
using language::Parameter;

/// What a call of the language is made into. Every source and stage has one, in src/pipeline/stages in the file of its
/// name; src/pipeline/stages.def lists them.
struct Maker {
  std::variant<std::function<Pipeline(const Call&, const Settings&)>,
               std::function<Stage(const Call&, const Settings&)>, std::function<Kernel(const Call&, const Settings&)>>
      make;
  /// Where a parameter is monotone, given the other arguments; if empty, what the parameter itself says.
  std::function<Monotone(const Parameter&, const Call&)> limits = {};
};

/// Errors   InvalidArgument unless there is a source or stage of this name
[[nodiscard]] Maker maker_of(std::string_view name);

/// "name(first=1, second=2)": how derivations write a call.
struct NamedNumber {
  std::string_view name;
  double value;
};
[[nodiscard]] std::string call_text(std::string_view name, std::initializer_list<NamedNumber> arguments);

/// A file as derivations write it: its name in quotes, or what stands in memory in its place.
[[nodiscard]] std::string file_text(const Call& call);

}  // namespace doeblin::pipeline
