// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "doeblin/iteration/hidden_run.hpp"
#include "doeblin/iteration/record_order.hpp"
#include "doeblin/mechanism/people.hpp"

/// Everybody's guarantee in one pass: the privacy of a hidden run differs from record to record, because more noise
/// follows those that were used early.
namespace doeblin {

/// Epsilon at `delta` for each of the records 1, ..., records (at most order.records()), when only the last state is
/// released. Records that every step treats alike come together.
///
/// Bound    as HiddenRelease; without a closed form the blocks are optimised for some numbers of later steps and scaled
///          to those in between, so `upper` can be slightly above that of HiddenRelease, and never below the truth
/// Method   from the last record used to the first, so that more steps follow at each turn: the guarantee can only
///          improve when the pattern of uses is the same, and once it is perfect it stays so
/// Cost     about 0.5 microseconds a record by shifting, 5 with blocks
[[nodiscard]] std::vector<ForRecords> epsilons(
    const std::shared_ptr<const HiddenRun>& run, const RecordOrder& order, std::size_t records, Delta delta,
    IterationAnalysis analysis, const PeopleProgress& progress = [](std::size_t) {});

/// Delta at `epsilon`, likewise.
[[nodiscard]] std::vector<ForRecords> deltas(
    const std::shared_ptr<const HiddenRun>& run, const RecordOrder& order, std::size_t records, Epsilon epsilon,
    IterationAnalysis analysis, const PeopleProgress& progress = [](std::size_t) {});

}  // namespace doeblin
