// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace doeblin::commands {

/// Records and hidden states must not end up in a core file or in another process. For every command that reads
/// records; the process stays like that.
void harden_process();

/// Thrown by work that was asked to stop, where there is nothing to save.
struct Interrupted {};

/// While it lives, the first signal only sets asked(), so that work can end in good order; a second one ends the
/// program at once. Before and after it signals do what they always do.
class StopsOnSignals {
 public:
  /// Ctrl-C only, or requests to end the program too.
  enum class Which { kAll, kInterrupt };
  explicit StopsOnSignals(Which which = Which::kAll);
  ~StopsOnSignals();
  StopsOnSignals(const StopsOnSignals&) = delete;
  StopsOnSignals& operator=(const StopsOnSignals&) = delete;

  [[nodiscard]] static const std::atomic<bool>& asked();
  /// Errors   Interrupted if so
  static void throw_if_asked() {
    if (asked()) throw Interrupted{};
  }

  /// Ends it early: whether a signal came before. One that comes later does what it always does, so none is lost.
  bool give_back();

 private:
  bool is_alive_ = true;
};

}  // namespace doeblin::commands
