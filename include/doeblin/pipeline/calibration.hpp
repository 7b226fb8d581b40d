// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "doeblin/language/schema.hpp"
#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::pipeline {

/// What a calibrated pipeline must meet: delta(epsilon) <= delta.
struct Target {
  double epsilon;
  double delta;

  /// Domain: epsilon >= 0, 0 <= delta < 1.
  void validate() const;
};

/// A parameter value that meets a target, and how close to the best one it is.
struct Calibrated {
  double value;
  Pipeline pipeline;
  Bracket delta;  ///< what it achieves at the target's epsilon; upper <= target.delta
  /// A value on the other side that certainly misses the target; empty when every value of the domain meets it.
  std::optional<double> misses;
  /// The closest value on the other side that is not known to meet the target.
  std::optional<double> not_known = std::nullopt;
};

/// A number to solve for, and what it is a part of.
struct Unknown {
  std::string stage;      ///< the source or stage that the number belongs to; empty for a number that several share
  std::string parameter;  ///< what it is called
  /// Where the guarantee is monotone in it, and how. Where it is not, a value that is found still meets the target,
  /// but need not be the best one.
  language::Monotone domain;
  std::function<Program(double value)> filled;
};

/// What is open in a program. Several holes are one number that several arguments share.
/// Errors   InvalidArgument when nothing is open, or a larger number makes one argument safer and another one less safe
[[nodiscard]] Unknown unknown_of(const Program& program);

/// How a value is looked for. Far from the solution an evaluation may take long, and so may the last digits.
struct CalibrationSearch {
  double guess = 1.0;         ///< where it begins
  double first_factor = 2.0;  ///< of the steps until both sides are known, which grow
  double delta_width = 2e-4;  ///< relative accuracy in delta at the end
};

/// Solves for the number that is open.
///
/// Bound    `value` meets the target by its upper end; the best value lies between `misses` and `value`
/// Method   on a logarithmic scale: doubling steps until both sides are known, then false position, with the accuracy
///          of compositions raised at the end
/// Errors   InvalidArgument when no value can meet the target, with the best that there is
/// `progress` is called before every evaluation, with the number of evaluations so far.
[[nodiscard]] Calibrated calibrate(
    const Unknown& unknown, const Target& target, const Settings& settings = {},
    const std::function<void(int)>& progress = [](int) {}, const CalibrationSearch& search = {});

[[nodiscard]] inline Calibrated calibrate(
    const Program& open, const Target& target, const Settings& settings = {},
    const std::function<void(int)>& progress = [](int) {}, const CalibrationSearch& search = {}) {
  return calibrate(unknown_of(open), target, settings, progress, search);
}

}  // namespace doeblin::pipeline
