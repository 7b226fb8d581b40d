// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "doeblin/core/error.hpp"
#include "doeblin/pipeline/plan.hpp"
#include "doeblin/pipeline/program.hpp"

// Any bytes are either a plan, whose calls can be read, or refused with one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace doeblin;
  static const int file = memfd_create("plan", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  try {
    const pipeline::Plan plan = pipeline::read_plan(path);
    const pipeline::Program program = pipeline::program_of(plan.expression);
    if (pipeline::program_of(pipeline::text_of(program)) != program) std::abort();
  } catch (const InvalidArgument& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
  return 0;
}
