// SPDX-License-Identifier: Apache-2.0
#include "commands/together.hpp"

#include <cstdlib>
#include <exception>
#include <vector>

namespace doeblin::commands {

void together(training::Communicator& communicator, const std::function<void()>& work) {
  std::exception_ptr problem;
  try {
    work();
  } catch (...) {
    problem = std::current_exception();
  }
  const double failed = problem ? 1.0 : 0.0;
  const std::vector<std::size_t> lengths(communicator.size(), 1);
  std::vector<double> all(communicator.size());
  communicator.gather({&failed, 1}, lengths, all);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank] == 0.0) continue;
    communicator.finish();
    if (rank == communicator.rank()) std::rethrow_exception(problem);
    // Bad input, as on the rank that says so.
    std::exit(2);
  }
}

}  // namespace doeblin::commands
