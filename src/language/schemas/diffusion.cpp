// SPDX-License-Identifier: Apache-2.0
#include "language/schemas/chapters.hpp"

namespace doeblin::language {
namespace {

constexpr Row kDiffusionRows[] = {
    {.name = "brownian",
     .kind = kSource,
     .role = Role::kDiffusion,
     .summary = "run Brownian motion from the value: N(f, 2 time I)",
     .example = "brownian(time=2)",
     .parameters =
         [] {
           return Parameters{scale("time", "how long it runs"), sensitivity("Euclidean sensitivity of the value")};
         },
     .synonyms = {"heat", "heat_kernel", "wiener"}},
    {.name = "ornstein_uhlenbeck",
     .kind = kSource,
     .role = Role::kDiffusion,
     .summary = "run dX = -theta X dt + sqrt(2) rho dW from the value",
     .example = "ornstein_uhlenbeck(theta=0.5, rho=1, time=2)",
     .parameters =
         [] {
           return Parameters{scale("theta", "rate of the pull to 0"), scale("rho", "strength of the noise"),
                             scale("time", "how long it runs"), sensitivity("Euclidean sensitivity of the value")};
         },
     .synonyms = {"ou"}},
    {.name = "evolve",
     .kind = kStage,
     .summary = "let a released diffusion run on: the semigroup makes it one longer run",
     .example = "ornstein_uhlenbeck(theta=0.5, rho=1, time=2) | evolve(time=1)",
     .parameters = [] { return Parameters{scale("time", "how much longer")}; }},
};

}  // namespace

std::span<const Row> diffusion_rows() { return kDiffusionRows; }

}  // namespace doeblin::language
