// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doeblin/pipeline/definition.hpp"

namespace doeblin::pipeline {

/// One call of a source or a stage with every argument filled in, in the order of its definition.
struct Call {
  std::string name = {};
  std::vector<std::pair<std::string, Argument>> arguments = {};

  /// Errors   InternalError unless there is such a number, or text
  [[nodiscard]] double number(std::string_view parameter) const;
  [[nodiscard]] const std::string& text(std::string_view parameter) const;

  friend bool operator==(const Call&, const Call&) = default;
};

/// What an expression says once its arithmetic is done and its defaults are filled in: data, without a formula.
struct Program {
  enum class Kind {
    kCall,  ///< one source or stage
    kPipe,  ///< the first part piped through the others
    kSum,   ///< all parts are released
  };
  Kind kind = Kind::kCall;
  Call call = {};                   ///< kCall
  std::vector<Program> parts = {};  ///< kPipe, kSum: at least two

  friend bool operator==(const Program&, const Program&) = default;
};

/// Domain: an expression that parse() accepts, with whatever settings. (Only the calls are looked at, not whether their
/// values are sensible.)
/// Errors   InvalidArgument
[[nodiscard]] Program program_of(std::string_view expression);

/// An expression with exact numbers that means the program: parse(text_of(p)) is its pipeline.
/// Errors   InvalidArgument for a text with both kinds of quotes, which the language cannot write
[[nodiscard]] std::string text_of(const Program& program);

}  // namespace doeblin::pipeline
