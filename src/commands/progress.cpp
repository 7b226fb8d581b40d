// SPDX-License-Identifier: Apache-2.0
#include "commands/progress.hpp"

#include <unistd.h>

#include <iostream>

#include <fmt/format.h>

namespace doeblin::commands {
namespace {

bool on_terminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace

Progress::~Progress() {
  if (shown_ && on_terminal()) std::cerr << "\n";
}

void Progress::finished(std::size_t count) {
  const auto now = Clock::now();
  if (now - last_ < std::chrono::seconds(2)) return;
  last_ = now;
  shown_ = true;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - start_).count();
  const std::string steps =
      total_ > 0 ? fmt::format("{} of {} {}", count, total_, unit_) : fmt::format("{} {}", count, unit_);
  std::cerr << (on_terminal() ? "\r" : "") << fmt::format("doeblin: {}, {} s", steps, seconds)
            << (on_terminal() ? "" : "\n") << std::flush;
}

}  // namespace doeblin::commands
