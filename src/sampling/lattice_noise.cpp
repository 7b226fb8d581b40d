// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/lattice_noise.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sampling/exact_coin.hpp"

namespace doeblin::sampling {
namespace {

constexpr std::size_t kBatch = 256;
// No candidate with a larger t is kept without a look at its digits.
constexpr double kLargestExponent = 700.0;
// Relative error of the chance below: t is right to 4 units of 2^-53, which e^-t multiplies by at most 700; the
// exponential and the factor add 2^-49. Together below 2^-41.
constexpr double kMargin = 0x1p-40;

enum Verdict : std::uint8_t { kReject = 0, kKeep = 1, kUndecided = 2 };

// e^-t for 0 <= t <= 700, relative error below 2^-49: 2^n e^r with |r| <= log(2)/2, without branches, so that a
// compiler can do several at once.
inline double exponential(double t) {
  constexpr double kShift = 0x1.8p52;
  constexpr double kLog2High = 0x1.62e42fefa3800p-1;
  constexpr double kLog2Low = 0x1.ef35793c76730p-45;
  const double shifted = -t * 1.4426950408889634 + kShift;
  const double n = shifted - kShift;
  const double r = (-t - n * kLog2High) - n * kLog2Low;
  // Taylor to r^13/13!: the next term is below 2^-57.
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  // The low bits of `shifted` are n in two's complement.
  const std::uint64_t power = std::bit_cast<std::uint64_t>(shifted) << 52;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + power);
}

// A stretch beyond what one word tells: every zero bit that follows moves it by one.
ProposalTable::Candidate far_candidate(const ProposalTable& table, const ProposalTable::Candidate& candidate,
                                       RandomStream& random) {
  std::uint32_t stretch = ProposalTable::kStretchBits;
  while ((random.next() & 1) == 0) ++stretch;
  return table.moved_to(candidate, stretch);
}

}  // namespace

template <LatticeLaw law>
void LatticeNoise::fill_as(RandomStream& random, std::span<std::int64_t> draws) const {
  std::array<std::uint64_t, 2 * kBatch> words;
  std::array<std::int64_t, kBatch> values;
  std::array<std::uint8_t, kBatch> verdicts;
  const double rate =
      law == LatticeLaw::kGaussian ? 0.5 / table_.parameter() / table_.parameter() : 1.0 / table_.parameter();
  constexpr double kCoins = static_cast<double>(std::uint64_t{1} << ProposalTable::kCoinBits);
  std::size_t done = 0;
  while (done < draws.size()) {
    const std::size_t batch = std::min(kBatch, std::max<std::size_t>(draws.size() - done, 8));
    random.fill(std::span(words).first(2 * batch));
    for (std::size_t i = 0; i < batch; ++i) {
      const ProposalTable::Candidate one = table_.candidate(words[2 * i], words[2 * i + 1]);
      const auto z = static_cast<double>(static_cast<std::int64_t>(one.magnitude));
      const double t = std::min(rate * (law == LatticeLaw::kGaussian ? z * z : z), kLargestExponent);
      const double chance = one.factor * exponential(t) * kCoins;
      const auto coin = static_cast<double>(static_cast<std::int64_t>(one.coin));
      const bool is_zero_twice = one.is_second_zero();
      const bool is_kept = (coin + 1.0 <= chance * (1.0 - kMargin)) & !is_zero_twice;
      const bool is_rejected = (coin >= chance * (1.0 + kMargin)) | is_zero_twice;
      const bool is_far = one.is_far();
      values[i] = one.value();
      verdicts[i] = is_far ? kUndecided : is_kept ? kKeep : is_rejected ? kReject : kUndecided;
    }
    for (std::size_t i = 0; i < batch && done < draws.size(); ++i) {
      std::uint8_t verdict = verdicts[i];
      if (verdict == kUndecided) [[unlikely]] {
        ProposalTable::Candidate one = table_.candidate(words[2 * i], words[2 * i + 1]);
        if (one.is_far()) one = far_candidate(table_, one, random);
        values[i] = one.value();
        verdict = !one.is_second_zero() && exact_coin(table_, one, random) ? kKeep : kReject;
      }
      draws[done] = values[i];
      done += verdict;
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
