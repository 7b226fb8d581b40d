// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "doeblin/pipeline/evaluate.hpp"

// A run of a billion steps is legal and takes its time: here runs have numbers of at most four digits.
static bool has_small_numbers_only(std::string_view text) {
  int digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    const bool is_exponent = digits > 0 && (text[i] == 'e' || text[i] == 'E');
    digits = is_digit ? digits + 1 : 0;
    if (digits > 4 || is_exponent || text.substr(i, 2) == "**") return false;
  }
  return true;
}

// Any bytes either build a pipeline or are refused with one line; a pipeline that was built answers with a bracket.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace doeblin;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Files are not part of this target: reading whatever path the fuzzer makes up finds nothing but slow disks.
  for (const char* reader : {"finite", "schedule", "kernel", "lazy_walk"})
    if (text.find(reader) != std::string_view::npos) return 0;
  // Thousands of states make a matrix of millions of entries.
  if (text.find("geometric") != std::string_view::npos) return 0;
  if (text.find("noisy") != std::string_view::npos && !has_small_numbers_only(text)) return 0;
  try {
    const pipeline::Pipeline built = pipeline::parse(text);
    // Numbers only for cheap pipelines, so that the fuzzer spends its time on the parser.
    if (built.steps().size() > 3 || built.mechanism().profile().traits().costly) return 0;
    const Bracket delta = built.delta(Epsilon(0.5));
    if (!(delta.lower() >= 0.0 && delta.upper() <= 1.0)) std::abort();
  } catch (const InvalidArgument& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
  return 0;
}
