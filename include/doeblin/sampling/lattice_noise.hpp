// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "doeblin/sampling/proposal_table.hpp"
#include "doeblin/sampling/random_stream.hpp"

namespace doeblin::sampling {

/// Exact noise on the integers: discrete Gaussian or discrete Laplace.
///
/// Source   catalogue P7; rejection from a table, see ProposalTable
/// Bound    the law is exact, given uniform bits: a coin that double precision cannot decide (one in 10^11) is decided
///          with as many digits as it takes
/// Timing   independent of the values drawn, but for those coins
/// Cost     about 1.06 candidates of two random words each, whatever the parameter
class LatticeNoise {
 public:
  /// Pr[z] proportional to exp(-z^2/(2 sigma^2)). Domain: 2^-10 <= sigma <= 2^48.
  [[nodiscard]] static LatticeNoise gaussian(double sigma) { return LatticeNoise({LatticeLaw::kGaussian, sigma}); }
  /// Pr[z] proportional to exp(-|z|/scale). Domain: 2^-10 <= scale <= 2^48.
  [[nodiscard]] static LatticeNoise laplace(double scale) { return LatticeNoise({LatticeLaw::kLaplace, scale}); }

  /// Independent draws.
  void fill(RandomStream& random, std::span<std::int64_t> draws) const;
  [[nodiscard]] std::int64_t draw(RandomStream& random) const;

  [[nodiscard]] const ProposalTable& table() const { return table_; }

 private:
  explicit LatticeNoise(ProposalTable table) : table_(std::move(table)) {}

  template <LatticeLaw law>
  void fill_as(RandomStream& random, std::span<std::int64_t> draws) const;

  ProposalTable table_;
};

}  // namespace doeblin::sampling
