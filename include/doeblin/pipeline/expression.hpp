// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/pipeline.hpp"
#include "doeblin/pipeline/syntax.hpp"

namespace doeblin::pipeline {

/// Builds the pipeline that an expression describes, for example "gaussian(sigma=1.1) | group(3)".
///
/// Numbers are the nearest doubles to what is written, and arithmetic in arguments rounds to nearest: the guarantee is
/// about those doubles, which the derivation shows.
/// Errors   InvalidArgument (ExpressionError where a place can be named)
[[nodiscard]] Pipeline parse(std::string_view expression, const Settings& settings = {});

/// Kernels in a row without a source, such as "kernel('walk.csv') | k_ary_response(k=4, p=0.7)", as one kernel.
[[nodiscard]] Kernel parse_kernel(std::string_view expression);

/// The arguments of an expression that is one call of `definition` (its name alone is a call without arguments), with
/// `hole` in place of the parameters in `open`, all of which must be written as '?'; nothing if it is anything else.
/// Errors   InvalidArgument when the call does not fit the definition
[[nodiscard]] std::optional<Arguments> parse_open_call(std::string_view expression, const Definition& definition,
                                                       const std::vector<std::string>& open = {}, double hole = 1.0);

/// An expression with one argument left open, as in "gaussian(sigma=?) | compose(100)".
class ExpressionWithHole {
 public:
  /// Throws unless there is exactly one '?', as a whole argument in which the guarantee is monotone.
  explicit ExpressionWithHole(std::string_view expression);

  [[nodiscard]] Pipeline filled(double value, const Settings& settings = {}) const;
  /// The parameter that is open, and the source or stage it belongs to.
  [[nodiscard]] const Parameter& parameter() const { return *parameter_; }
  [[nodiscard]] const std::string& stage() const { return stage_; }
  /// Where the guarantee is monotone in it, given the other arguments.
  [[nodiscard]] const Monotone& domain() const { return domain_; }

 private:
  std::string text_;
  std::shared_ptr<const Node> syntax_;
  const Parameter* parameter_ = nullptr;
  std::string stage_;
  Monotone domain_ = kNoise;
};

/// The expression with an exact number in place of every '?' that is not part of a text.
[[nodiscard]] std::string filled(std::string_view expression, double value);

}  // namespace doeblin::pipeline
