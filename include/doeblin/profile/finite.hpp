// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "doeblin/profile/loss_pair.hpp"
#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_curve.hpp"

namespace doeblin {

/// A mechanism with finitely many inputs and outputs: row x of a row-stochastic matrix is the output law on dataset x.
/// Catalogue P5.
class FiniteMechanism {
 public:
  using Pair = std::pair<std::size_t, std::size_t>;

  /// rows[x][y] = Pr[y | x]; all pairs of rows are neighbours unless `adjacent` lists some.
  /// Domain: equal row lengths, entries in [0, 1], each row sum within 1e-12 per entry of 1. Within that, rows are
  /// renormalised and the correction is charged to the bracket.
  explicit FiniteMechanism(const std::vector<std::vector<double>>& rows, std::vector<Pair> adjacent = {});

  /// Rows that are known up to brackets, and that are laws by construction.
  [[nodiscard]] static FiniteMechanism enclosed(std::vector<std::vector<Bracket>> rows, std::vector<Pair> adjacent);

  /// The same rows with other neighbours.
  [[nodiscard]] FiniteMechanism with_adjacent(std::vector<Pair> adjacent) const;

  [[nodiscard]] const std::vector<std::vector<Bracket>>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Pair>& adjacent() const { return adjacent_; }

 private:
  FiniteMechanism() = default;

  std::vector<std::vector<Bracket>> rows_;
  std::vector<Pair> adjacent_;
};

/// Formula  max over adjacent rows, both directions, of sum_y [P(y) - e^eps Q(y)]_+
/// Source   catalogue P5
/// Cost     O(pairs * outputs)
[[nodiscard]] Bracket delta(const FiniteMechanism& mechanism, Epsilon epsilon);

/// Formula  max over adjacent rows, both directions, of log(sum_y P(y)^alpha Q(y)^{1-alpha})/(alpha - 1)
[[nodiscard]] Bracket rdp(const FiniteMechanism& mechanism, Alpha alpha);
[[nodiscard]] RenyiCurve renyi_of(const FiniteMechanism& mechanism);

[[nodiscard]] ProfileTraits profile_traits(const FiniteMechanism& mechanism);

/// The laws of two rows, in this order.
[[nodiscard]] LossPair pair_of_rows(const FiniteMechanism& mechanism, const FiniteMechanism::Pair& rows);

/// k people at once: rows at distance at most k in the graph of adjacent rows. Catalogue C4, white box.
[[nodiscard]] FiniteMechanism group(const FiniteMechanism& mechanism, double k);

}  // namespace doeblin
