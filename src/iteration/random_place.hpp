// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "doeblin/core/types.hpp"

/// A record at a uniformly random place that stays hidden (catalogue I22): whoever is told nothing about the order cannot
/// tell the few places that show much from the many that show next to nothing.
namespace doeblin::pipeline {

/// Places in classes, the worst first. A class bounds the exchange of any two records at its places.
struct PlaceClasses {
  /// The share of the places that are in each class; they add up to 1.
  std::vector<double> weights;
  /// Upper bounds on the divergence when a record at such a place is exchanged, for every class, falling.
  std::function<std::vector<double>(Epsilon)> deltas;
  /// The same for the first class alone; asked for more often.
  std::function<double(Epsilon)> worst;
};

/// An upper bound on the profile of the run. Safe to call from several threads at once.
///
/// Formula  for levels G_r >= 1 with sum_r w_r G_r <= g, near classes being those with G_r > g, the others far:
///          sum_far w_k delta_k(G_k)
///          + sum_near w_r/G_r [g delta_r(G_r) + (G_r - g) sum_far phi_k (delta_k(G_k) + G_k delta_r(G_r/G_k))],
///          phi_k in proportion to w_k (g - G_k)
/// Source   catalogue I22
/// Method   slopes of all classes alike; values at a grid of levels, convex in between
[[nodiscard]] std::function<double(Epsilon)> random_place_delta(PlaceClasses classes);

}  // namespace doeblin::pipeline
