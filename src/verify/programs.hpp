// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/certificate/certificate.hpp"
#include "verify/known.hpp"

/// From programs to what the verifier knows about them. All of these throw CannotCheck where there is no independent
/// route.
namespace doeblin::verify {

/// What a program may need besides itself.
struct Context {
  /// What compositions are asked about, so that one of them serves for all.
  double largest_epsilon = 1.0;
  double least_delta = 1e-12;
  /// How fine compositions are: every unit halves the grid.
  int effort = 0;
  /// Bound compositions from below by their losses, and not from above: either takes long.
  bool is_from_below = false;
};

[[nodiscard]] Known known(const language::Program& program, const Context& context);

/// noisy_sgd(...) and noisy_iteration(...). `person` is a record, or 0 for the worst one.
[[nodiscard]] Known known_run(const language::Call& call, const Context& context, double person = 0.0);

/// The same run about one of its records.
[[nodiscard]] language::Program of_person(const language::Program& run, double record);

/// One column of a release on a grid.
[[nodiscard]] Known known_grid_gaussian(const language::Call& call);
[[nodiscard]] Known known_grid_laplace(const language::Call& call);

/// Sampling stages.
[[nodiscard]] Known known_sample(const language::Call& call, const Known& base);

/// Kernels: dobrushin(...), kernel(...), projected_gaussian(...) and so on, one after another as they stand.
[[nodiscard]] Known known_mixture(const std::vector<language::Call>& kernels, const Known& base);
[[nodiscard]] bool is_kernel(const language::Call& call);

/// rho-zCDP.
[[nodiscard]] Known known_zcdp(const Ball& rho);

/// k people, and k releases, and releases of different mechanisms.
[[nodiscard]] Known known_group(const Known& base, unsigned long k);
[[nodiscard]] Known known_composition(const std::vector<Known>& parts, unsigned long times, const Context& context);

}  // namespace doeblin::verify
