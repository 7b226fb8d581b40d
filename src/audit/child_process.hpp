// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>

namespace doeblin::audit {

/// How a program ended.
struct ChildResult {
  enum class End { kExited, kSignalled, kTimedOut, kStopped, kTooLong };
  End end;
  /// Exit code or signal.
  int code = 0;
  std::string output = {};
  /// The beginning of what it said on standard error.
  std::string errors = {};
};

struct ChildLimits {
  double seconds;
  const std::atomic<bool>* stop;
};

/// Runs `sh -c command` in a process group of its own and reads what it prints. Whatever it left running is killed when
/// it ends, takes too long, or we are asked to stop.
[[nodiscard]] ChildResult run_child(const std::string& command, const ChildLimits& limits);

}  // namespace doeblin::audit
