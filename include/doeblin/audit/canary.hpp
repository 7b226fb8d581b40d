// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "doeblin/audit/audit.hpp"
#include "doeblin/sampling/random_stream.hpp"
#include "doeblin/training/descent_plan.hpp"
#include "doeblin/training/records.hpp"

namespace doeblin::audit {

struct CanaryOptions {
  /// Which record becomes the canary, counted from 1; 0: the last private one, which nothing covers.
  std::size_t record = 0;
  sampling::RandomSource source = sampling::RandomSource::secure();
  const std::atomic<bool>* stop = nullptr;
};

/// Training itself, on the records with a canary among them: one record as long as is allowed, in the coordinate that
/// the other records use least, with one label on the first input and the opposite one on the second; for guarantees
/// about leaving a record out, on the second input its place is kept by a record that does nothing.
///
/// Every run is training::train with fresh noise, as `train` calls it; nothing is written. The output is the model's
/// parameters, and the canary's own direction is among the sums worth a try.
/// Domain   records.count() == plan.privacy.n, all shards
/// Errors   InvalidArgument when there is no such private record
[[nodiscard]] Subject canary_subject(const training::DescentPlan& plan, const training::Records& records,
                                     const CanaryOptions& options = {});

}  // namespace doeblin::audit
