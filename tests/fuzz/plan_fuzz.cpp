// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "doeblin/core/error.hpp"
#include "doeblin/language/expression.hpp"
#include "doeblin/language/plan.hpp"

// Any bytes are either a plan, whose calls can be read, or refused with one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace doeblin;
  static const int file = memfd_create("plan", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  try {
    const language::Plan plan = language::read_plan(path);
    if (has_words(plan.program) && language::parse_open(text_of(plan.program)) != plan.program) std::abort();
  } catch (const InvalidArgument& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
  return 0;
}
