// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "doeblin/core/settings.hpp"
#include "doeblin/language/schema.hpp"
#include "doeblin/mechanism/pipeline.hpp"

namespace doeblin::pipeline {

using language::Call;
using language::call_of;
using language::Monotone;
using language::Parameter;

/// What a call of the language is made into, but for the call itself, which `made` adds. Every source, stage and kernel has one, in the `stages` of its chapter, in
/// the file of its name; src/pipeline/parts.def lists them.
template <typename Made>
struct Maker {
  std::function<Made(const Call&, const Settings&)> make;
  /// Where a parameter is monotone, given the other arguments; if empty, what the parameter itself says.
  std::function<Monotone(const Parameter&, const Call&)> limits = {};
};

using SourceMaker = Maker<Derived>;
using StageMaker = Maker<Stage>;

/// A stage or a kernel with the call that it is made from.
template <typename Made>
[[nodiscard]] Made made(const Maker<Made>& maker, Call call, const Settings& settings = {}) {
  Made part = maker.make(call, settings);
  part.program = language::Program{.call = std::move(call)};
  return part;
}
/// The same for a source.
[[nodiscard]] inline Pipeline made(const SourceMaker& maker, Call call, const Settings& settings = {}) {
  Derived source = maker.make(call, settings);
  return {{.call = std::move(call)}, std::move(source)};
}

}  // namespace doeblin::pipeline
