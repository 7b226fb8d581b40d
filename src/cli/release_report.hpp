// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/release_plan.hpp"
#include "doeblin/sampling/csv_release.hpp"

namespace doeblin::cli {

/// One file that was written, with what it guarantees.
struct ReleasedFile {
  std::string path;
  std::optional<double> time;
  pipeline::Pipeline pipeline;
  Bracket epsilon;
};

struct ReleaseReport {
  ReleaseQuestion question;
  ReleasePlan plan;
  std::vector<ReleasedFile> files;
  sampling::CsvReleased done;
  bool is_void;
};

/// "noisy.csv" becomes "noisy.tier2.csv".
[[nodiscard]] std::string tier_path(const std::string& output, std::size_t tier);

/// Plans, computes the guarantee, and only then reads and writes.
[[nodiscard]] ReleaseReport release_report(const ReleaseQuestion& question);

[[nodiscard]] std::string text_release(const ReleaseReport& report);
[[nodiscard]] std::string json_release(const ReleaseReport& report);
/// Lines about the private data, for the person at the keyboard only; empty if there is nothing to say.
[[nodiscard]] std::string private_notes(const ReleaseReport& report);

}  // namespace doeblin::cli
