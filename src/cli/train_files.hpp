// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "cli/train_run.hpp"

namespace doeblin::cli {

/// The folder of the outputs, made if need be, and removed again if nothing came into it.
class OutputFolder {
 public:
  OutputFolder() = default;
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Finds out before hours of work, not after them, whether outputs can be written.
  /// Errors   InvalidArgument when they cannot, or an input is among them
  void open(const TrainQuestion& question);

 private:
  std::filesystem::path path_;
  bool is_made_ = false;
};

/// Writes model, certificate, people and report, and lists them in the report. All are complete on the disk before the
/// first one gets its name. `lines`: where each record stands in its file; empty
/// when there are too many to list.
void write_files(TrainReport& report, const std::vector<std::uint64_t>& lines);

}  // namespace doeblin::cli
