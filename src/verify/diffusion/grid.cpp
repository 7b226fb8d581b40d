// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "verify/iteration/run_shift.hpp"
#include "verify/mechanism/noise.hpp"
#include "verify/programs.hpp"

namespace doeblin::verify {
namespace {

// Discrete Gaussian noise of parameter s is at least as private as normal noise of variance s^2 - 100 (D6), up to
// factors that 2^-50 of the level covers; for noise of 128 steps or more.
constexpr int kSmoothing = 100;
constexpr double kCharge = 0x1p-50;

double step_number(const language::Call& call, const char* parameter, std::size_t i) {
  return call.number(fmt::format("{}_{}", parameter, i));
}

// I3 along the path of one column: a product that is rounded, and what is left of a shift in whole steps of the grid,
// move two paths apart by less than a step in every cell.
Ball path_level(const language::Call& call, std::size_t number) {
  const Ball cells = sqrt(Ball(call.number("cells")));
  std::vector<RunStep> steps;
  RecordUses uses;
  for (std::size_t i = 1; i <= number; ++i) {
    const Ball multiplier(step_number(call, "multiplier", i));
    const Ball noise(step_number(call, "noise", i));
    const Ball arriving = i == 1 ? Ball(call.number("sensitivity")) : cells;
    const bool is_rounded = step_number(call, "multiplier", i) != 1.0;
    steps.push_back({.lipschitz = multiplier,
                     .noise = sqrt(square(noise) - Ball(kSmoothing)),
                     .shift = multiplier * arriving + (is_rounded ? cells : Ball(0))});
    uses.push_back(i);
  }
  if (number == 1) return steps[0].shift / steps[0].noise;
  return ideal_shift_level({.steps = RunSteps(steps), .diameter = Ball(HUGE_VAL)}, uses, number);
}

Known gaussian_column(const language::Call& call, std::size_t number) {
  const Ball level = path_level(call, number) * (Ball(1) + Ball(kCharge));
  Known known{.delta = [level](const Ball& epsilon) { return Enclosed{theta_of_wide(epsilon, level), Ball(0)}; }};
  known.dominating_mu = level;
  return known;
}

// Discrete Laplace noise is dominated by Laplace noise at a sensitivity two steps larger (D6).
Known laplace_column(const language::Call& call) {
  Known known = known_laplace((Ball(call.number("sensitivity")) + Ball(2)) / Ball(step_number(call, "noise", 1)));
  known.pairs->are_attained = false;
  known.delta = [delta = known.delta](const Ball& epsilon) { return Enclosed{delta(epsilon).upper, Ball(0)}; };
  return known;
}

}  // namespace

Known known_grid_gaussian(const language::Call& call) {
  constexpr std::size_t kColumnArguments = 4;
  constexpr std::size_t kStepArguments = 3;
  return gaussian_column(call, (call.arguments.size() - kColumnArguments) / kStepArguments);
}

Known known_grid_laplace(const language::Call& call) { return laplace_column(call); }

}  // namespace doeblin::verify
