// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/sgd_utility.hpp"

#include <algorithm>
#include <cmath>

namespace doeblin {
namespace {

// Regret of the mean over `states` states.
double mean_excess(const SgdUtility& run, double states) {
  return run.diameter * run.diameter / (2.0 * run.learning_rate * states) +
         run.learning_rate * run.gradient_square() / 2.0;
}

// Nothing is worse than the far end of the domain.
double capped(const SgdUtility& run, double excess) { return std::min(excess, run.lipschitz * run.diameter); }

// H_k <= log k + 0.5772157 + 1/(2k)
double harmonic(double k) { return k < 1.0 ? 0.0 : std::min(k, std::log(k) + 0.577215665 + 0.5 / k); }

}  // namespace

double random_stop_excess(const SgdUtility& run) { return capped(run, mean_excess(run, run.steps)); }

double skip_excess(const SgdUtility& run) { return capped(run, mean_excess(run, std::floor(run.steps / 2.0) + 1.0)); }

double last_iterate_excess(const SgdUtility& run) {
  const double noise = run.learning_rate * run.gradient_square() / 2.0;
  double best = run.lipschitz * run.diameter;
  for (double j = 1.0; j <= run.steps + 1.0; j = std::max(j + 1.0, std::floor(j * 1.1)))
    best = std::min(best, mean_excess(run, j) + noise * harmonic(j - 1.0));
  return best;
}

}  // namespace doeblin
