// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "doeblin/audit/lower_bound.hpp"

/// Empirical lower bounds: what runs of a mechanism on two neighbouring inputs prove about its privacy.
namespace doeblin::audit {

/// Something that can be run again and again on either of two neighbouring inputs.
struct Subject {
  /// What it is, for people.
  std::string name;
  /// So many independent runs. Calls with different `stream`s share no randomness, and come from several threads.
  std::function<Outputs(Side side, std::uint64_t stream, std::size_t count)> run;
  /// How many runs are asked for at once.
  std::size_t block = 4096;
  /// See LearningOptions.
  std::vector<std::vector<double>> directions = {};
  bool is_categorical = false;
  /// The name of a category.
  std::function<std::string(double)> category = {};
};

struct AuditOptions {
  /// In all: half of them on each input. Domain: 8 <= runs <= 1e9
  std::uint64_t runs = 1'000'000;
  double delta = 0.0;
  /// The share of audits in which a bound may be too high. If both bounds are asked for, each gets half of it.
  double failure = 1e-3;
  /// Bound the level of Gaussian DP too.
  bool is_gaussian = false;
  /// Called now and then with the runs that are done.
  std::function<void(std::uint64_t)> progress = [](std::uint64_t) {};
  /// Stops the audit soon after it is set.
  const std::atomic<bool>* stop = nullptr;

  void validate() const;
};

/// An event, how often it came in runs that it was not learned from, and what follows.
struct Finding {
  Event event;
  EventCounts counts;
  EventBounds bounds;
  /// The share of audits in which the bounds may fail.
  double failure;
};

struct AuditResult {
  Finding black_box;
  /// Holds for every mechanism.
  double epsilon_lower;
  /// What a mechanism that is Gaussian DP must have at least; empty unless asked for.
  std::optional<Finding> gaussian = std::nullopt;
  double mu_lower = 0.0;
};

/// Runs the subject, learns events from the first half of the runs, and counts them in the second half.
///
/// Bound    epsilon_lower is above the truth in at most a share `failure` of all audits: the events are fixed before
///          the runs that they are counted in are made
/// Method   blocks of runs on all cores, each with a stream of its own, so a seed gives the same result on any machine
/// Cost     memory for the first half, 2^25 numbers for each input at most; nothing of the second half is kept
/// Errors   InvalidArgument for outputs that are not finite numbers or of different lengths
/// Empty when it was stopped.
[[nodiscard]] std::optional<AuditResult> audit(const Subject& subject, const AuditOptions& options);

}  // namespace doeblin::audit
