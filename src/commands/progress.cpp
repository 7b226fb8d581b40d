// SPDX-License-Identifier: Apache-2.0
#include "commands/progress.hpp"

#include <unistd.h>

#include <atomic>
#include <iostream>

#include <fmt/format.h>

namespace doeblin::commands {
namespace {

constexpr std::chrono::seconds kBetweenLines(2);

std::atomic<ShowProgress> shown_where{ShowProgress::kOnTerminal};

bool on_terminal() { return isatty(STDERR_FILENO) == 1; }

bool is_wanted() {
  const ShowProgress where = shown_where.load();
  return where == ShowProgress::kAlways || (where == ShowProgress::kOnTerminal && on_terminal());
}

}  // namespace

void show_progress(ShowProgress where) { shown_where.store(where); }

Progress::~Progress() {
  if (is_shown_ && on_terminal()) std::cerr << "\n";
}

void Progress::finished(std::size_t count) {
  const bool is_first_at_once = !is_shown_ && shown_where.load() == ShowProgress::kAlways;
  const auto now = Clock::now();
  if ((now - last_ < kBetweenLines && !is_first_at_once) || !is_wanted()) return;
  last_ = now;
  is_shown_ = true;
  std::string line = "doeblin: ";
  if (is_counted_) line += total_ > 0 ? fmt::format("{} of {} ", count, total_) : fmt::format("{} ", count);
  line += fmt::format("{}, {} s", unit_, std::chrono::duration_cast<std::chrono::seconds>(now - start_).count());
  // In one piece: other processes may write there too.
  std::cerr << (on_terminal() ? "\r" + line : line + "\n") << std::flush;
}

}  // namespace doeblin::commands
