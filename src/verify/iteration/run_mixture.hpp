// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "verify/iteration/run_contraction.hpp"
#include "verify/known.hpp"

/// Runs whose end, start or order is random and hidden: averages over what was drawn (catalogue C6, I8, I9, I10).
namespace doeblin::verify {

/// The record's uses are followed by r = 0, 1, ..., parts-1 more steps, each r with probability `weight`, the last one
/// with `last_weight`; otherwise nothing depends on the record.
struct RandomEnd {
  std::shared_ptr<const ConfinedRun> run;
  RecordUses uses;
  std::size_t parts = 1;
  Ball weight;
  Ball last_weight;
  /// Something may tell which part it was.
  bool shows_its_end = true;
  /// Every record may have come to any place, and any two that are exchanged move as much (I22).
  bool hides_its_place = false;
};

/// The average of the parts' profiles, and the pair that tells r and has the Gaussian level of part r.
[[nodiscard]] Known known_average(const RandomEnd& end);

/// The record takes part with this probability.
[[nodiscard]] Known known_thinned(const Known& base, const Ball& probability);

}  // namespace doeblin::verify
