// SPDX-License-Identifier: Apache-2.0
#include "cli/parallel.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "doeblin/core/error.hpp"

namespace doeblin::cli {
namespace {

constexpr const char* kModule = "doeblin_mpi.so";

// Next to the program, or where an installation puts it.
training::Communicator& loaded() {
  namespace fs = std::filesystem;
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& path : {folder / kModule, folder.parent_path() / DOEBLIN_LIBDIR / "doeblin" / kModule}) {
    if (!fs::exists(path)) continue;
    // Open MPI finds its own parts through global symbols.
    void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) throw InvalidArgument(std::string("mpirun: ") + dlerror());
    using Start = training::Communicator* (*)();
    const auto start = reinterpret_cast<Start>(dlsym(module, "doeblin_mpi_communicator"));
    if (start == nullptr) throw InvalidArgument(std::string("mpirun: ") + dlerror());
    return *start();
  }
  throw InvalidArgument("mpirun: this build has no MPI (install libopenmpi-dev and build again)");
}

}  // namespace

training::Communicator& communicator() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr ? training::alone() : loaded();
}

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
    std::exit(kBadInput);
  }
}

}  // namespace doeblin::cli
