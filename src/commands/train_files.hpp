// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "commands/train_run.hpp"

namespace doeblin::commands {

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
/// first one gets its name.
void write_files(TrainReport& report);

}  // namespace doeblin::commands
