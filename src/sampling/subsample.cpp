// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/subsample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "doeblin/core/error.hpp"

namespace doeblin::sampling {

std::vector<std::uint64_t> poisson_subsample(RandomStream& random, std::uint64_t n, double rate) {
  require(rate >= 0.0 && rate <= 1.0, "rate", rate, "0 <= rate <= 1");
  std::vector<std::uint64_t> chosen;
  chosen.reserve(static_cast<std::size_t>(1.1 * rate * static_cast<double>(n)) + 64);
  // rate = (digits + rest)/2^64: a word below `digits` is in, one above is out, and an equal one asks for more bits.
  const double scaled = std::ldexp(rate, 64);
  const bool is_everybody = rate == 1.0;
  const auto digits = is_everybody ? 0 : static_cast<std::uint64_t>(scaled);
  const double rest = is_everybody ? 0.0 : scaled - std::floor(scaled);
  std::array<std::uint64_t, 512> words;
  std::array<std::uint64_t, 512> drawn;
  for (std::uint64_t begin = 0; begin < n; begin += words.size()) {
    const std::size_t count = std::min<std::uint64_t>(words.size(), n - begin);
    random.fill(std::span(words).first(count));
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      bool is_in = (words[i] < digits) | is_everybody;
      if (words[i] == digits && !is_everybody) [[unlikely]]
        is_in = random.bernoulli(rest);
      drawn[found] = begin + i;
      found += is_in ? 1 : 0;
    }
    chosen.insert(chosen.end(), drawn.begin(), drawn.begin() + static_cast<std::ptrdiff_t>(found));
  }
  return chosen;
}

std::vector<std::uint64_t> subset_without_replacement(RandomStream& random, std::uint64_t n, std::uint64_t m) {
  require(m <= n, "m", static_cast<double>(m), "m <= n");
  // Floyd: for j = n - m + 1, ..., n draw from the first j people; whoever is in already makes way for the j-th.
  std::unordered_set<std::uint64_t> chosen;
  chosen.reserve(m);
  for (std::uint64_t j = n - m; j < n; ++j)
    if (!chosen.insert(random.below(j + 1)).second) chosen.insert(j);
  std::vector<std::uint64_t> sorted(chosen.begin(), chosen.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::vector<std::uint64_t> draws_with_replacement(RandomStream& random, std::uint64_t n, std::uint64_t m) {
  require(n >= 1 || m == 0, "n", static_cast<double>(n), "n >= 1");
  std::vector<std::uint64_t> drawn(m);
  for (std::uint64_t& one : drawn) one = random.below(n);
  return drawn;
}

std::vector<std::uint64_t> random_order(RandomStream& random, std::uint64_t n) {
  std::vector<std::uint64_t> order(n);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::uint64_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace doeblin::sampling
