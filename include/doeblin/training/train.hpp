// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "doeblin/training/checkpoint.hpp"
#include "doeblin/training/noisy_descent.hpp"

namespace doeblin::training {

/// Where a run is saved from time to time, so that it can go on after an interruption.
struct CheckpointPlace {
  std::string path;
  const CheckpointKey* key;
  RunIdentity run;
  double seconds = 30.0;
};

struct TrainingOptions {
  sampling::RandomSource source = sampling::RandomSource::secure();
  /// Null: nothing hidden ever reaches the disk.
  const CheckpointPlace* checkpoint = nullptr;
  /// Called now and then with the steps that are done, of all runs together; never with anything else.
  std::function<void(std::uint64_t)> progress = [](std::uint64_t) {};
  /// Stops the run soon after it is set.
  const std::atomic<bool>* stop = nullptr;
};

/// One vector for two classes or a number, one for each class otherwise; empty when the run was stopped.
using Parameters = std::optional<std::vector<std::vector<double>>>;

/// Makes all tasks of a plan: one, or one for every class against the rest, with the same batches and each with noise
/// of its own (I13).
///
/// A run that finds its checkpoint goes on from there, with fresh noise. When all is done the checkpoint holds the
/// result, so that being killed before the result is written leads to the same result and not to a second one; the
/// caller removes it, and holds a CheckpointLock all the time.
[[nodiscard]] Parameters train(const DescentPlan& plan, const Records& records, const TrainingOptions& options = {},
                               Communicator& communicator = alone());

}  // namespace doeblin::training
