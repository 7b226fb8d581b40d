// SPDX-License-Identifier: Apache-2.0
// The loop of coins.cpp, compiled once for any processor and once for AVX2. Nothing in it may be shared between the
// two: builtins instead of functions of the library.
#pragma once

#include "sampling/coins.hpp"

namespace doeblin::sampling {
namespace {

// No candidate with a larger t is kept without a look at its digits.
constexpr double kLargestExponent = 700.0;
// Relative error of the chance: t is right to 4 units of 2^-53, which e^-t multiplies by at most 700; the exponential
// adds 2^-46 and the factor 2^-52. Together below 2^-41.
constexpr double kMargin = 0x1p-40;

// e^-t for 0 <= t <= 700, relative error below 2^-46: 2^n e^r with |r| <= log(2)/2, without branches, so that a
// compiler can do several at once.
inline double exponential(double t) {
  constexpr double kShift = 0x1.8p52;
  constexpr double kLog2High = 0x1.62e42fefa3800p-1;
  constexpr double kLog2Low = 0x1.ef35793c76730p-45;
  const double shifted = -t * 1.4426950408889634 + kShift;
  const double n = shifted - kShift;
  const double r = (-t - n * kLog2High) - n * kLog2Low;
  // Taylor to r^11/11!: the next term is below 2^-47.
  double p = 1.0 / 39916800.0;
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
  return __builtin_bit_cast(double,
                            __builtin_bit_cast(std::uint64_t, p) + (__builtin_bit_cast(std::uint64_t, shifted) << 52));
}

inline void decide_all(const Coins& batch, std::size_t count) {
  constexpr double kCoins = 0x1p43;
  const double* __restrict exponents = batch.exponents;
  const double* __restrict factors = batch.factors;
  const double* __restrict coins = batch.coins;
  std::int64_t* __restrict verdicts = batch.verdicts;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = exponents[i] < kLargestExponent ? exponents[i] : kLargestExponent;
    const double chance = factors[i] * exponential(t) * kCoins;
    // All of [coin, coin + 1) below the chance, or none of it.
    const bool is_kept = coins[i] + 1.0 <= chance * (1.0 - kMargin);
    const bool is_rejected = coins[i] >= chance * (1.0 + kMargin);
    verdicts[i] = is_kept ? kKeep : is_rejected ? kReject : kUndecided;
  }
}

}  // namespace
}  // namespace doeblin::sampling
