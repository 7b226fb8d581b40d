// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "doeblin/language/program.hpp"
#include "verify/known.hpp"

/// Markov kernels as mixing sees them: kappa, the largest hockey-stick divergence of two rows. Everywhere below it is a
/// function of the excess h = e^eps - 1 >= 0, possibly infinite, in which it is convex and falling.
namespace doeblin::verify {

struct Curve {
  /// kappa, from above where it is not exact.
  std::function<Ball(const Ball& excess)> value;
  /// The value is attained by some kernel of its kind, and by some pair of states.
  bool is_exact = true;
  /// The kernel has finitely many states, which are the outputs of what comes before.
  bool is_finite = false;
  /// A smallest value of several bounds need not be convex although kappa is.
  bool is_convex = true;
  /// Nothing is left of kappa from this excess on.
  std::optional<Ball> pure_excess = std::nullopt;
};

/// The same of two kernels one after another, or of a mechanism and a kernel: e^e = (1 + e^{a+b})/(e^a + e^b) (M5).
[[nodiscard]] std::optional<Ball> joined_pure(const std::optional<Ball>& first, const std::optional<Ball>& second);

/// At least half the bits in use are known of the number, or 128.
[[nodiscard]] bool is_sharp(const Ball& x);

/// Below this (2^-4000) nothing is followed any further: no double is that small.
[[nodiscard]] const Ball& negligible();
[[nodiscard]] bool is_negligible(const Ball& x);

/// e^epsilon - 1, infinite for an infinite epsilon.
[[nodiscard]] Ball excess_of(const Ball& epsilon);

/// A number that is at most 1 although its ball may not say so, from above.
[[nodiscard]] Ball at_most_one(const Ball& x);

/// The divergence d at the excess h after a kernel: d kappa(h/d), increasing in d (M2).
[[nodiscard]] Ball mixed(const Ball& d, const Ball& excess, const std::function<Ball(const Ball&)>& kappa);

/// From below: at the lower ends.
[[nodiscard]] Ball mixed_lower(const Ball& d, const Ball& excess, const std::function<Ball(const Ball&)>& kappa);

/// All kernels that are locally (epsilon, gamma)-private, e^epsilon = 1 + excess.
[[nodiscard]] Curve black_box_curve(const Ball& excess, const Ball& gamma);
/// dobrushin(...), doeblin(...) and ultra_mixing(...).
[[nodiscard]] std::optional<Curve> bounded_kernel(const language::Call& call);

/// The two entries of a row of a power of k-ary response, from k_ary_response(...) or binary_symmetric(...).
struct KAryPower {
  double states;
  Ball diagonal;
  Ball elsewhere;
};
[[nodiscard]] std::optional<KAryPower> k_ary_power(const language::Call& call);
[[nodiscard]] Curve k_ary_curve(const KAryPower& power);

/// theta at the level mu: kappa of Gaussian noise without a projection.
[[nodiscard]] Ball gaussian_kappa(const Ball& excess, const Ball& mu);

/// projected_gaussian(...) and projected_laplace(...).
[[nodiscard]] std::optional<Curve> projected_kernel(const language::Call& call);
/// `steps` Gaussian steps in blocks: `single` is kappa of one step, `distance` the largest one between two states.
struct GaussianSteps {
  std::function<Ball(const Ball& excess)> single;
  Ball lipschitz;
  Ball scale;
  Ball distance;
  double steps;
};
[[nodiscard]] Curve gaussian_blocks(const GaussianSteps& steps);
/// The same kernel again and again, known through its curve.
[[nodiscard]] Curve repeated(const Curve& single, double steps);

/// A row-stochastic matrix, and what else is known about the differences of its rows: kappa(0) <= dobrushin, and two
/// entries of a column differ by a factor of at most 1 + ratio_excess.
struct KernelMatrix {
  std::vector<std::vector<Ball>> rows;
  Ball dobrushin = Ball(1);
  std::optional<Ball> ratio_excess = std::nullopt;
};

/// Whether the call is a kernel whose matrix is multiplied with that of its neighbours.
[[nodiscard]] bool has_matrix(const language::Call& call);
/// The product of the calls' matrices, at the precision in use.
[[nodiscard]] KernelMatrix matrix_of(const std::vector<language::Call>& calls);
/// kappa of that product, at as much precision as it takes.
[[nodiscard]] Curve matrix_curve(std::vector<language::Call> calls);
/// kappa of a matrix as it stands. Throws CannotCheck for large ones.
[[nodiscard]] Ball kappa(const KernelMatrix& matrix, const Ball& excess);
[[nodiscard]] std::vector<std::vector<Ball>> product(const std::vector<std::vector<Ball>>& first,
                                                     const std::vector<std::vector<Ball>>& second);

/// sum over y of (p(y) - (1 + excess) q(y))_+
[[nodiscard]] Ball row_divergence(const std::vector<Ball>& p, const std::vector<Ball>& q, const Ball& excess);

/// A mechanism that is a matrix (P5).
[[nodiscard]] Known known_of_matrix(const std::shared_ptr<const KnownMatrix>& matrix);

/// finite(...), read from its files (P5).
[[nodiscard]] Known known_finite(const language::Call& call);

}  // namespace doeblin::verify
