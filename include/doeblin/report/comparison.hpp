// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "doeblin/pipeline/comparison.hpp"

namespace doeblin::report {

using pipeline::ComparedAnalysis;
using pipeline::Comparison;

/// Whether the text looks like a comparison rather than like a certificate.
[[nodiscard]] bool is_comparison(std::string_view text);

/// Reads what `doeblin compare --json` prints; `name` is what errors call it.
/// Errors   InvalidArgument, one line: a missing field, one of another type, analyses that answer different questions,
///          a best one that is not the best
[[nodiscard]] Comparison read_comparison(const std::string& name, std::string_view text);

}  // namespace doeblin::report
