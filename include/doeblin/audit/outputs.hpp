// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace doeblin::audit {

/// What some runs of a mechanism gave: a row of numbers for each.
struct Outputs {
  std::size_t dimension = 1;
  std::vector<double> values = {};

  [[nodiscard]] std::size_t count() const { return values.size() / dimension; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(values).subspan(i * dimension, dimension);
  }
  /// Errors   InvalidArgument when rows are longer or shorter than `length`, or hold what is not a finite number
  void validate(std::size_t length) const;
};

}  // namespace doeblin::audit
