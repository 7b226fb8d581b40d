// SPDX-License-Identifier: Apache-2.0
#include "verify/mechanism/noise.hpp"
#include "verify/mechanism/renyi.hpp"
#include "verify/mixing/kernels.hpp"
#include "verify/routes.hpp"

namespace doeblin::verify {
namespace {

using language::Call;

Known zcdp(const Ball& rho) {
  // The Gaussian mechanism with mu^2 = 2 rho is rho-zCDP.
  Known known = known_by_renyi([rho](const Ball& alpha) { return alpha * rho; },
                               [mu = sqrt(Ball(2) * rho)](const Ball& epsilon) { return theta_of_wide(epsilon, mu); });
  known.rho = rho;
  known.is_rho_attained = true;
  known.group = [rho](unsigned long k) { return zcdp(rho * square(Ball(static_cast<double>(k)))); };
  return known;
}

// Divergences of orders up to omega; the Gaussian mechanism with mu^2 = 2 rho has them all.
Known tcdp(const Ball& rho, const Ball& omega) {
  const auto curve = [=](const Ball& alpha) { return certainly_less(omega, alpha) ? Ball(kInfinity) : alpha * rho; };
  const std::optional<Ball> largest = omega.is_finite() ? std::optional<Ball>(omega) : std::nullopt;
  const Ball mu = sqrt(Ball(2) * rho);
  Known known{.delta = [=](const Ball& epsilon) {
    return Enclosed{best_renyi_delta(curve, epsilon, largest), theta_of_wide(epsilon, mu)};
  }};
  known.renyi = curve;
  known.largest_order = largest;
  return known;
}

Ball ball(const Call& call, const char* parameter) { return Ball(call.number(parameter)); }

constexpr Route kMechanismRoutes[] = {
    {.name = "gaussian", .source = [](const Call& a) { return known_gdp(ball(a, "sensitivity") / ball(a, "sigma")); }},
    {.name = "laplace",
     .source = [](const Call& a) { return known_laplace(ball(a, "sensitivity") / ball(a, "scale")); }},
    {.name = "twice_laplace",
     .source =
         [](const Call& a) {
           return known_twice_laplace(ball(a, "scale1"), ball(a, "scale2"), ball(a, "sensitivity"));
         }},
    {.name = "randomized_response", .source = [](const Call& a) { return known_response(ball(a, "p")); }},
    {.name = "discrete_gaussian",
     .source = [](const Call& a) { return known_discrete_gaussian(a.number("sigma"), a.number("sensitivity")); }},
    {.name = "discrete_laplace",
     .source = [](const Call& a) { return known_discrete_laplace(a.number("scale"), a.number("sensitivity")); }},
    {.name = "black_box",
     .source = [](const Call& a) { return known_black_box(ball(a, "epsilon"), ball(a, "delta")); }},
    {.name = "gdp", .source = [](const Call& a) { return known_gdp(ball(a, "mu")); }},
    {.name = "zcdp", .source = [](const Call& a) { return zcdp(ball(a, "rho")); }},
    {.name = "tcdp", .source = [](const Call& a) { return tcdp(ball(a, "rho"), ball(a, "omega")); }},
    {.name = "rdp", .source = [](const Call& a) { return known_renyi_point(ball(a, "alpha"), ball(a, "epsilon")); }},
    {.name = "finite", .source = known_finite},
};

}  // namespace

Known known_zcdp(const Ball& rho) { return zcdp(rho); }

std::span<const Route> mechanism_routes() { return kMechanismRoutes; }

}  // namespace doeblin::verify
