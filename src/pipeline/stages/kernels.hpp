// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/pipeline/definition.hpp"

/// What the parameters of kernels have in common.
namespace doeblin::pipeline {

/// A coefficient between 0 and 1: less is safer.
inline constexpr Monotone kShare = {.larger_is_safer = false, .low = 0.0, .high = 1.0};
/// How often a kernel is applied: more is safer.
inline constexpr Monotone kSteps = {.larger_is_safer = true, .low = 1.0, .high = 0x1p30, .is_integer = true};

/// steps=1, as every kernel that can be repeated has it.
[[nodiscard]] inline Parameter steps_parameter() {
  return {.name = "steps", .meaning = "how often it is applied", .standard = 1.0, .monotone = kSteps};
}

}  // namespace doeblin::pipeline
