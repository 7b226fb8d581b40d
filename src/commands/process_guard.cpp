// SPDX-License-Identifier: Apache-2.0
#include "commands/process_guard.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>
#include <cstddef>
#include <mutex>
#include <utility>

namespace doeblin::commands {
namespace {

constexpr std::size_t kCount = 3;
constexpr int kSignals[kCount] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> stop_asked{false};

// Those that live now, in several threads: the first one takes over, the last one gives back.
std::mutex guard;
std::size_t alive = 0;
std::size_t taken = 0;
struct sigaction before[kCount];

extern "C" void ask_to_stop(int) { stop_asked.store(true); }

}  // namespace

void harden_process() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0);
}

StopsOnSignals::StopsOnSignals(Which which) {
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  const std::lock_guard lock(guard);
  if (alive++ > 0) return;
  taken = which == Which::kAll ? kCount : 1;
  for (std::size_t i = 0; i < taken; ++i) sigaction(kSignals[i], &action, &before[i]);
}

StopsOnSignals::~StopsOnSignals() { give_back(); }

bool StopsOnSignals::give_back() {
  const std::lock_guard lock(guard);
  if (!std::exchange(is_alive_, false)) return false;
  if (--alive > 0) return stop_asked.load();
  for (std::size_t i = 0; i < taken; ++i) sigaction(kSignals[i], &before[i], nullptr);
  return stop_asked.exchange(false);
}

const std::atomic<bool>& StopsOnSignals::asked() { return stop_asked; }

}  // namespace doeblin::commands
