// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/mixing/finite_kernel.hpp"

namespace doeblin::pipeline {

/// Reads a kernel, one row of probabilities per state, in one of the formats of io/kernel_file.hpp.
/// Errors   InvalidArgument with the file, and the line where there are lines
[[nodiscard]] FiniteKernel read_kernel(const std::string& path);

}  // namespace doeblin::pipeline
