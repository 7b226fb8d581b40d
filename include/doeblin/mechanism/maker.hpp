// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "doeblin/core/settings.hpp"
#include "doeblin/language/schema.hpp"
#include "doeblin/mechanism/pipeline.hpp"

namespace doeblin::pipeline {

using language::Call;
using language::Monotone;
using language::Parameter;

/// What a call of the language is made into. Every source, stage and kernel has one, in the `stages` of its chapter, in
/// the file of its name; src/pipeline/parts.def lists them.
template <typename Made>
struct Maker {
  std::function<Made(const Call&, const Settings&)> make;
  /// Where a parameter is monotone, given the other arguments; if empty, what the parameter itself says.
  std::function<Monotone(const Parameter&, const Call&)> limits = {};
};

using SourceMaker = Maker<Pipeline>;
using StageMaker = Maker<Stage>;

/// "name(first=1, second=2)": how derivations write a call.
struct NamedNumber {
  std::string_view name;
  double value;
};
[[nodiscard]] std::string call_text(std::string_view name, std::initializer_list<NamedNumber> arguments);

/// A file as derivations write it: its name in quotes, or what stands in memory in its place.
[[nodiscard]] std::string file_text(const Call& call);

}  // namespace doeblin::pipeline
