// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace doeblin::commands {

/// Where progress is shown, by the whole process: on a terminal unless something else is asked for.
enum class ShowProgress { kOnTerminal, kAlways, kNever };
void show_progress(ShowProgress where);

/// Says on standard error how far a long question is: a line every two seconds, which overwrites itself on a terminal.
/// The first one comes after two seconds, or at once if progress is always shown.
///
/// Lines show time, and counts that the answer states anyway: nothing that only private data tell, such as the size of
/// a file.
class Progress {
 public:
  /// Of `total` things, or of as many as it takes if that is 0.
  explicit Progress(std::size_t total, const char* unit = "values") : total_(total), unit_(unit) {}
  /// Of work that is not counted.
  explicit Progress(const char* work) : total_(0), unit_(work), is_counted_(false) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void finished(std::size_t count);
  void goes_on() { finished(0); }

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t total_;
  const char* unit_;
  bool is_counted_ = true;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  bool is_shown_ = false;
};

}  // namespace doeblin::commands
