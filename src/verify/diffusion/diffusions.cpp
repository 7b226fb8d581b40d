// SPDX-License-Identifier: Apache-2.0
#include "verify/routes.hpp"

namespace doeblin::verify {
namespace {

using language::Call;

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

Known brownian_of(const Call& call) { return brownian(Ball(call.number("time")), Ball(call.number("sensitivity"))); }

Known ornstein_uhlenbeck_of(const Call& call) {
  return ornstein_uhlenbeck(Ball(call.number("theta")), Ball(call.number("rho")), Ball(call.number("time")),
                            Ball(call.number("sensitivity")));
}

Known evolved(const Call& call, const Known& before, const Context& /*context*/) {
  if (!before.evolved) throw CannotCheck("evolve after something that is no diffusion");
  return before.evolved(Ball(call.number("time")));
}

constexpr Route kDiffusionRoutes[] = {
    {.name = "brownian", .source = brownian_of},
    {.name = "ornstein_uhlenbeck", .source = ornstein_uhlenbeck_of},
    {.name = "evolve", .stage = evolved},
    // Columns of a release on a grid, which no expression can write.
    {.name = "grid_gaussian", .source = known_grid_gaussian},
    {.name = "grid_laplace", .source = known_grid_laplace},
};

}  // namespace

std::span<const Route> diffusion_routes() { return kDiffusionRoutes; }

}  // namespace doeblin::verify
