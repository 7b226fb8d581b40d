// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/lattice_noise.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sampling/coins.hpp"
#include "sampling/exact_coin.hpp"

namespace doeblin::sampling {
namespace {

constexpr std::size_t kBatch = 256;

}  // namespace

template <LatticeLaw law>
void LatticeNoise::fill_as(RandomStream& random, std::span<std::int64_t> draws) const {
  std::array<std::uint64_t, 2 * kBatch> words;
  std::array<std::int64_t, kBatch> values;
  std::array<double, kBatch> exponents;
  std::array<double, kBatch> factors;
  std::array<double, kBatch> coins;
  std::array<std::int64_t, kBatch> verdicts;
  const double parameter = table_.parameter();
  const double rate = law == LatticeLaw::kGaussian ? 0.5 / parameter / parameter : 1.0 / parameter;
  std::size_t done = 0;
  while (done < draws.size()) {
    const std::size_t batch = std::clamp<std::size_t>(draws.size() - done, 8, kBatch);
    random.fill(std::span(words).first(2 * batch));
    for (std::size_t i = 0; i < batch; ++i) {
      const ProposalTable::Candidate one = table_.candidate(words[2 * i], words[2 * i + 1]);
      const auto z = static_cast<double>(static_cast<std::int64_t>(one.magnitude));
      values[i] = one.value();
      exponents[i] = rate * (law == LatticeLaw::kGaussian ? z * z : z);
      // 0 has no chance with a minus sign; what is far is looked at below, whatever its coin.
      factors[i] = one.is_second_zero() ? 0.0 : one.factor;
      coins[i] = static_cast<double>(static_cast<std::int64_t>(one.coin));
      coins[i] = one.is_far() ? std::numeric_limits<double>::quiet_NaN() : coins[i];
    }
    decide({exponents.data(), factors.data(), coins.data(), verdicts.data()}, batch);
    for (std::size_t i = 0; i < batch && done < draws.size(); ++i) {
      std::int64_t verdict = verdicts[i];
      if (verdict == kUndecided) [[unlikely]] {
        ProposalTable::Candidate one = table_.candidate(words[2 * i], words[2 * i + 1]);
        if (one.is_far()) one = table_.moved_to(one, far_stretch(random));
        values[i] = one.value();
        verdict = !one.is_second_zero() && exact_coin(table_, one, random) ? kKeep : kReject;
      }
      draws[done] = values[i];
      done += static_cast<std::size_t>(verdict);
    }
  }
  sodium_memzero(words.data(), sizeof(words));
  sodium_memzero(values.data(), sizeof(values));
}

void LatticeNoise::fill(RandomStream& random, std::span<std::int64_t> draws) const {
  if (table_.law() == LatticeLaw::kGaussian)
    fill_as<LatticeLaw::kGaussian>(random, draws);
  else
    fill_as<LatticeLaw::kLaplace>(random, draws);
}

std::int64_t LatticeNoise::draw(RandomStream& random) const {
  std::int64_t value = 0;
  fill(random, {&value, 1});
  return value;
}

}  // namespace doeblin::sampling
