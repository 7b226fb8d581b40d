// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/known.hpp"
#include "verify/programs.hpp"

/// Hidden runs with Poisson batches (catalogue I18).
namespace doeblin::verify {

/// Lengths are in units of the noise of a step.
struct PoissonRun {
  Ball jump;  ///< what the record moves a step that uses it
  Ball lipschitz;
  Ball diameter;  ///< infinity is allowed
  Ball rate;
  std::size_t steps = 1;
  Ball rounding = Ball(0);
  bool is_public = false;
  /// The probability that the Lipschitz constant does not hold; at most 1.
  Ball failure = Ball(0);
  double tasks = 1.0;
};

[[nodiscard]] Known known_poisson_run(const PoissonRun& run, const Context& context);

}  // namespace doeblin::verify
