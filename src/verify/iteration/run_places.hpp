// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "verify/known.hpp"

/// A record at a uniformly random place that stays hidden (catalogue I22).
namespace doeblin::verify {

/// Classes of places, those first that show most. A class bounds the exchange of any two records at its places.
struct HiddenPlaces {
  std::vector<Ball> weights;
  /// Of every class, falling.
  std::function<std::vector<Ball>(const Ball& epsilon)> deltas;
  /// Of the first class, without the grid.
  Divergence first;
};

/// With G_r = 1 + x_r, sum_r w_r x_r <= g - 1, near classes those with G_r > g and the others far:
/// sum_far w_k d_k(G_k) + sum_near w_r/G_r [g d_r(G_r) + (G_r - g) sum_far phi_k (d_k(G_k) + G_k d_r(G_r/G_k))],
/// phi_k = w_k (g - G_k)/sum_far w_j (g - G_j). Every choice of levels gives a bound: the choice is made in doubles, the
/// bound is a ball.
[[nodiscard]] Divergence hidden_place_divergence(HiddenPlaces places);

}  // namespace doeblin::verify
