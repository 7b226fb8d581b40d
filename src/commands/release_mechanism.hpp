// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "doeblin/sampling/release_grid.hpp"

namespace doeblin::commands {

/// What `release` draws: one of gaussian, laplace, brownian and ornstein_uhlenbeck, in units of a column's
/// sensitivity, at one time or at several.
struct ReleaseMechanism {
  std::string name;
  /// The mechanism as it is written, with the hole filled in.
  std::string text;
  LatticeLaw law;
  std::vector<sampling::PathStep> path = {};
  /// When each release is made; empty for mechanisms without a time.
  std::vector<double> times = {};
  /// Catalogue ids.
  std::string source = {};
};

/// A mechanism whose hole, if there is one, waits for a value.
struct OpenMechanism {
  bool has_hole;
  /// The name of the open parameter.
  std::string parameter;
  /// More is safer, for every parameter that can be open.
  std::function<ReleaseMechanism(double)> filled;
};

/// Reads an expression such as "gaussian(sigma=2)", or "brownian" with times 1, 2, 4.
/// Errors   InvalidArgument unless it is one of the four, with the parameters it needs
[[nodiscard]] OpenMechanism parse_mechanism(const std::string& expression, const std::vector<double>& tiers);

/// The delta of a release that names none: 0 for Laplace noise, which is for pure guarantees, else 1e-6.
[[nodiscard]] double standard_delta(const std::string& expression);

}  // namespace doeblin::commands
