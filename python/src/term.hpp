// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "doeblin/pipeline/calibration.hpp"
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/noisy_sgd.hpp"
#include "doeblin/pipeline/program.hpp"

/// What was built in Python, kept so that it can be evaluated again under other settings, and written down where the
/// expression language has words for it.
namespace doeblin::python {

using Made = std::variant<pipeline::Pipeline, pipeline::Stage, pipeline::Kernel>;

/// A value for the argument that is left open, if there is one.
using Hole = std::optional<double>;

class Term;
using SharedTerm = std::shared_ptr<const Term>;

class Term {
 public:
  /// One call of the expression language. `open` is the parameter that calibrate() solves for; its argument is not
  /// looked at.
  [[nodiscard]] static SharedTerm call(pipeline::Call call,
                                       std::shared_ptr<const pipeline::Schedule> schedule = nullptr,
                                       const std::string& open = {});
  /// Something that the language has no words for; `text` is what derivations call it.
  [[nodiscard]] static SharedTerm unwritten(std::string text, std::function<Made()> make);
  /// Left to right, as far as possible into one chain.
  [[nodiscard]] static SharedTerm pipe(const SharedTerm& left, const SharedTerm& right);
  [[nodiscard]] static SharedTerm sum(const SharedTerm& left, const SharedTerm& right);

  /// Errors   InvalidArgument for parts that do not fit together
  [[nodiscard]] Made evaluated(const pipeline::Settings& settings, const Hole& hole = std::nullopt) const;

  /// As the expression language writes it, or something like it.
  [[nodiscard]] std::string text() const;
  /// What the language says of it. Arrays of constants are no part of that: settings_of_program() has them.
  /// Errors   InvalidArgument naming what cannot be written
  [[nodiscard]] pipeline::Program program() const;
  /// The settings with the schedule of the program's run, if it has one; with program() they are the whole term.
  /// Errors   InvalidArgument for schedules beside another run
  [[nodiscard]] pipeline::Settings settings_of_program(pipeline::Settings settings) const;

  [[nodiscard]] bool is_open() const;
  [[nodiscard]] bool is_chain() const { return kind_ == Kind::kPipe; }
  /// Several holes are one number that several arguments share.
  /// Errors   InvalidArgument when there is none, or more makes one argument safer and another one less safe
  [[nodiscard]] pipeline::OpenPipeline open_pipeline(const SharedTerm& self) const;

 private:
  enum class Kind { kCall, kUnwritten, kPipe, kSum };

  [[nodiscard]] Made leaf(const pipeline::Settings& settings, const Hole& hole) const;
  [[nodiscard]] pipeline::Monotone domain() const;
  void collect_open(std::vector<const Term*>& open) const;
  void collect_runs(std::vector<const Term*>& runs) const;

  Kind kind_ = Kind::kCall;
  pipeline::Call call_ = {};
  std::string open_ = {};
  std::shared_ptr<const pipeline::Schedule> schedule_ = nullptr;
  std::string text_ = {};
  std::function<Made()> make_ = {};
  std::vector<SharedTerm> parts_ = {};
};

/// left | right, as the expression language does it, of what both were evaluated to.
[[nodiscard]] Made piped(Made left, const Made& right, const pipeline::Settings& settings);

}  // namespace doeblin::python
