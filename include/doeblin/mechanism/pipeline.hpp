// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "doeblin/core/floating_point.hpp"
#include "doeblin/core/settings.hpp"
#include "doeblin/mechanism/stage.hpp"

namespace doeblin::pipeline {

/// A step of a pipeline: a line of its derivation, and the mechanism after it, which may be worked out when it is first
/// asked for.
class Derived {
 public:
  Derived(Evaluated known);
  /// A run whose people can be asked about one by one, while the worst of them takes long to find.
  Derived(Step line, Neighbours about, std::shared_ptr<const People> people, std::function<Mechanism()> worst);

  Step step;
  [[nodiscard]] const Neighbours& neighbours() const { return neighbours_; }
  /// Null unless it is such a run.
  [[nodiscard]] const std::shared_ptr<const People>& people() const { return people_; }
  [[nodiscard]] const Mechanism& mechanism() const;

 private:
  struct Work;

  Neighbours neighbours_;
  std::shared_ptr<const People> people_;
  std::shared_ptr<Work> work_;
};

/// A source piped through stages, evaluated symbolically as it is built; numbers are computed when asked for.
class Pipeline {
 public:
  /// A source that the expression language has no call for, such as the release of a table.
  explicit Pipeline(Evaluated source) : Pipeline(Derived(std::move(source))) {}
  explicit Pipeline(Derived source) : steps_{std::move(source)} { require_ieee(), steps_[0].step.is_source = true; }
  /// The source that a program describes, which writes its line of the derivation unless that is written already.
  Pipeline(language::Program program, Derived source);

  /// Encloses the smallest epsilon at delta.
  [[nodiscard]] Bracket epsilon(Delta delta) const { return mechanism().profile().epsilon(delta); }
  /// Encloses delta at epsilon.
  [[nodiscard]] Bracket delta(Epsilon epsilon) const { return mechanism().profile().delta(epsilon); }
  /// Encloses the Renyi divergence of order alpha.
  [[nodiscard]] Bracket rdp(Alpha alpha) const { return mechanism().renyi().at(alpha); }

  [[nodiscard]] Relation relation() const { return neighbours().relation; }
  [[nodiscard]] const Neighbours& neighbours() const { return steps_.back().neighbours(); }
  [[nodiscard]] const Mechanism& mechanism() const { return steps_.back().mechanism(); }
  /// Every step, in order, with what is known after it.
  [[nodiscard]] const std::vector<Derived>& steps() const { return steps_; }

  /// What it was made from, as data: what evaluates to it, is certified, printed and compared.
  /// Errors   InvalidArgument where some part of it is nothing that the expression language has a call for
  [[nodiscard]] const language::Program& program() const;

  friend Pipeline operator|(Pipeline pipeline, const Stage& stage);
  friend Pipeline sum(std::vector<Pipeline> parts, const Settings& settings);

 private:
  std::vector<Derived> steps_;
  std::optional<language::Program> program_ = std::nullopt;
};

}  // namespace doeblin::pipeline
