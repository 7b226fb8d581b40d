// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "verify/iteration/run_contraction.hpp"
#include "verify/iteration/run_records.hpp"
#include "verify/known.hpp"

/// Runs with Gaussian noise and records in a fixed order, of which the last state (and perhaps others) are released.
namespace doeblin::verify {

struct OrderedRun {
  std::shared_ptr<const ConfinedRun> run;
  RunRecords records;
  std::size_t private_records;        ///< the first ones
  std::vector<std::size_t> releases;  ///< steps, increasing, the last step among them (I11)
  bool is_public = false;             ///< every state is seen
  std::size_t batch = 0;              ///< 0 where every step has its own
};

/// A record that these steps use.
[[nodiscard]] Known known_record(const OrderedRun& run, const RecordUses& uses);

/// The uses of a made-up record that is no better off than anybody, where steps are alike and do not expand: as many
/// uses as anybody has, as close together.
[[nodiscard]] RecordUses worst_pattern(const OrderedRun& run);

/// The k private records that are used last, all at once; empty where that is not known to be the worst, or too much.
[[nodiscard]] RecordUses latest_uses(const OrderedRun& run, unsigned long k);

/// The worst private record.
[[nodiscard]] Known known_worst(const OrderedRun& run);

}  // namespace doeblin::verify
