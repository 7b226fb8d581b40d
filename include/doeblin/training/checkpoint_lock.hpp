// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace doeblin::training {

/// The right to go on with the run of a checkpoint and to end it: two processes that both did would release two models
/// with most of their noise in common.
///
/// Held from before the checkpoint is read until after it is removed. A file beside the checkpoint, "<path>.lock", is
/// locked and not just there: the system frees the lock of a process that was killed.
class CheckpointLock {
 public:
  /// Errors   InvalidArgument when another process has it, or the file system has no locks
  explicit CheckpointLock(const std::string& checkpoint);
  CheckpointLock(const CheckpointLock&) = delete;
  CheckpointLock& operator=(const CheckpointLock&) = delete;
  ~CheckpointLock();

  /// To be asked right before anything is released.
  /// Errors   InvalidArgument when somebody removed the file, so that another process may have the lock too
  void require_held() const;

 private:
  [[nodiscard]] bool is_held() const;

  std::string checkpoint_;
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace doeblin::training
