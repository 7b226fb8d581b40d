// SPDX-License-Identifier: Apache-2.0
#include "sampling/dyadic_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace doeblin::sampling {
namespace {

constexpr int kMostBits = 12;
// Whole parts below this leave room for 12 more digits within 15.
constexpr std::uint64_t kLargestWhole = 1000;
constexpr std::uint64_t kLargestInteger = 1'000'000'000'000'000;

constexpr std::array<std::uint64_t, kMostBits + 1> kPowersOfFive = [] {
  std::array<std::uint64_t, kMostBits + 1> powers{};
  powers[0] = 1;
  for (int i = 1; i <= kMostBits; ++i) powers[i] = 5 * powers[i - 1];
  return powers;
}();

}  // namespace

char* write_dyadic(char* out, std::int64_t digits, int exponent) {
  const bool is_negative = digits < 0;
  const std::uint64_t size = is_negative ? 0 - static_cast<std::uint64_t>(digits) : static_cast<std::uint64_t>(digits);
  const bool is_fraction = exponent < 0 && exponent >= -kMostBits && size >> -exponent < kLargestWhole;
  const bool is_integer =
      exponent >= 0 && exponent < 50 && size < kLargestInteger >> exponent && size << exponent < 100'000;
  if (!is_fraction && !is_integer)
    // Adding 0 turns -0 into 0.
    return std::to_chars(out, out + kLongestNumber, std::ldexp(static_cast<double>(digits), exponent) + 0.0).ptr;
  if (is_negative) *out++ = '-';
  if (is_integer) return std::to_chars(out, out + kLongestNumber - 1, size << exponent).ptr;
  const int bits = -exponent;
  out = std::to_chars(out, out + kLongestNumber - 1, size >> bits).ptr;
  // f/2^bits = (f 5^bits)/10^bits.
  std::uint64_t fraction = (size & ((std::uint64_t{1} << bits) - 1)) * kPowersOfFive[bits];
  if (fraction == 0) return out;
  *out++ = '.';
  char* const end = out + bits;
  for (char* digit = end; digit != out; fraction /= 10) *--digit = static_cast<char>('0' + fraction % 10);
  char* last = end;
  while (last[-1] == '0') --last;
  return last;
}

}  // namespace doeblin::sampling
