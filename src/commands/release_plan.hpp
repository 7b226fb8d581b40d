// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/release_mechanism.hpp"
#include "doeblin/mechanism/pipeline.hpp"

namespace doeblin::commands {

/// What `release` is asked for.
struct ReleaseRequest {
  std::string input;
  std::string output;
  /// One of the four, of which one parameter may be open.
  language::Call mechanism;
  std::vector<double> tiers;
  /// What is declared about columns that get noise; the column "*" stands for all of the file that are not named.
  std::vector<sampling::ColumnLimits> columns;
  std::vector<std::string> public_columns;
  std::vector<std::string> dropped_columns;
  std::optional<double> rows_per_person;
  /// The target of a hole, and where epsilon is shown.
  std::optional<double> epsilon;
  double delta = 1e-6;
  bool is_strict = false;
  /// Replace what an earlier release wrote.
  bool is_forced = false;
  std::optional<double> insecure_seed;
};

/// A release before anything is read: what is drawn for every column, and what it guarantees.
struct ReleasePlan {
  ReleaseMechanism mechanism;
  std::vector<sampling::ColumnPlan> columns;
  /// What was declared about them, in the same order.
  std::vector<sampling::ColumnLimits> limits;
  /// For each release of the path, it and all later ones together.
  std::vector<pipeline::Pipeline> guarantees;
  /// Some column's sensitivity is about people who may be in every row.
  bool is_about_all_rows;
};

/// The plan for a mechanism that is known, of columns that are declared; of the request only who is in how many rows,
/// and whether there is a seed.
[[nodiscard]] ReleasePlan plan_of(const ReleaseMechanism& mechanism, const std::vector<sampling::ColumnLimits>& columns,
                                  const ReleaseRequest& asked);

/// Solves for a hole if there is one.
/// Errors   InvalidArgument for declarations that make no sense, and for targets that cannot be met
[[nodiscard]] ReleasePlan plan_release(const ReleaseRequest& asked);
/// The same for columns that are declared here, not in the request.
[[nodiscard]] ReleasePlan plan_release(const ReleaseRequest& asked, const std::vector<sampling::ColumnLimits>& columns);

/// Epsilon at a delta; the pure level where delta is 0.
[[nodiscard]] Bracket epsilon_at(const pipeline::Pipeline& pipeline, double delta);

}  // namespace doeblin::commands
