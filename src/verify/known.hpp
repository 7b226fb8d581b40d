// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "doeblin/core/types.hpp"
#include "verify/ball.hpp"

namespace doeblin::verify {

/// The verifier has no independent way to check this; the message says why, as a part of a sentence.
class CannotCheck : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is known about a divergence: it is at most `upper`, and `lower` is attained by some neighbours (0 if nothing is
/// known). Both are balls around the exact values of formulas.
struct Enclosed {
  Ball upper;
  Ball lower;
};

/// D_{e^epsilon}(P||Q) of a pair of laws, for epsilon >= 0.
using Divergence = std::function<Ball(const Ball& epsilon)>;

/// Laws that dominate a mechanism: D(P||Q) in one order of neighbours, D(Q||P) in the other, and whether some
/// neighbours have them. Below 0 nothing more is needed: D_g(P||Q) = 1 - g + g D_{1/g}(Q||P).
struct Pairs {
  Divergence forward;
  Divergence backward;
  bool are_attained = true;
  /// Both are the same function: half of the work.
  bool is_symmetric = false;
  /// From a bound on the profile (C7), which takes long to compute; convex once it is on a grid.
  bool is_profile = false;
};

/// Everything the verifier knows about a mechanism at some point of a program.
struct Known {
  /// At every epsilon >= 0.
  std::function<Enclosed(const Ball& epsilon)> delta;
  std::optional<Pairs> pairs = std::nullopt;
  /// Exactly mu-GDP.
  std::optional<Ball> mu = std::nullopt;
  /// At most as bad as mu-GDP for this mu.
  std::optional<Ball> dominating_mu = std::nullopt;
  /// At most rho-zCDP.
  std::optional<Ball> rho = std::nullopt;
  /// rho is all there is: some neighbours are as badly off as a Gaussian mechanism with mu^2 = 2 rho.
  bool is_rho_attained = false;
  /// No loss is larger: epsilon-DP for this epsilon.
  std::optional<Ball> pure = std::nullopt;
  /// No finite loss is larger.
  std::optional<Ball> largest_loss = std::nullopt;
  /// The mechanism for k people; empty if only the profile is known.
  std::function<Known(unsigned long k)> group = {};
  /// The Renyi divergence of an order above 1 from above; empty if nothing is known.
  std::function<Ball(const Ball& alpha)> renyi = {};
  /// A bound on delta by that route alone, where `delta` has a better one; for cross-checks.
  Divergence by_renyi = {};
  /// It is infinite above this order, if that is set.
  std::optional<Ball> largest_order = std::nullopt;
  /// Nothing but noise of N1 around a value that everybody moves by one step; null otherwise, and for normal laws.
  std::shared_ptr<const struct AddedNoise> noise = nullptr;
  /// A mechanism that is a matrix: rows are datasets, `neighbours` pairs of rows. Null otherwise.
  std::shared_ptr<const struct KnownMatrix> matrix = nullptr;
  /// The state of a diffusion after some more time; empty unless it is one.
  std::function<Known(const Ball& time)> evolved = {};
  /// Any two neighbours are one of these cases, the same one in every release; empty if there is only one.
  std::vector<std::shared_ptr<const Known>> cases = {};
  /// About the log of the likelihood ratio of the noise around k people's shift to that around 0, at z, which increases
  /// with z; for searching. Empty unless noise is added to a value that everybody moves by a unit.
  std::function<double(double z, double k)> log_ratio = {};
  /// A run whose records come in a random order that stays hidden; empty if that is not known.
  std::function<Known()> in_random_order = {};
  /// What a composition is made of; empty for a single release.
  std::vector<std::pair<std::shared_ptr<const Known>, unsigned long>> releases = {};
};

struct KnownMatrix {
  std::vector<std::vector<Ball>> rows;
  std::vector<std::pair<std::size_t, std::size_t>> neighbours;
};

/// A mechanism whose divergence is known exactly and the same in both directions.
[[nodiscard]] Known known_exactly(const Divergence& delta);

/// The worst of several cases.
[[nodiscard]] Known known_worst(const std::vector<Known>& cases);

/// mu-GDP, exactly.
[[nodiscard]] Known known_gdp(const Ball& mu);

}  // namespace doeblin::verify
