// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "verify/known.hpp"

/// Compositions by whole numbers: probabilities on a grid of losses as multiples of 2^-bits, rounded to one side, and
/// multiplied exactly as polynomials (catalogue C5, N). No tilt, no floating point.
namespace doeblin::verify {

/// A pair of laws that is used `count` times, in one direction.
struct LatticePart {
  Divergence divergence;  ///< D(P||Q) for epsilon >= 0
  Divergence opposite;    ///< D(Q||P)
  unsigned long count;
  /// No finite loss is larger, in either direction; grids have a point there.
  std::optional<Ball> largest_loss = std::nullopt;
};

struct LatticeQuestion {
  double largest_epsilon;
  double least_delta;
  int effort;  ///< each halves the grid, or two of them where divergences are costly
  bool is_costly = false;
};

/// E[1 - e^{epsilon - L}]_+ of the sum of all losses, from above or from below.
class LossSum {
 public:
  enum class Side { kUpper, kLower };
  LossSum(const std::vector<LatticePart>& parts, const LatticeQuestion& question, Side side);
  ~LossSum();
  LossSum(LossSum&&) noexcept;
  LossSum& operator=(LossSum&&) = delete;

  [[nodiscard]] Ball delta(const Ball& epsilon) const;

 private:
  struct Sum;
  std::unique_ptr<Sum> sum_;
};

}  // namespace doeblin::verify
