// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "doeblin/core/text.hpp"
#include "doeblin/language/suggestion.hpp"

namespace doeblin::training {

/// The end of a message about a column that is not there: ", did you mean 'x'?", or nothing. Names of one or two
/// letters are an edit away from any other.
[[nodiscard]] inline std::string did_you_mean(const std::string& name, const std::vector<std::string>& columns) {
  const std::string near = name.size() < 3 ? "" : language::suggestion(name, columns);
  return near.empty() || near == name ? "" : fmt::format(", did you mean '{}'?", printable(near));
}

}  // namespace doeblin::training
