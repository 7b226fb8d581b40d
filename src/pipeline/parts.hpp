// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <variant>

#include "doeblin/mixing/kernel_maker.hpp"

namespace doeblin::pipeline {

/// The maker of a source, stage or kernel, whichever has this name.
using AnyMaker = std::variant<SourceMaker, StageMaker, KernelMaker>;

/// Errors   InvalidArgument unless there is one
[[nodiscard]] AnyMaker maker_of(std::string_view name);

}  // namespace doeblin::pipeline
