// SPDX-License-Identifier: Apache-2.0
#include "sampling/side_by_side.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace doeblin::sampling {

unsigned thread_count(unsigned asked) {
  return asked > 0 ? asked : std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
}

void side_by_side(std::size_t count, const std::function<void(std::size_t)>& body) {
  std::vector<std::exception_ptr> failures(count);
  const auto guarded = [&](std::size_t i) {
    try {
      body(i);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back([&, i] { guarded(i); });
  if (count > 0) guarded(0);
  threads.clear();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace doeblin::sampling
