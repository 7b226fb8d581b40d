// SPDX-License-Identifier: Apache-2.0
#include "verify/composition/loss_lattice.hpp"

#include <cmath>

#include "verify/mechanism/noise.hpp"
#include "verify/programs.hpp"
#include "verify/tables.hpp"

namespace doeblin::verify {
namespace {

using doeblin::test::Row;

LatticePart part_of(const Known& known, double count, bool is_forward = true) {
  const auto times = static_cast<unsigned long>(count);
  return is_forward ? LatticePart{known.pairs->forward, known.pairs->backward, times, known.largest_loss}
                    : LatticePart{known.pairs->backward, known.pairs->forward, times, known.largest_loss};
}

// The truth lies between the two sides, and they are close where delta does not fall steeply.
void check(const std::vector<LatticePart>& parts, const Row& row, double width, bool is_lower_close = true) {
  const LatticeQuestion question{row["epsilon"], row["truth_down"], 0};
  const LossSum sum(parts, question, LossSum::Side::kUpper);
  const Ball upper = sum.delta(Ball(row["epsilon"]));
  EXPECT_GE(upper.upper(), row["truth_down"]) << row.text;
  if (!is_lower_close && row["count"] > 2.0) return;
  const Ball lower = LossSum(parts, question, LossSum::Side::kLower).delta(Ball(row["epsilon"]));
  EXPECT_LE(lower.lower(), row["truth_up"]) << row.text;
  if (sum.delta(Ball(row["epsilon"] + 1e-3)).upper() < 0.9 * upper.upper()) return;
  EXPECT_LE(upper.upper(), row["truth_up"] * (1.0 + width)) << row.text;
  if (is_lower_close) EXPECT_GE(lower.lower(), row["truth_down"] * (1.0 - width)) << row.text;
}

bool is_long(const Row& row) { return row["count"] > 100.0 || row["truth_down"] < 1e-60; }

TEST(VerifiedComposition, LaplaceMatchesTheTable) {
  for (const Row& row : doeblin::test::read_table("composed_laplace_delta.csv"))
    if (!is_long(row)) check({part_of(known_laplace(Ball(1) / Ball(row["scale"])), row["count"])}, row, 0.01);
}

TEST(VerifiedComposition, RandomizedResponseMatchesTheTable) {
  std::size_t checked = 0;
  for (const Row& row : doeblin::test::read_table("composed_randomized_response_delta.csv")) {
    if (is_long(row) || row["p"] <= 0.5 || row["p"] >= 1.0) continue;
    ++checked;
    // Both losses are grid points: nothing is lost at all.
    check({part_of(known_response(Ball(row["p"])), row["count"])}, row, 1e-6);
  }
  EXPECT_GT(checked, 10u);
}

TEST(VerifiedComposition, SampledGaussianMatchesTheTable) {
  std::size_t checked = 0;
  for (const Row& row : doeblin::test::read_table("composed_poisson_gaussian_delta.csv")) {
    if (row["count"] > 20.0 || row["truth_down"] < 1e-40) continue;
    ++checked;
    const language::Call call{"poisson", {{"rate", row["rate"]}, {"relation", std::string("add_remove")}}};
    const Known sampled = known_sample(call, known_gdp(Ball(1) / Ball(row["sigma"])));
    // Losses crowd at their smallest value, where tangents meet far from the grid: the lower side is weak.
    check({part_of(sampled, row["count"], row["direction"] == 0.0)}, row, 0.1, false);
  }
  EXPECT_GT(checked, 5u);
}

// Sums of Gaussian mechanisms are Gaussian.
TEST(VerifiedComposition, GaussiansAddUp) {
  const double count = 30.0;
  const Known one = known_gdp(Ball(0.2));
  const Ball whole = sqrt(Ball(count)) * Ball(0.2);
  for (const double epsilon : {0.0, 1.0, 4.0, 8.0}) {
    const Ball truth = theta(Ball(epsilon), whole);
    const LatticeQuestion question{epsilon, truth.lower(), 0};
    const Ball upper = LossSum({part_of(one, count)}, question, LossSum::Side::kUpper).delta(Ball(epsilon));
    const Ball lower = LossSum({part_of(one, count)}, question, LossSum::Side::kLower).delta(Ball(epsilon));
    EXPECT_TRUE(certainly_less(truth, upper)) << epsilon;
    EXPECT_TRUE(certainly_less(lower, truth)) << epsilon;
    EXPECT_LT(upper.upper(), truth.lower() * 1.01) << epsilon;
    EXPECT_GT(lower.lower(), truth.upper() * 0.99) << epsilon;
  }
}

TEST(VerifiedComposition, FinerGridsAreCloser) {
  const Known one = known_laplace(Ball(0.3));
  const auto bound = [&](int effort, LossSum::Side side) {
    return LossSum({part_of(one, 20.0)}, {1.0, 1e-3, effort}, side).delta(Ball(1)).middle();
  };
  EXPECT_LT(bound(2, LossSum::Side::kUpper), bound(0, LossSum::Side::kUpper));
  EXPECT_GT(bound(2, LossSum::Side::kLower), bound(0, LossSum::Side::kLower));
}

TEST(VerifiedComposition, InfiniteLossesCount) {
  const Known one = known_black_box(Ball(0.1), Ball(1e-6));
  const Ball upper = LossSum({part_of(one, 50.0)}, {10.0, 1e-6, 0}, LossSum::Side::kUpper).delta(Ball(10));
  // 1 - (1 - 1e-6)^50
  EXPECT_GE(upper.upper(), 4.9998e-5);
  EXPECT_LE(upper.upper(), 5.0000e-5);
}

// An upper bound need not be convex, and what is composed is the greatest convex function below it (C7).
TEST(VerifiedComposition, BumpsOfAnUpperBoundAreBridged) {
  const double count = 10.0;
  const Ball mu(0.3), whole = sqrt(Ball(count)) * mu;
  const Divergence bumpy = [mu](const Ball& epsilon) {
    const bool is_bump = std::fmod(epsilon.middle(), 0.4) > 0.2;
    return theta(epsilon, mu) * Ball(is_bump ? 1.2 : 1.0);
  };
  for (const double epsilon : {0.0, 0.5, 2.0, 4.0}) {
    const Ball truth = theta(Ball(epsilon), whole);
    const LatticePart part{.divergence = bumpy, .opposite = bumpy, .count = 10};
    const Ball upper = LossSum({part}, {epsilon, truth.lower(), 2}, LossSum::Side::kUpper).delta(Ball(epsilon));
    EXPECT_TRUE(certainly_less(truth, upper)) << epsilon;
    EXPECT_LT(upper.upper(), truth.lower() * 1.5) << epsilon;
    EXPECT_LE(upper.upper(), 1.0) << epsilon;
  }
}

TEST(VerifiedComposition, WhatIsKnownByItsProfileComposesAsAPair) {
  const auto composed = [](Known one, double epsilon, const Ball& truth) {
    one.pairs.reset();
    one.mu.reset();
    one.dominating_mu.reset();
    one.rho.reset();
    one.renyi = {};
    return known_composition({one}, 10, {.largest_epsilon = epsilon, .least_delta = truth.lower(), .effort = 2})
        .delta(Ball(epsilon));
  };
  for (const double epsilon : {0.5, 2.0, 4.0}) {
    const Ball truth = theta(Ball(epsilon), sqrt(Ball(10)) * Ball(0.3));
    const Enclosed found = composed(known_gdp(Ball(0.3)), epsilon, truth);
    EXPECT_TRUE(certainly_less(truth, found.upper)) << epsilon;
    EXPECT_LT(found.upper.upper(), truth.lower() * 1.01) << epsilon;
    EXPECT_EQ(found.lower.upper(), 0.0) << "nobody is known to have it";
  }
  for (const Row& row : doeblin::test::read_table("composed_laplace_delta.csv")) {
    if (row["count"] != 10.0 || row["truth_down"] < 1e-30) continue;
    const Ball upper =
        composed(known_laplace(Ball(1) / Ball(row["scale"])), row["epsilon"], Ball(row["truth_down"])).upper;
    EXPECT_GE(upper.upper(), row["truth_down"]) << row.text;
    EXPECT_LE(upper.upper(), row["truth_up"] * 1.01) << row.text;
  }
}

}  // namespace
}  // namespace doeblin::verify
