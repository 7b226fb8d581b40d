// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <variant>

#include "doeblin/language/expression.hpp"
#include "doeblin/mechanism/pipeline.hpp"
#include "doeblin/mixing/kernel.hpp"

namespace doeblin::pipeline {

using language::Call;
using language::Program;

/// The pipeline that a program describes.
/// Errors   InvalidArgument naming the source or stage, for values that it does not take, parts that do not fit each
///          other, and open arguments
[[nodiscard]] Pipeline evaluate(const Program& program, const Settings& settings = {});

/// Kernels in a row as one kernel.
[[nodiscard]] Kernel evaluate_kernels(const Program& program);

/// A part of a program: it begins with a source, is kernels only, or stages that need a source before them.
using Part = std::variant<Pipeline, Stage, Kernel>;
[[nodiscard]] Part evaluate_part(const Program& program, const Settings& settings = {});

/// left | right.
[[nodiscard]] Part piped(Part left, const Part& right, const Settings& settings = {});

/// Where the guarantee is monotone in an argument of a call, given the other ones.
/// Domain: a parameter that can be solved for.
[[nodiscard]] language::Monotone domain_of(const Call& call, std::string_view parameter);

/// The pipeline that an expression describes, for example "gaussian(sigma=1.1) | group(3)".
/// Errors   InvalidArgument (ExpressionError where a place can be named)
[[nodiscard]] inline Pipeline parse(std::string_view expression, const Settings& settings = {}) {
  return evaluate(language::parse(expression), settings);
}

}  // namespace doeblin::pipeline
