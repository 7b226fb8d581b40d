// SPDX-License-Identifier: Apache-2.0
#include "language/schemas/chapters.hpp"

namespace doeblin::language {

std::vector<Schema> black_box_schemas() {
  constexpr auto kSource = Schema::Kind::kSource;
  Parameter delta = share("delta", "its delta");
  delta.standard = 0.0;
  return {
      {.name = "black_box",
       .kind = kSource,
       .summary = "any (epsilon, delta)-DP mechanism",
       .example = "black_box(epsilon=1, delta=1e-6)",
       .parameters = {loss("epsilon", "its epsilon"), delta},
       .synonyms = {"dp", "pure", "approximate_dp", "pure_dp"}},
      {.name = "gdp",
       .kind = kSource,
       .summary = "any mu-Gaussian-DP mechanism",
       .example = "gdp(mu=0.5)",
       .parameters = {loss("mu", "its level")},
       .synonyms = {"gaussian_dp"}},
      {.name = "zcdp",
       .kind = kSource,
       .summary = "any rho-zero-concentrated-DP mechanism",
       .example = "zcdp(rho=0.1)",
       .parameters = {loss("rho", "its level")},
       .synonyms = {"cdp", "concentrated"}},
      {.name = "rdp",
       .kind = kSource,
       .summary = "any (alpha, epsilon)-Renyi-DP mechanism",
       .example = "rdp(alpha=8, epsilon=0.5)",
       .parameters = {number("alpha", "the order"), loss("epsilon", "the Renyi divergence at that order")},
       .synonyms = {"renyi"}},
      {.name = "finite",
       .kind = kSource,
       .summary = "a mechanism given by its matrix of output probabilities",
       .example = "finite('mechanism.csv')",
       .parameters = {file("file", "CSV, one row of output probabilities per dataset"),
                      file("adjacency", "CSV, two row numbers per line; all pairs are neighbours without it", true)},
       .synonyms = {"matrix"}},
  };
}

}  // namespace doeblin::language
