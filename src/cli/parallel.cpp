// SPDX-License-Identifier: Apache-2.0
#include "cli/parallel.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>

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

}  // namespace doeblin::cli
