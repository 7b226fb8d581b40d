// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace doeblin::language {

/// The candidate that `word` is most likely a misspelling of, or an empty text: at most one edit (insertion, deletion,
/// substitution, swap of neighbours) per three letters, and at least one allowed.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace doeblin::language
