// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "doeblin/io/kernel_file.hpp"
#include "doeblin/mixing/kernel_coefficients.hpp"
#include "doeblin/mixing/kernel_file.hpp"
#include "doeblin/mixing/named_kernels.hpp"

// Any bytes are either a kernel, whose coefficients then lie in [0, 1], or refused with one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace doeblin;
  static const int file = memfd_create("kernel", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  try {
    const FiniteKernel kernel = pipeline::read_kernel(path);
    const Bracket gamma = dobrushin(kernel).value;
    if (!(gamma.lower() >= 0.0 && gamma.upper() <= 1.0)) std::abort();
    if (!(doeblin_coefficient(kernel).gamma.upper() >= gamma.lower() - 1e-9)) std::abort();
  } catch (const InvalidArgument& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
  try {
    const io::Graph graph = io::read_edges(path);
    if (graph.nodes <= 1000) (void)lazy_walk(graph.nodes, graph.edges, 0.5);
  } catch (const InvalidArgument& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
  return 0;
}
