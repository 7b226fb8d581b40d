// SPDX-License-Identifier: Apache-2.0
#include "cli/process_guard.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>

namespace doeblin::cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> stop_asked{false};

extern "C" void ask_to_stop(int) { stop_asked.store(true); }

}  // namespace

void harden_process() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0);
}

StopsOnSignals::StopsOnSignals() {
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : kSignals) sigaction(number, &action, nullptr);
}

StopsOnSignals::~StopsOnSignals() {
  for (const int number : kSignals) std::signal(number, SIG_DFL);
}

const std::atomic<bool>& StopsOnSignals::asked() { return stop_asked; }

}  // namespace doeblin::cli
