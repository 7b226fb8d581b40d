// SPDX-License-Identifier: Apache-2.0
#include "verify/mechanism/noise.hpp"

#include "verify/tables.hpp"

namespace doeblin::verify {
namespace {

using doeblin::test::Row;

TEST(VerifiedNoise, GaussianMatchesTheTable) {
  truth::check_table("gaussian_delta.csv",
                     [](const Row& row) { return known_gdp(Ball(row["sensitivity"]) / Ball(row["sigma"])); },
                     {.is_left_out = truth::is_extreme});
}

TEST(VerifiedNoise, LaplaceMatchesTheTable) {
  truth::check_table("laplace_delta.csv",
                     [](const Row& row) { return known_laplace(Ball(row["sensitivity"]) / Ball(row["scale"])); },
                     {.is_left_out = truth::is_extreme});
}

TEST(VerifiedNoise, TwiceLaplaceMatchesTheTable) {
  truth::check_table("twice_laplace_delta.csv",
                     [](const Row& row) {
                       return known_twice_laplace(Ball(row["scale1"]), Ball(row["scale2"]), Ball(row["sensitivity"]));
                     },
                     {.is_left_out = truth::is_extreme});
}

TEST(VerifiedNoise, RandomizedResponseMatchesTheTable) {
  truth::check_table("randomized_response_delta.csv", [](const Row& row) { return known_response(Ball(row["p"])); },
                     {.is_left_out = truth::is_extreme});
}

TEST(VerifiedNoise, BlackBoxMatchesTheTable) {
  truth::check_table("black_box_delta.csv",
                     [](const Row& row) { return known_black_box(Ball(row["epsilon0"]), Ball(row["delta0"])); },
                     {.is_left_out = [](const Row& row) { return truth::is_extreme(row) || row["epsilon0"] < 1e-30; }});
}

TEST(VerifiedNoise, DiscreteLaplaceMatchesTheTable) {
  truth::check_table("discrete_laplace_delta.csv",
                     [](const Row& row) { return known_discrete_laplace(row["scale"], row["sensitivity"]); },
                     {.is_left_out = truth::is_extreme});
}

TEST(VerifiedNoise, DiscreteGaussianMatchesTheTable) {
  const auto is_long = [](const Row& row) { return truth::is_extreme(row) || row["sigma"] > 1000.0; };
  // Deep tails need as many bits as they are deep.
  const WithPrecision more(2400);
  truth::check_table("discrete_gaussian_delta.csv",
                     [](const Row& row) { return known_discrete_gaussian(row["sigma"], row["sensitivity"]); },
                     {.is_left_out = is_long});
}

TEST(VerifiedNoise, Groups) {
  const Ball epsilon(0.25);
  const auto is_same = [&](const Known& group, const Known& scaled) {
    return arb_overlaps(group.delta(epsilon).upper.get(), scaled.delta(epsilon).upper.get()) != 0;
  };
  EXPECT_TRUE(is_same(known_laplace(Ball(0.5)).group(3), known_laplace(Ball(1.5))));
  EXPECT_TRUE(is_same(known_gdp(Ball(0.5)).group(3), known_gdp(Ball(1.5))));
  EXPECT_TRUE(is_same(known_discrete_laplace(2.0, 1.0).group(4), known_discrete_laplace(2.0, 4.0)));
}

}  // namespace
}  // namespace doeblin::verify
