// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "doeblin/sampling/random_stream.hpp"

/// Who takes part: exact draws of people 0, ..., n - 1. What these draws do for privacy is in catalogue S, provided
/// that nobody learns who was drawn.
namespace doeblin::sampling {

/// Everybody with probability `rate`, independently; in increasing order.
/// Domain   0 <= rate <= 1
/// Cost     one random word a person, the same work for those drawn and those not
[[nodiscard]] std::vector<std::uint64_t> poisson_subsample(RandomStream& random, std::uint64_t n, double rate);

/// A uniformly random subset of m people, in increasing order.
/// Domain   m <= n
/// Cost     O(m log m)
[[nodiscard]] std::vector<std::uint64_t> subset_without_replacement(RandomStream& random, std::uint64_t n,
                                                                    std::uint64_t m);

/// m independent uniform draws, in the order they were drawn.
/// Domain   n >= 1 unless m = 0
[[nodiscard]] std::vector<std::uint64_t> draws_with_replacement(RandomStream& random, std::uint64_t n, std::uint64_t m);

/// Everybody, in a uniformly random order.
[[nodiscard]] std::vector<std::uint64_t> random_order(RandomStream& random, std::uint64_t n);

}  // namespace doeblin::sampling
