// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/release_mechanism.hpp"
#include "doeblin/pipeline/pipeline.hpp"
#include "doeblin/sampling/csv_release.hpp"

namespace doeblin::cli {

/// What `release` is asked for.
struct ReleaseQuestion {
  std::string input;
  std::string output;
  std::string mechanism;
  std::vector<double> tiers;
  /// Texts of the form "column=low:high" and "column=value"; the column "*" stands for all that are not named.
  std::vector<std::string> bounds;
  std::vector<std::string> sensitivities;
  std::vector<std::string> public_columns;
  std::vector<std::string> dropped_columns;
  std::optional<double> rows_per_person;
  /// The target of a hole, and where epsilon is shown.
  std::optional<double> epsilon;
  double delta = 1e-6;
  bool is_strict = false;
  std::optional<double> insecure_seed;
};

/// One file that was written, with what it guarantees.
struct ReleasedFile {
  std::string path;
  std::optional<double> time;
  pipeline::Pipeline pipeline;
  Bracket epsilon;
};

struct ReleaseReport {
  ReleaseQuestion question;
  ReleaseMechanism mechanism;
  std::vector<sampling::ColumnPlan> columns;
  std::vector<ReleasedFile> files;
  sampling::CsvReleased done;
  bool is_void;
};

/// Plans, computes the guarantee, and only then reads and writes.
[[nodiscard]] ReleaseReport release_report(const ReleaseQuestion& question);

[[nodiscard]] std::string text_release(const ReleaseReport& report);
[[nodiscard]] std::string json_release(const ReleaseReport& report);
/// Lines about the private data, for the person at the keyboard only; empty if there is nothing to say.
[[nodiscard]] std::string private_notes(const ReleaseReport& report);

}  // namespace doeblin::cli
