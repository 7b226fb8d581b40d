// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace doeblin {

/// Where the cells of a graded grid have which width.
struct Grading {
  double end;                         ///< the last point is at least this
  double finest;                      ///< at 0
  double widest;                      ///< anywhere
  double relative;                    ///< at most this share of the distance from 0, and from each edge
  std::vector<double> edges = {};     ///< where a law may have an atom
  double finest_at_edge = 0x1p-1000;  ///< there
};

/// A grid that is symmetric around 0, for `sampled_divergence.hpp`: cells are powers of two and grow with the distance
/// from 0 and from the edges, so that losses of every size are seen with about the same relative accuracy.
class GradedGrid {
 public:
  /// Empty (no points) when it would have more than `most` points.
  explicit GradedGrid(const Grading& grading, std::size_t most = std::size_t{1} << 17);

  [[nodiscard]] bool is_empty() const { return points_.empty(); }
  /// How many cells on one side reach `end`; at least 1, and one cell less than there are.
  [[nodiscard]] std::int64_t cells_to(double end) const;
  /// 0, half a cell, the first point, and so on: two for every cell, and two for the next.
  [[nodiscard]] std::vector<double> halves(std::int64_t cells) const;

  [[nodiscard]] double point(std::int64_t k) const { return k >= 0 ? points_[index(k)] : -points_[index(-k)]; }
  [[nodiscard]] double growth(std::int64_t i, std::int64_t j) const;
  [[nodiscard]] double root(std::int64_t k) const { return half_growths_[index(k)] + 1.0; }
  [[nodiscard]] double onward(double drop, std::size_t m) const;
  [[nodiscard]] double backward(double drop, std::size_t m) const;

 private:
  static std::size_t index(std::int64_t k) { return static_cast<std::size_t>(k); }

  std::vector<double> points_;        // each a multiple of the cells beside it, so that halves are exact
  std::vector<double> growths_;       // e^w - 1 for the width w of each cell
  std::vector<double> half_growths_;  // and for half of it
};

}  // namespace doeblin
