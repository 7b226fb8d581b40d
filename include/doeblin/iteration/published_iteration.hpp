// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/types.hpp"
#include "doeblin/profile/zcdp.hpp"

/// The analyses of hidden runs as they were published, with the corrections of catalogue E. They are kept as baselines
/// and to redraw the papers' figures; hidden_run.hpp is never worse.
namespace doeblin {

/// A run whose steps are all alike.
struct PublishedRun {
  Bracket ratio;        ///< Delta/s: how far a record moves one step, in units of its noise
  double lipschitz;     ///< of one step; 1 for [FMTT18]
  double later;         ///< steps after the last use
  double epochs = 1.0;  ///< passes over the records
  double period = 1.0;  ///< steps in one pass
};

/// [FMTT18] Theorems 23 and 35, catalogue I1 and E: alpha (Delta/s)^2/2 (1/(r+1) + (E-1)/period).
/// Domain: steps that do not expand.
[[nodiscard]] Zcdp feldman(const PublishedRun& run);

/// [BBGG19] Theorem 5, catalogue I1: alpha (Delta/s)^2/2 c^{r+1}/r, and without the last factor at r = 0.
/// Domain: one pass.
[[nodiscard]] Zcdp balle(const PublishedRun& run);

/// [ADC20] Theorem 4, catalogue I5: log of theta_g(Delta/s) theta_g(c D/s)^r, from above.
/// Domain: one pass, finite diameter; `diameter` is in units of the noise.
[[nodiscard]] double asoodeh_log_delta(const PublishedRun& run, const Bracket& diameter, Epsilon epsilon);

/// [ADC20] Theorem 3, catalogue I5: the same for Laplace noise, theta replaced by [1 - e^{(eps - .)/2}]_+.
[[nodiscard]] double asoodeh_laplace_log_delta(const PublishedRun& run, const Bracket& diameter, Epsilon epsilon);

/// The Lipschitz constant of a gradient step as the papers state it, sqrt(1 - 2 eta beta rho/(beta + rho)).
/// Domain: eta <= 2/(beta + rho); throws otherwise.
[[nodiscard]] double published_lipschitz(double learning_rate, double smoothness, double strong_convexity);

}  // namespace doeblin
