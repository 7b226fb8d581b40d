// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/run_analysis.hpp"

#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin {

std::string_view name(RunAnalysis analysis) { return kRunAnalyses.word_of(analysis); }

RunAnalysis run_analysis_named(std::string_view text) {
  if (const auto found = kRunAnalyses.value_of(text)) return *found;
  throw InvalidArgument("analysis", fmt::format("'{}'", text.substr(0, 40)), kRunAnalyses.listed(", "));
}

}  // namespace doeblin
