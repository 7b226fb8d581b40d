// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string_view>

#include "doeblin/core/sentence.hpp"

/// Counts that come in as doubles.
namespace doeblin {

[[nodiscard]] inline bool is_whole(double x) { return x == std::floor(x); }

/// A whole number from low to high; NaN is none.
[[nodiscard]] inline bool is_whole(double x, double low, double high) { return x >= low && x <= high && is_whole(x); }

namespace detail {

[[noreturn]] void fail_whole(std::string_view parameter, double value, double low, double high);
[[noreturn]] void fail_whole(const Sentence& parameter, double value, std::string_view constraint);

}  // namespace detail

/// Throws InvalidArgument unless `value` is a whole number from low to high, for example
/// "k = 0.5, need an integer, 1 <= k <= 2^53". Bounds are shown as people write them: 4096, 1e9, 2^40.
inline void require_whole(std::string_view parameter, double value, double low, double high) {
  if (!is_whole(value, low, high)) detail::fail_whole(parameter, value, low, high);
}

/// The same in words of the caller's. A parameter is a text or an Option.
template <typename Parameter>
void require_whole(const Parameter& parameter, double value, double low, double high, std::string_view constraint) {
  if (!is_whole(value, low, high)) detail::fail_whole(Sentence(parameter), value, constraint);
}

}  // namespace doeblin
