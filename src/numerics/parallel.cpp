// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "doeblin/core/floating_point.hpp"

namespace doeblin::numerics {

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body,
                  const std::function<void(std::size_t)>& finished) {
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto fail = [&] {
    const std::lock_guard guard(failure_lock);
    if (!failure) failure = std::current_exception();
    next = count;
  };
  const auto work = [&](bool reports) {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        // A mode belongs to a thread: what holds where the question was asked need not hold here.
        require_ieee();
        body(i);
        ++done;
        if (reports && finished) finished(done);
      } catch (...) {
        fail();
      }
    }
  };
  const std::size_t threads = std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), count);
  std::vector<std::jthread> others;
  try {
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back([&] { work(false); });
  } catch (const std::system_error&) {
    // No more threads to be had: those that are there do it.
  }
  work(true);
  others.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace doeblin::numerics
