// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "doeblin/core/bracket.hpp"

/// Numbers as people read them; bounds round outward.
namespace doeblin::report {

/// "1e-05" as "1e-5", "inf" as "infinity".
[[nodiscard]] std::string plain(std::string_view number);
[[nodiscard]] std::string exact_text(double x);
[[nodiscard]] std::string upper_text(double x, int digits = 5);
[[nodiscard]] std::string lower_text(double x, int digits = 5);

/// "between 1.2 and 1.3", "exactly 1", or "at most 1.3" where the lower end says nothing.
[[nodiscard]] std::string bracket_text(const Bracket& x, int digits = 5);

/// "1 in 100,000", a chance that is no smaller than this one; empty for those that are not small, or too small to mean
/// anything.
[[nodiscard]] std::string chance_text(double probability);

/// A factor with three digits, rounded up: 1.27, 2,290.
[[nodiscard]] std::string times_text(double factor);

/// e^epsilon, rounded up; empty where it is too large to mean anything.
[[nodiscard]] std::string factor_text(double epsilon);

/// 60000 as "60,000".
[[nodiscard]] std::string count_text(std::size_t count);

/// "epsilon" or "delta", and what it is asked at.
[[nodiscard]] std::string_view value_name(bool is_epsilon);
[[nodiscard]] std::string_view argument_name(bool is_epsilon);

}  // namespace doeblin::report
