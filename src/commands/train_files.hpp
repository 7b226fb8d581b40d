// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "commands/train_run.hpp"

namespace doeblin::commands {

/// The folder of the outputs, made if need be, for its owner only, and removed again if nothing came into it. Locked:
/// no other run can write there meanwhile.
class OutputFolder {
 public:
  OutputFolder() = default;
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Finds out before hours of work and before any record is read, not after them, whether outputs can be written.
  /// Errors   InvalidArgument when they cannot, an input is among them, or there is a model already
  void open(const TrainRequest& asked);

 private:
  std::filesystem::path path_;
  bool is_made_ = false;
  int lock_ = -1;
};

/// Refuses, before any record is read, a certificate that cannot be written, that is one of the inputs, or that an
/// earlier run left.
void require_room_for_certificate(const TrainRequest& asked);

/// Writes model, certificate, people and report, and lists them in the report. All are complete on the disk before the
/// first one gets its name. Without a folder only the certificate is written, if it has a file.
void write_files(TrainReport& report);

}  // namespace doeblin::commands
