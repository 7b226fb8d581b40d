// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/iteration/run_shift.hpp"
#include "verify/known.hpp"

/// Hidden runs on the line with Laplace noise (catalogue I6, I15).
namespace doeblin::verify {

/// Steps that are all alike; lengths are in units of the scale of their noise.
struct LaplaceRun {
  Ball lipschitz;
  Ball shift;     ///< what the record moves a step that uses it
  Ball diameter;  ///< infinity is allowed
  Ball rounding = Ball(0);
  RecordUses uses;
  std::size_t released = 1;
};

/// The better of contraction step by step, everything moved in the last step, and equal moves in several steps before
/// the next use, in Renyi divergence.
[[nodiscard]] Known known_laplace_run(const LaplaceRun& run);

}  // namespace doeblin::verify
