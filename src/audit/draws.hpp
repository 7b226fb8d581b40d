// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "audit/grid_noise.hpp"
#include "doeblin/audit/mechanism.hpp"

/// Mechanisms as something that draws outputs, and the stages that make others of them.
namespace doeblin::audit {

struct Draws {
  std::size_t dimension = 1;
  std::function<Outputs(Side side, sampling::RandomStream& random, std::size_t count)> draw;
};

/// A number that is `distance` on the first input and 0 on the second, with noise added to it.
[[nodiscard]] Draws additive(double distance, std::vector<GridNoise> noises);

/// One of the columns, from 0, with the probabilities of the row that belongs to the input.
[[nodiscard]] Draws tabulated(const std::vector<double>& first, const std::vector<double>& second);

/// Maps on the line with noise, X <- Pi(f X +- shift/2 + noise); only the last state is seen.
struct LineProcess {
  /// For every step.
  std::vector<double> factors;
  double shift;
  GridNoise noise;
  /// Of the interval around 0 that is projected onto.
  double diameter;
  /// For every step: whether neighbours' maps differ in it.
  std::vector<bool> differs;
};
[[nodiscard]] Draws iterated(const LineProcess& process);

/// The person takes part with probability `rate`: the first input has the person, the second has not.
[[nodiscard]] Draws sampled(const Draws& base, double rate);

/// Independent outputs of all of them, side by side.
[[nodiscard]] Draws together(const std::vector<Draws>& parts);

}  // namespace doeblin::audit
