// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "verify/mechanism/noise.hpp"
#include "verify/mechanism/renyi.hpp"
#include "verify/mixing/kernels.hpp"
#include "verify/programs.hpp"

namespace doeblin::verify {
namespace {

// D1: mu = sensitivity/sqrt(2 t); the same motion a little later.
Known brownian(const Ball& time, const Ball& sensitivity) {
  Known known = known_gdp(sensitivity / sqrt(Ball(2) * time));
  known.evolved = [=](const Ball& more) { return brownian(time + more, sensitivity); };
  return known;
}

// D2: mu = sensitivity sqrt(theta)/(rho sqrt(e^{2 theta t} - 1)).
Known ornstein_uhlenbeck(const Ball& theta, const Ball& rho, const Ball& time, const Ball& sensitivity) {
  const Ball growth = arb_is_zero(theta.get()) != 0 ? Ball(2) * time : expm1(Ball(2) * theta * time) / theta;
  Known known = known_gdp(sensitivity / (rho * sqrt(growth)));
  known.evolved = [=](const Ball& more) { return ornstein_uhlenbeck(theta, rho, time + more, sensitivity); };
  return known;
}

Known zcdp(const Ball& rho) {
  // The Gaussian mechanism with mu^2 = 2 rho is rho-zCDP.
  Known known = known_by_renyi([rho](const Ball& alpha) { return alpha * rho; },
                               [mu = sqrt(Ball(2) * rho)](const Ball& epsilon) { return theta_of_wide(epsilon, mu); });
  known.rho = rho;
  known.is_rho_attained = true;
  known.group = [rho](unsigned long k) { return zcdp(rho * square(Ball(static_cast<double>(k)))); };
  return known;
}

}  // namespace

Known known_zcdp(const Ball& rho) { return zcdp(rho); }

Known known_source(const language::Call& call) {
  const std::string& name = call.name;
  const auto number = [&](const char* parameter) { return Ball(call.number(parameter)); };
  if (name == "gaussian") return known_gdp(number("sensitivity") / number("sigma"));
  if (name == "laplace") return known_laplace(number("sensitivity") / number("scale"));
  if (name == "twice_laplace") return known_twice_laplace(number("scale1"), number("scale2"), number("sensitivity"));
  if (name == "randomized_response") return known_response(number("p"));
  if (name == "discrete_gaussian") return known_discrete_gaussian(call.number("sigma"), call.number("sensitivity"));
  if (name == "discrete_laplace") return known_discrete_laplace(call.number("scale"), call.number("sensitivity"));
  if (name == "black_box") return known_black_box(number("epsilon"), number("delta"));
  if (name == "gdp") return known_gdp(number("mu"));
  if (name == "zcdp") return zcdp(number("rho"));
  if (name == "rdp") return known_renyi_point(number("alpha"), number("epsilon"));
  if (name == "brownian") return brownian(number("time"), number("sensitivity"));
  if (name == "ornstein_uhlenbeck")
    return ornstein_uhlenbeck(number("theta"), number("rho"), number("time"), number("sensitivity"));
  if (name == "finite") return known_finite(call);
  throw CannotCheck("there is no independent route for " + name);
}

}  // namespace doeblin::verify
