// SPDX-License-Identifier: Apache-2.0
#include "sampling/exact_coin.hpp"

#include <cmath>

#include <boost/multiprecision/cpp_int.hpp>

#include "doeblin/core/error.hpp"

namespace doeblin::sampling {
namespace {

using Integer = boost::multiprecision::cpp_int;

// t as an exact fraction.
struct Fraction {
  Integer numerator;
  Integer denominator;
};

Fraction exponent(const ProposalTable& table, std::uint64_t magnitude) {
  // parameter = digits 2^power.
  int power = 0;
  const auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(table.parameter(), &power), 53));
  power -= 53;
  Integer numerator = magnitude;
  Integer denominator = digits;
  if (table.law() == LatticeLaw::kGaussian) {
    numerator *= numerator;
    denominator *= denominator;
    denominator *= 2;
    power *= 2;
  }
  (power < 0 ? numerator : denominator) <<= static_cast<unsigned>(std::abs(power));
  return {numerator, denominator};
}

// e^{-t} in units of 2^-bits: the truth lies within `error` units of `value`.
struct Approximate {
  Integer value;
  Integer error;
};

// The alternating series at t/2^halvings <= 1/2, then as many squarings.
Approximate exponential(const Fraction& t, unsigned bits) {
  unsigned halvings = 1;
  for (Integer whole = t.numerator / t.denominator; whole > 0; whole >>= 1) ++halvings;
  const Integer one = Integer(1) << bits;
  const Integer x = (t.numerator << bits) / (t.denominator << halvings);  // one unit below at most
  Integer sum = one;
  Integer term = one;
  // Truncated terms are one unit off at most each, the first one left out is below a unit, and so is the effect of x's.
  Integer error = 2;
  for (unsigned n = 1; term > 0; ++n) {
    term = ((term * x) >> bits) / n;
    sum += n % 2 == 1 ? Integer(-term) : term;
    error += 2;
  }
  for (unsigned k = 0; k < halvings; ++k) {
    // |v^2 - w^2| <= 2 |v - w| + |v - w|^2 for v, w <= 1, and one unit for the shift.
    sum = (sum * sum) >> bits;
    error = 2 * error + 2;
  }
  return {sum, error};
}

}  // namespace

bool exact_coin(const ProposalTable& table, const ProposalTable::Candidate& candidate, RandomStream& random) {
  const Fraction t = exponent(table, candidate.magnitude);
  const ProposalTable::Share share = table.share(candidate);
  const Integer scale = static_cast<std::int64_t>(16.0 * table.scale());
  Integer coin = candidate.coin;
  for (unsigned bits = ProposalTable::kCoinBits;; bits += 64) {
    // Guard bits for the squarings: t < 2^14 for all but candidates that would be rejected at once.
    const unsigned guard = 96;
    Integer low = 0;
    Integer high = 1;
    // Beyond this e^{-t} M 2^shift < 2^-bits: M < 2^11 and e^-1 < 2^-1.4.
    if (t.numerator < t.denominator * (bits + share.shift + 16)) {
      const Approximate power = exponential(t, bits + guard);
      // chance 2^bits = e^{-t} (16 M) 2^shift / (16 divisor) 2^bits, rounded down and up.
      const Integer divisor = Integer(share.divisor) << (guard + 4);
      low = ((power.value - power.error) * scale << share.shift) / divisor - 1;
      high = ((power.value + power.error) * scale << share.shift) / divisor + 1;
    }
    if (coin + 1 <= low) return true;
    if (coin >= high) return false;
    coin = (coin << 64) + random.next();
  }
}

std::uint32_t far_stretch(RandomStream& random) {
  std::uint32_t stretch = ProposalTable::kStretchBits;
  while ((random.next() & 1) == 0) ++stretch;
  return stretch;
}

}  // namespace doeblin::sampling
