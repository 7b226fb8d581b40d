// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "verify/iteration/run_steps.hpp"

/// Levels of hidden runs by shifting (catalogue I2, I3, I4).
namespace doeblin::verify {

/// The steps of a run and what it is confined to.
struct ConfinedRun {
  RunSteps steps;
  Ball diameter;  ///< in the units of the parameters; infinity if there is none
  Ball rounding = Ball(0);

  [[nodiscard]] bool is_bounded() const { return diameter.is_finite(); }
};

/// The steps that use one record, increasing; several records at once may be used by one step, which then stands there
/// as often.
using RecordUses = std::vector<std::size_t>;

/// The level of releasing X_released only, without what rounding adds.
///
/// Formula  mu^2 = min sum a_t^2/s_t^2 over a_t >= 0 with z_t = c_t z_{t-1} + Delta_t - a_t >= 0, z_0 = z_T = 0; or
///          from a restart on, z = D right after (or before) some use, at no cost until there
/// Method   the greatest convex minorant of the staircase, from the left; slopes are pooled only where that is
///          certainly allowed, so the moves are feasible
[[nodiscard]] Ball ideal_shift_level(const ConfinedRun& run, const RecordUses& uses, std::size_t released);

/// With rounding: in each step after the first use it adds at most r to a_t/s_t, and so at most r times the square root
/// of their number to the norm (Minkowski).
[[nodiscard]] Ball shift_level(const ConfinedRun& run, const RecordUses& uses, std::size_t released);

/// The steps first+1, ..., last as a kernel on the whole domain: I2 with an initial distance of D.
[[nodiscard]] Ball kernel_level(const ConfinedRun& run, std::size_t first, std::size_t last);

}  // namespace doeblin::verify
