// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "doeblin/training/encoding.hpp"

/// What becomes of one field, whatever the format.
namespace doeblin::training {

/// What errors say that a number must be.
inline constexpr std::string_view kNumberNeed = "a finite number";

/// Bounds become 0 and 1, exactly; rounding keeps what is between them there.
[[nodiscard]] inline double mapped(double number, const std::optional<Bounds>& bounds) {
  if (!bounds) return number;
  return (std::clamp(number, bounds->low, bounds->high) - bounds->low) / (bounds->high - bounds->low);
}

/// The label, or nothing when the field is not a valid one.
[[nodiscard]] std::optional<double> encoded_label(const LabelColumn& label, std::string_view field);
[[nodiscard]] std::optional<double> encoded_label(const LabelColumn& label, double number);

/// What errors say that a label must be.
[[nodiscard]] std::string label_need(const LabelColumn& label);

}  // namespace doeblin::training
