// SPDX-License-Identifier: Apache-2.0
#include "verify/known.hpp"

namespace doeblin::verify {

Known known_exactly(const Divergence& delta) {
  return {.delta =
              [delta](const Ball& epsilon) {
                const Ball value = delta(epsilon);
                return Enclosed{value, value};
              },
          .pairs = Pairs{.forward = delta, .backward = delta, .is_symmetric = true}};
}

Known known_worst(const std::vector<Known>& cases) {
  if (cases.size() == 1) return cases[0];
  Known known{.delta = [cases](const Ball& epsilon) {
    Enclosed worst{Ball(0), Ball(0)};
    for (const Known& one : cases) {
      const Enclosed own = one.delta(epsilon);
      worst = {max(worst.upper, own.upper), max(worst.lower, own.lower)};
    }
    return worst;
  }};
  for (const Known& one : cases) known.cases.push_back(std::make_shared<const Known>(one));
  return known;
}

Known known_gdp(const Ball& mu) {
  Known known = known_exactly([mu](const Ball& epsilon) { return theta_of_wide(epsilon, mu); });
  known.mu = mu;
  known.rho = square(mu) / Ball(2);
  known.is_rho_attained = true;
  known.group = [mu](unsigned long k) { return known_gdp(mu * Ball(static_cast<double>(k))); };
  known.renyi = [mu](const Ball& alpha) { return alpha * square(mu) / Ball(2); };
  known.log_ratio = [move = mu.middle()](double z, double k) { return k * move * (z - 0.5 * k * move); };
  return known;
}

}  // namespace doeblin::verify
