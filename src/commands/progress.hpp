// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>

namespace doeblin::commands {

/// Says on standard error how far a long question is: nothing in the first two seconds, then a line every two, which
/// overwrites itself on a terminal. Shows counts and time only.
class Progress {
 public:
  explicit Progress(std::size_t total, const char* unit = "values") : total_(total), unit_(unit) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void finished(std::size_t count);

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t total_;
  const char* unit_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  bool shown_ = false;
};

}  // namespace doeblin::commands
