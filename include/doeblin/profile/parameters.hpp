// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "doeblin/core/error.hpp"
#include "doeblin/core/whole.hpp"

/// Conditions that several mechanisms share.
namespace doeblin {

/// A noise level: positive and finite.
inline void require_noise(std::string_view parameter, double value) {
  require(value > 0.0 && std::isfinite(value), parameter, value, "0 < " + std::string(parameter) + " < infinity");
}

inline void require_sensitivity(double value) {
  require(value >= 0.0 && std::isfinite(value), "sensitivity", value, "0 <= sensitivity < infinity");
}

/// For noise on the integers: a non-negative integer, small enough that products with it round to the right integer.
inline void require_integer_sensitivity(double value) { require_whole("sensitivity", value, 0.0, 0x1p40); }

}  // namespace doeblin
