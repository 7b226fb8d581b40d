// SPDX-License-Identifier: Apache-2.0
#include "verify/routes.hpp"

namespace doeblin::verify {

const Route& route_of(const language::Call& call) {
  static constexpr Route kNone{};
  for (const std::span<const Route> chapter :
       {mechanism_routes(), composition_routes(), subsampling_routes(), iteration_routes(), diffusion_routes()})
    for (const Route& route : chapter)
      if (route.name == call.name) return route;
  return kNone;
}

}  // namespace doeblin::verify
