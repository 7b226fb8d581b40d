// SPDX-License-Identifier: Apache-2.0
#include "language/schemas/chapters.hpp"

namespace doeblin::language {
namespace {

Parameter whole_sensitivity() {
  return shown(count("sensitivity", "sensitivity, an integer",
                     {.larger_is_safer = false, .low = 0.0, .high = 0x1p40, .is_integer = true}, 1.0));
}

constexpr Row kNoiseRows[] = {
    {.name = "gaussian",
     .kind = kSource,
     .role = Role::kGaussianNoise,
     .summary = "add N(0, sigma^2) noise to each coordinate",
     .example = "gaussian(sigma=2)",
     .parameters =
         [] {
           return Parameters{scale("sigma", "standard deviation of the noise"),
                             sensitivity("Euclidean sensitivity of the value")};
         },
     .synonyms = {"normal", "gauss", "gaussian_mechanism"}},
    {.name = "laplace",
     .kind = kSource,
     .role = Role::kLaplaceNoise,
     .summary = "add Laplace noise to a number",
     .example = "laplace(scale=1)",
     .parameters =
         [] {
           return Parameters{scale("scale", "scale of the noise"), sensitivity("sensitivity of the number")};
         },
     .synonyms = {"laplacian", "laplace_mechanism"}},
    {.name = "twice_laplace",
     .kind = kSource,
     .role = Role::kLaplaceNoise,
     .summary = "add the sum of two independent Laplace noises to a number",
     .example = "twice_laplace(scale1=1, scale2=2)",
     .parameters =
         [] {
           return Parameters{scale("scale1", "scale of the first noise"), scale("scale2", "scale of the second noise"),
                             sensitivity("sensitivity of the number")};
         }},
    {.name = "randomized_response",
     .kind = kSource,
     .role = Role::kResponse,
     .summary = "report a bit truthfully with probability p",
     .example = "randomized_response(p=0.75)",
     .parameters =
         [] {
           return Parameters{
               share("p", "probability of the true answer", {.larger_is_safer = false, .low = 0.5, .high = 1.0})};
         },
     .synonyms = {"randomised_response", "rr", "warner"}},
    {.name = "discrete_gaussian",
     .kind = kSource,
     .role = Role::kGaussianNoise,
     .summary = "add discrete Gaussian noise to an integer",
     .example = "discrete_gaussian(sigma=4)",
     .parameters =
         [] {
           return Parameters{scale("sigma", "parameter of the noise (close to its standard deviation)"),
                             whole_sensitivity()};
         }},
    {.name = "discrete_laplace",
     .kind = kSource,
     .role = Role::kLaplaceNoise,
     .summary = "add two-sided geometric noise to an integer",
     .example = "discrete_laplace(scale=2, sensitivity=1)",
     .parameters =
         [] {
           return Parameters{scale("scale", "scale of the noise"), whole_sensitivity()};
         },
     .synonyms = {"geometric", "two_sided_geometric"}},
};

}  // namespace

std::span<const Row> noise_rows() { return kNoiseRows; }

}  // namespace doeblin::language
