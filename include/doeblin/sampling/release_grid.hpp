// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "doeblin/core/grid_release.hpp"

/// From what a user declares about a column to exact numbers: the grid, the noise on it, and how far one person moves
/// the column's grid points.
namespace doeblin::sampling {

/// What is known about a column.
struct ColumnLimits {
  std::string name;
  /// Values are clipped to [low, high].
  struct Bounds {
    double low;
    double high;
  };
  std::optional<Bounds> bounds = std::nullopt;
  /// One person moves the whole column by at most this: Euclidean length for Gaussian noise, sum for Laplace noise. If
  /// left out, the bounds give it.
  std::optional<double> sensitivity = std::nullopt;

  /// Errors   InvalidArgument unless the bounds or the sensitivity are there, and make sense
  void validate() const;
};

/// One stage of a path, in units of the column's sensitivity: a value x becomes decay x + noise.
struct PathStep {
  double decay = 1.0;
  double deviation;  ///< standard deviation of Gaussian noise, scale of Laplace noise
};

/// What is drawn for every column alike.
struct ReleaseNoise {
  LatticeLaw law;
  std::vector<PathStep> path;
  /// In how many rows one person's data is, at most. If it is not declared, bounds are taken to be about people with
  /// one row each, and sensitivities about people in all of up to kMostRows rows.
  std::optional<double> rows_per_person = std::nullopt;

  void validate() const;
};

inline constexpr double kMostRows = 0x1p24;

/// A column as it is drawn.
struct ColumnPlan {
  std::string name;
  GridColumn grid;
  /// Clipping, as doubles; the largest value that the grid holds where no bounds are declared.
  double low;
  double high;
  bool is_bounded;
  /// The point that the process pulls to, in steps of the grid: the middle of the bounds, or 0.
  std::int64_t centre;
  /// The unit of the noise: the sensitivity declared or derived.
  double sensitivity;
  /// 2^-exponent.
  double steps_per_unit;

  /// The value in steps, rounded to nearest with ties upward. Domain: low <= x <= high.
  [[nodiscard]] std::int64_t rounded(double x) const;
  /// The logarithm of the published step, in steps of the grid.
  [[nodiscard]] int coarse_bits(std::size_t release) const;
  /// A release as it is published, exactly.
  [[nodiscard]] double value_of(std::int64_t steps, std::size_t release) const;
};

/// Chooses the grid: as fine as 2^-40 of the noise or the sensitivity where the values leave room for it.
[[nodiscard]] ColumnPlan plan_column(const ColumnLimits& limits, const ReleaseNoise& noise);

}  // namespace doeblin::sampling
