// SPDX-License-Identifier: Apache-2.0
#include "verify/mechanism/noise.hpp"
#include "verify/programs.hpp"
#include "verify/tables.hpp"

namespace doeblin::verify {
namespace {

using doeblin::test::Row;
using language::Call;

Known poisson(const Known& base, double rate, const std::string& relation = "add_remove") {
  return known_sample(Call{"poisson", {{"rate", rate}, {"relation", relation}}}, base);
}

Known with_replacement(const Known& base, const Row& row, const std::string& relation) {
  return known_sample(Call{"with_replacement", {{"n", row["n"]}, {"m", row["m"]}, {"relation", relation}}}, base);
}

// A table has one direction in a row.
Known in_direction(const Known& sampled, const Row& row) {
  return known_exactly(row["direction"] == 0.0 ? sampled.pairs->forward : sampled.pairs->backward);
}

TEST(VerifiedSampling, PoissonGaussianMatchesTheTable) {
  truth::check_table(
      "poisson_gaussian_delta.csv",
      [](const Row& row) { return in_direction(poisson(known_gdp(Ball(1) / Ball(row["sigma"])), row["rate"]), row); },
      {.is_left_out = truth::is_extreme});
}

TEST(VerifiedSampling, PoissonLaplaceMatchesTheTable) {
  truth::check_table("poisson_laplace_delta.csv",
                     [](const Row& row) {
                       return in_direction(poisson(known_laplace(Ball(1) / Ball(row["scale"])), row["rate"]), row);
                     },
                     {.is_left_out = truth::is_extreme});
}

TEST(VerifiedSampling, SubstitutionMatchesTheTable) {
  truth::check_table(
      "poisson_substitute_gaussian_delta.csv",
      [](const Row& row) { return poisson(known_gdp(Ball(1) / Ball(row["sigma"])), row["rate"], "substitute"); },
      {.is_left_out = truth::is_extreme});
}

TEST(VerifiedSampling, WithReplacementMatchesTheTable) {
  // Weights are followed down to 2^-precision.
  const WithPrecision more(1400);
  truth::check_table("with_replacement_gaussian_delta.csv",
                     [](const Row& row) {
                       return in_direction(with_replacement(known_gdp(Ball(1) / Ball(row["sigma"])), row, "add_remove"),
                                           row);
                     },
                     {.accuracy = 20, .is_left_out = truth::is_extreme});
}

// With a level for every number of draws; they are found in doubles.
TEST(VerifiedSampling, TheBestLevelsWithReplacementMatchTheTable) {
  for (const Row& row : doeblin::test::read_table("with_replacement_exchange_delta.csv")) {
    if (truth::is_extreme(row) || row["truth_down"] < 1e-300) continue;
    const Known base = known_gdp(Ball(1) / Ball(row["sigma"]));
    const Ball upper = with_replacement(base, row, "substitute").delta(Ball(row["epsilon"])).upper;
    EXPECT_GE(upper.upper(), row["truth_down"]) << row.text;
    EXPECT_LE(upper.upper(), row["truth_up"] * (1.0 + 1e-9)) << row.text;
  }
}

TEST(VerifiedSampling, EverybodyIsTheMechanismItself) {
  const Known base = known_gdp(Ball(1));
  const Known all = poisson(base, 1.0);
  EXPECT_TRUE(arb_overlaps(all.delta(Ball(1)).upper.get(), base.delta(Ball(1)).upper.get()));
}

}  // namespace
}  // namespace doeblin::verify
