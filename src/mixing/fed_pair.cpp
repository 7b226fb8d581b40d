// SPDX-License-Identifier: Apache-2.0
#include "mixing/fed_pair.hpp"

#include <algorithm>
#include <cmath>

namespace doeblin::pipeline {
namespace {

// Differences of entries in a search of the two states.
constexpr double kMostDifferences = 1e6;

double distance(const KernelRow& first, const KernelRow& second) {
  double sum = 0.0;
  for (std::size_t y = 0; y < first.values.size(); ++y) sum += std::fabs(first.values[y] - second.values[y]);
  return sum;
}

FiniteMechanism::Pair furthest_states(const FiniteKernel& kernel) {
  FiniteMechanism::Pair states{0, 0};
  double most = -1.0;
  for (std::size_t x = 0; x < kernel.states(); ++x)
    for (std::size_t other = x + 1; other < kernel.states(); ++other)
      if (const double apart = distance(kernel.row(x), kernel.row(other)); apart > most)
        most = apart, states = {x, other};
  return states;
}

}  // namespace

std::optional<Attained<LossPair>> fed_pair(const Mechanism& before, const FiniteKernel& kernel) {
  const auto& attained = before.pairs().attained;
  const auto states = static_cast<double>(kernel.states());
  // The outputs of a matrix are the states themselves: there is one way to feed it.
  if (!attained || !(*attained)->symmetric || before.matrix() || !kernel.is_dense() || kernel.states() < 2) return {};
  if (states * states * static_cast<double>(kernel.outputs()) > kMostDifferences) return {};
  const double told_apart = (*attained)->forward.delta(Epsilon(0.0)).lower();
  const Bracket right(std::clamp(rounding::mul_down(0.5, rounding::add_down(1.0, told_apart)), 0.5, 1.0));
  const Bracket wrong = 1.0 - right;
  const auto [x, other] = furthest_states(kernel);
  std::vector<std::vector<Bracket>> rows(2);
  for (std::size_t y = 0; y < kernel.outputs(); ++y) {
    const Bracket here = kernel.enclosed(kernel.row(x).values[y]);
    const Bracket there = kernel.enclosed(kernel.row(other).values[y]);
    rows[0].push_back(right * here + wrong * there);
    rows[1].push_back(wrong * here + right * there);
  }
  return Attained(pair_of_rows(FiniteMechanism::enclosed(std::move(rows), {{0, 1}}), {0, 1}));
}

}  // namespace doeblin::pipeline
