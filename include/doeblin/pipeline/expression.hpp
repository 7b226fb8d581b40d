// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "doeblin/pipeline/pipeline.hpp"

namespace doeblin::pipeline {

/// Builds the pipeline that an expression describes, for example "gaussian(sigma=1.1) | group(3)".
///
/// Numbers are the nearest doubles to what is written, and arithmetic in arguments rounds to nearest: the guarantee is
/// about those doubles, which the derivation shows.
/// Errors   InvalidArgument (ExpressionError where a place can be named)
[[nodiscard]] Pipeline parse(std::string_view expression, const Settings& settings = {});

}  // namespace doeblin::pipeline
