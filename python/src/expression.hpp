// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include "commands/answer.hpp"
#include "term.hpp"

namespace doeblin::python {

/// A term with what it was evaluated to: what Python's Pipeline and Stage hold.
class Expression {
 public:
  explicit Expression(SharedTerm term, const pipeline::Settings& settings = {});

  [[nodiscard]] const SharedTerm& term() const { return term_; }
  [[nodiscard]] const pipeline::Settings& settings() const { return settings_; }
  [[nodiscard]] std::string text() const { return term_->text(); }

  [[nodiscard]] bool is_open() const { return !made_.has_value(); }
  [[nodiscard]] bool is_kernel() const;
  [[nodiscard]] bool is_pipeline() const;
  /// Errors   InvalidArgument unless it begins with a source and nothing is open
  [[nodiscard]] const pipeline::Pipeline& pipeline() const;
  /// Errors   InvalidArgument unless all of it is kernels
  [[nodiscard]] const pipeline::Kernel& kernel() const;

  [[nodiscard]] Expression under(const pipeline::Settings& settings) const { return Expression(term_, settings); }
  [[nodiscard]] Expression operator|(const Expression& stage) const;
  [[nodiscard]] Expression operator+(const Expression& other) const;

  /// What certificates and audits are about: the program, and the settings with the schedule of its run.
  [[nodiscard]] pipeline::Program program() const { return term_->program(); }
  [[nodiscard]] pipeline::Settings settings_of_program() const { return term_->settings_of_program(settings_); }

 private:
  Expression(SharedTerm term, const pipeline::Settings& settings, Made made);

  SharedTerm term_;
  pipeline::Settings settings_;
  /// Empty while an argument is open.
  std::optional<Made> made_;
};

void bind_expressions(nanobind::module_& module);
void bind_queries(nanobind::class_<Expression>& expression);
void bind_reports(nanobind::module_& module, nanobind::class_<Expression>& expression);
void bind_training(nanobind::module_& module);
void bind_release(nanobind::module_& module);
void bind_audit(nanobind::module_& module);

}  // namespace doeblin::python
