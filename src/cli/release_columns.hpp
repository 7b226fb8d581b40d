// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "doeblin/sampling/release_grid.hpp"

namespace doeblin::cli {

/// What texts of the forms "column=low:high" and "column=value" declare about columns, in the order of their first
/// mention.
/// Errors   InvalidArgument
[[nodiscard]] std::vector<sampling::ColumnLimits> release_columns(const std::vector<std::string>& bounds,
                                                                  const std::vector<std::string>& sensitivities);

}  // namespace doeblin::cli
