// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "doeblin/mixing/finite_kernel.hpp"
#include "doeblin/numerics/positive_parts.hpp"

/// Copies of a kernel's rows in which sums of positive parts are quick to calculate and never come out too small. They
/// are packed in panels, as numerics/positive_parts.hpp has it; right rows are multiplied by `multiplier`.
namespace doeblin {

/// In single precision, rounded outward: all columns of a dense kernel; the most used columns of a sparse one, and one
/// for whatever else the first row of a pair has.
class Screen {
 public:
  /// What a probability is multiplied by: single precision then holds entries down to 2^-60 * 1e-38.
  static constexpr double kScale = 0x1p60;

  Screen(const FiniteKernel& kernel, double multiplier);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t left_panels() const { return left_panels_; }
  [[nodiscard]] std::size_t right_panels() const { return right_panels_; }
  [[nodiscard]] const float* left(std::size_t panel) const { return left_.data() + panel * columns_ * numerics::kLeft; }
  [[nodiscard]] const float* right(std::size_t panel) const {
    return right_.data() + panel * columns_ * numerics::kRight;
  }

 private:
  void choose_columns(const FiniteKernel& kernel);
  void set(std::size_t x, std::size_t column, double value, double multiplier);
  void fill(const KernelRow& row, std::size_t x, double multiplier);

  std::size_t states_;
  std::size_t columns_ = 0;
  std::vector<std::uint32_t> place_;  // of an output among the columns; empty for a dense kernel
  std::size_t left_panels_ = 0;
  std::size_t right_panels_ = 0;
  std::vector<float> left_;
  std::vector<float> right_;
};

/// Dense rows in 12-bit integers, for divergences that are not small: entries are cut off at a cap and rounded, and
/// what that loses is known for each row. With numbers p', q' in place of p, q:
///     sum (p - q)_+ <= sum (p' - q')_+ + sum (p - p')_+ + sum (q' - q)_+.
class CoarseScreen {
 public:
  /// Domain: dense, at most 2^20 outputs.
  CoarseScreen(const FiniteKernel& kernel, double multiplier);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t left_panels() const { return left_panels_; }
  [[nodiscard]] std::size_t right_panels() const { return right_panels_; }
  [[nodiscard]] const std::uint16_t* left(std::size_t panel) const {
    return left_.data() + panel * columns_ * numerics::kLeft;
  }
  [[nodiscard]] const std::uint16_t* right(std::size_t panel) const {
    return right_.data() + panel * columns_ * numerics::kCoarseRight;
  }
  /// What a probability is multiplied by.
  [[nodiscard]] double scale() const { return scale_; }
  /// What rounding may have taken from the sum of a pair, and of any pair.
  [[nodiscard]] double lost(std::size_t first, std::size_t second) const {
    return left_loss_[first] + right_loss_[second];
  }
  [[nodiscard]] double most_lost() const { return most_lost_; }

 private:
  void fill(std::span<const double> row, std::size_t x, double multiplier);

  std::size_t states_;
  std::size_t columns_;
  double scale_ = 1.0;
  std::size_t left_panels_ = 0;
  std::size_t right_panels_ = 0;
  std::vector<std::uint16_t> left_;
  std::vector<std::uint16_t> right_;
  std::vector<double> left_loss_;
  std::vector<double> right_loss_;
  double most_lost_ = 0.0;
};

}  // namespace doeblin
