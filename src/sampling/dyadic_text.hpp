// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace doeblin::sampling {

/// Longest text of a number.
inline constexpr int kLongestNumber = 32;

/// Writes the double digits 2^exponent as the shortest decimal that reads back as the same double, and returns the end.
///
/// Method   with up to 12 bits after the point and 15 digits in all the decimal expansion itself is that text: no other
///          number with so few digits reads as the same double; the rest is left to the library
[[nodiscard]] char* write_dyadic(char* out, std::int64_t digits, int exponent);

}  // namespace doeblin::sampling
