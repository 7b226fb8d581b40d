// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "doeblin/sampling/lattice_noise.hpp"

namespace doeblin::sampling {

/// A Markov path on the grid: each release is made from the one before and fresh noise, never from the value again, so
/// whoever pools releases knows what the first of them tells and nothing else (catalogue D5).
class NoisePath {
 public:
  NoisePath(LatticeLaw law, const std::vector<GridTransition>& path);

  [[nodiscard]] std::size_t releases() const { return steps_.size(); }

  /// Moves all `points` from release `release` - 1 (the values themselves for 0) to release `release`.
  void advance(std::size_t release, RandomStream& random, std::span<std::int64_t> points) const;

 private:
  struct Step {
    /// multiplier 2^62.
    std::int64_t factor;
    LatticeNoise noise;
  };
  std::vector<Step> steps_;
};

}  // namespace doeblin::sampling
