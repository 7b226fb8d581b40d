// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace doeblin::sampling {

/// What double precision can say about a candidate. As wide as the numbers it is made from, for vectors of them.
enum Verdict : std::int64_t { kReject = 0, kKeep = 1, kUndecided = 2 };

/// A batch of candidates, as parallel arrays.
struct Coins {
  const double* exponents;  ///< t >= 0
  const double* factors;    ///< candidates are kept when coin < 2^43 factor e^{-t}
  const double* coins;      ///< whole numbers below 2^43
  std::int64_t* verdicts;
};

/// Decides all coins but those that lie within the error bound of their chance. No branch depends on a candidate.
void decide(const Coins& batch, std::size_t count);

}  // namespace doeblin::sampling
