// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "doeblin/language/program.hpp"
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

/// The call of one of the four, such as "gaussian(sigma=2)", or "brownian" where tiers take the place of its time.
/// Errors   InvalidArgument unless it is one of them, with the parameters it needs, of which one may be open
[[nodiscard]] language::Call parse_mechanism(const std::string& expression, bool has_tiers);
/// The same from a source: its sensitivity must be 1, because columns have sensitivities of their own.
[[nodiscard]] language::Call mechanism_call(const language::Program& source, bool has_tiers);

/// What is drawn by such a call, at its time or at the tiers.
/// Errors   InvalidArgument for numbers that are none of a mechanism, or of a path
[[nodiscard]] OpenMechanism open_mechanism(const language::Call& call, const std::vector<double>& tiers);

/// The delta of a release that names none: 0 for Laplace noise, which is for pure guarantees, else 1e-6.
[[nodiscard]] double standard_delta(const language::Call& mechanism);

}  // namespace doeblin::commands
