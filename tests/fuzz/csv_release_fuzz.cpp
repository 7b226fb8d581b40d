// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "doeblin/core/error.hpp"
#include "doeblin/sampling/csv_release.hpp"

namespace {

using namespace doeblin;
using namespace doeblin::sampling;

ColumnPlan column(const char* name) {
  return plan_column({.name = name, .bounds = {{-10.0, 10.0}}},
                     {.law = LatticeLaw::kGaussian, .path = {{.deviation = 1.0}}});
}

// Lines of the file that are not blank.
std::size_t lines(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) count += text[i] == '\n' ? 1 : 0;
  return count;
}

}  // namespace

// Any bytes are either a table, of which every row is released, or refused with one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int input = memfd_create("input", 0);
  static const int output = memfd_create("output", 0);
  static const std::string input_path = "/proc/self/fd/" + std::to_string(input);
  static const std::string output_path = "/proc/self/fd/" + std::to_string(output);
  static const ColumnPlan x = column("x");
  static const ColumnPlan y = column("y");
  if (ftruncate(input, 0) != 0 || pwrite(input, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  for (const bool has_two : {false, true}) {
    if (ftruncate(output, 0) != 0) std::abort();
    CsvRelease release{.input = input_path, .outputs = {output_path}, .columns = {x}, .threads = 1};
    if (has_two) {
      release.columns.push_back(y);
      release.public_columns = {"a"};
    }
    try {
      const CsvReleased done = release_csv(release, RandomSource::insecure(1));
      std::string text(static_cast<std::size_t>(lseek(output, 0, SEEK_END)), '\0');
      if (pread(output, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) std::abort();
      if (lines(text) != done.rows + 1) std::abort();
    } catch (const InvalidArgument& error) {
      if (std::strchr(error.what(), '\n') != nullptr) std::abort();
    }
  }
  return 0;
}
