// SPDX-License-Identifier: Apache-2.0
#include "language/schemas/chapters.hpp"

namespace doeblin::language {
namespace {

Parameter delta_or_none() {
  Parameter delta = share("delta", "its delta");
  delta.standard = 0.0;
  return shown(delta);
}

constexpr Row kBlackBoxRows[] = {
    {.name = "black_box",
     .kind = kSource,
     .summary = "any (epsilon, delta)-DP mechanism",
     .example = "black_box(epsilon=1, delta=1e-6)",
     .parameters =
         [] {
           return Parameters{loss("epsilon", "its epsilon"), delta_or_none()};
         },
     .synonyms = {"dp", "pure", "approximate_dp", "pure_dp"}},
    {.name = "gdp",
     .kind = kSource,
     .summary = "any mu-Gaussian-DP mechanism",
     .example = "gdp(mu=0.5)",
     .parameters = [] { return Parameters{loss("mu", "its level")}; },
     .synonyms = {"gaussian_dp"}},
    {.name = "zcdp",
     .kind = kSource,
     .summary = "any rho-zero-concentrated-DP mechanism",
     .example = "zcdp(rho=0.1)",
     .parameters = [] { return Parameters{loss("rho", "its level")}; },
     .synonyms = {"cdp", "concentrated"}},
    {.name = "tcdp",
     .kind = kSource,
     .summary = "any mechanism whose Renyi divergences are at most alpha rho for orders alpha below omega",
     .example = "tcdp(rho=0.1, omega=10)",
     .parameters =
         [] {
           return Parameters{loss("rho", "its level"), number("omega", "the order up to which it holds")};
         },
     .synonyms = {"truncated_cdp", "truncated_concentrated"}},
    {.name = "rdp",
     .kind = kSource,
     .summary = "any (alpha, epsilon)-Renyi-DP mechanism",
     .example = "rdp(alpha=8, epsilon=0.5)",
     .parameters =
         [] {
           return Parameters{number("alpha", "the order"), loss("epsilon", "the Renyi divergence at that order")};
         },
     .synonyms = {"renyi"}},
    {.name = "finite",
     .kind = kSource,
     .role = Role::kMatrix,
     .summary = "a mechanism given by its matrix of output probabilities",
     .example = "finite('mechanism.csv')",
     .parameters =
         [] {
           return Parameters{
               file("file", "CSV, one row of output probabilities per dataset"),
               file("adjacency", "CSV, two row numbers per line; all pairs are neighbours without it", true)};
         },
     .synonyms = {"matrix"}},
};

}  // namespace

std::span<const Row> black_box_rows() { return kBlackBoxRows; }

}  // namespace doeblin::language
