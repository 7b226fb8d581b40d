// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include "commands/answer.hpp"
#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::python {

/// A program with what it was evaluated to: what Python's Pipeline and Stage hold.
class Expression {
 public:
  explicit Expression(language::Program program, const Settings& settings = {});

  [[nodiscard]] const language::Program& program() const { return program_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  /// As the expression language writes it, or something like it.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] commands::Expression written() const { return {program_, text()}; }

  /// An argument is left open, for calibrate.
  [[nodiscard]] bool is_open() const { return !part_.has_value(); }
  [[nodiscard]] bool is_kernel() const;
  [[nodiscard]] bool is_pipeline() const;
  /// Errors   InvalidArgument unless it begins with a source and nothing is open
  [[nodiscard]] const pipeline::Pipeline& pipeline() const;
  /// Errors   InvalidArgument unless all of it is kernels
  [[nodiscard]] const pipeline::Kernel& kernel() const;

  [[nodiscard]] Expression under(const Settings& settings) const { return Expression(program_, settings); }
  [[nodiscard]] Expression operator|(const Expression& stage) const;
  [[nodiscard]] Expression operator+(const Expression& other) const;

 private:
  Expression(language::Program program, const Settings& settings, pipeline::Part part);

  language::Program program_;
  Settings settings_;
  std::optional<pipeline::Part> part_;
};

void bind_expressions(nanobind::module_& module);
void bind_queries(nanobind::class_<Expression>& expression);
void bind_reports(nanobind::module_& module, nanobind::class_<Expression>& expression);
void bind_training(nanobind::module_& module);
void bind_release(nanobind::module_& module);
void bind_audit(nanobind::module_& module);

}  // namespace doeblin::python
