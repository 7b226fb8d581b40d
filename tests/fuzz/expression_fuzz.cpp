// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "doeblin/pipeline/expression.hpp"

// Any bytes either build a pipeline or are refused with one line; a pipeline that was built answers with a bracket.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace doeblin;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Files are not part of this target: reading whatever path the fuzzer makes up finds nothing but slow disks.
  if (text.find("finite") != std::string_view::npos) return 0;
  try {
    const pipeline::Pipeline built = pipeline::parse(text);
    // Numbers only for cheap pipelines, so that the fuzzer spends its time on the parser.
    if (built.steps().size() > 3 || built.guarantee().profile.traits().costly) return 0;
    const Bracket delta = built.delta(Epsilon(0.5));
    if (!(delta.lower() >= 0.0 && delta.upper() <= 1.0)) std::abort();
  } catch (const InvalidArgument& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
  return 0;
}
