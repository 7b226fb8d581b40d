// SPDX-License-Identifier: Apache-2.0
#include "verify/subsampling/levels.hpp"

#include <algorithm>
#include <cmath>

#include "verify/mechanism/noise.hpp"
#include "verify/programs.hpp"
#include "verify/tables.hpp"

namespace doeblin::verify {
namespace {

using doeblin::test::Row;
using language::Call;

// Noise of which nothing but profiles is known.
Known with_replacement(const Row& row) {
  Known base = known_gdp(Ball(1) / Ball(row["sigma"]));
  base.log_ratio = {};
  return known_sample(Call{"with_replacement", {{"n", row["n"]}, {"m", row["m"]}, {"relation", "substitute"}}}, base);
}

TEST(VerifiedLevels, AreAtMostTheTableWithOneLevel) {
  std::size_t checked = 0;
  for (const Row& row : doeblin::test::read_table("with_replacement_rule_delta.csv")) {
    if (truth::is_extreme(row) || row["truth_down"] < 1e-300 || checked++ % 3 != 0) continue;
    EXPECT_LE(with_replacement(row).delta(Ball(row["epsilon"])).upper.upper(), row["truth_up"] * (1.0 + 1e-8))
        << row.text;
  }
  EXPECT_GT(checked, 100u);
}

TEST(VerifiedLevels, MatchTheTableOfTheBestLevels) {
  for (const Row& row : doeblin::test::read_table("with_replacement_exchange_delta.csv")) {
    // Numbers of draws that are as rare as that are charged in full.
    if (truth::is_extreme(row) || row["truth_down"] < 1e-30) continue;
    const Ball upper = with_replacement(row).delta(Ball(row["epsilon"])).upper;
    EXPECT_GE(upper.upper(), row["truth_down"]) << row.text;
    EXPECT_LE(upper.upper(), row["truth_up"] * (1.0 + 1e-6)) << row.text;
  }
}

// Pure, and j people have j times the level.
Known pure(const Ball& level) {
  Known known = known_black_box(level, Ball(0));
  known.group = [level](unsigned long j) { return pure(level * Ball(static_cast<double>(j))); };
  return known;
}

Counts three_people() { return {{Ball(0.375), Ball(0.125), Ball(0.0625)}, Ball(0.4375)}; }

Ball mean_power(const Counts& counts, const Ball& level) {
  Ball sum = counts.none;
  for (std::size_t j = 1; j <= counts.some.size(); ++j)
    sum = sum + counts.some[j - 1] * exp(Ball(static_cast<double>(j)) * level);
  return sum;
}

TEST(VerifiedLevels, OfPureMechanismsArePure) {
  const Counts counts{{Ball(0.0625), Ball(0.03125), Ball(0.0078125)}, Ball(0.8984375)};
  // No larger than this is E[e^{j level}] at most e^{level}: levels below epsilon gain nothing.
  for (const double level : {0.1, 0.8, 1.5}) {
    GroupCurves curves(pure(Ball(level)));
    const Ball largest = log(mean_power(counts, Ball(level)));
    EXPECT_EQ(best_counts(curves, counts, Ball(largest.upper() * (1.0 + 1e-15))).upper(), 0.0);
    EXPECT_GT(best_counts(curves, counts, Ball(largest.lower() * (1.0 - 1e-12))).lower(), 0.0);
    const Ball both = log(mean_power(counts, Ball(level)) / mean_power(counts, Ball(-level)));
    EXPECT_LE(best_splits(curves, counts, counts, Ball(both.upper() * (1.0 + 1e-15))).upper(), 1e-17);
    EXPECT_GT(best_splits(curves, counts, counts, Ball(both.lower() * (1.0 - 1e-12))).lower(), 0.0);
  }
}

// The dual: at every price of what is used up there is a lower bound on all choices of levels, the largest of which is the
// best choice. Here D_g = [e^{jt} - g]_+/(1 + e^{jt}) is least at one of its ends, x = 0 or g + x = e^{jt}.
TEST(VerifiedLevels, AreTheBest) {
  const Counts counts = three_people();
  const double level = 0.8;
  GroupCurves curves(pure(Ball(level)));
  for (const double epsilon : {0.05, 0.2, 0.4, 0.7}) {
    const double g = std::exp(epsilon), there_is = counts.none.middle() * (g - 1.0);
    double best = 0.0;
    for (int j = 1; j <= 3; ++j) {
      const double price = 1.0 / (1.0 + std::exp(j * level));
      double dual = -price * there_is;
      for (std::size_t i = 1; i <= 3; ++i) {
        const double beyond = std::max(0.0, std::exp(static_cast<double>(i) * level) - g);
        dual += counts.some[i - 1].middle() * beyond *
                std::min(price, 1.0 / (1.0 + std::exp(static_cast<double>(i) * level)));
      }
      best = std::max(best, dual);
    }
    const Ball found = best_counts(curves, counts, Ball(epsilon));
    EXPECT_NEAR(found.upper() / best, 1.0, 1e-9) << epsilon;
  }
}

// 1e-9 of the first law nobody else has; 1e-9 of the law without anybody the second one has not, where the first has e
// times as much.
TEST(VerifiedLevels, WhatIsImpossibleOnTheOtherSideCounts) {
  const double q = 0.05;
  GroupCurves curves(known_black_box(Ball(1), Ball(1e-9)));
  for (const double epsilon : {0.12, 0.13, 0.1333, 0.1336241288544384}) {
    const Counts one{{Ball(q)}, Ball(1) - Ball(q)};
    const double exact = q * 1e-9 + 1e-9 * (q * std::exp(1.0) - (1.0 - q) * std::expm1(epsilon));
    const Ball found = best_splits(curves, one, one, Ball(epsilon));
    EXPECT_NEAR(found.upper() / exact, 1.0, 1e-9) << epsilon;
  }
}

Counts coins(double people, double rate) {
  Counts counts{{}, Ball(1)};
  const Ball q(rate);
  Ball weight(1);
  for (double i = 0.0; i < people; ++i) counts.none = counts.none * (Ball(1) - q);
  weight = counts.none;
  for (double i = 1.0; i <= people; ++i) {
    weight = weight * q / (Ball(1) - q) * Ball(people + 1.0 - i) / Ball(i);
    counts.some.push_back(weight);
  }
  return counts;
}

void expect_split(const Known& base, const Row& row) {
  GroupCurves curves(base);
  const Ball upper =
      best_splits(curves, coins(row["first"], row["rate"]), coins(row["second"], row["rate"]), Ball(row["epsilon"]));
  EXPECT_GE(upper.upper(), row["truth_down"]) << row.text;
  EXPECT_LE(upper.upper(), row["truth_up"] * (1.0 + 1e-6)) << row.text;
}

// After noise of N1 nothing is lost: the best levels are the likelihood ratios at one point.
TEST(VerifiedLevels, SplitsMatchTheTables) {
  for (const Row& row : doeblin::test::read_table("sampled_groups_delta.csv"))
    if (row["noise"] == 1.0 && row["rate"] < 1.0) expect_split(known_laplace(Ball(1) / Ball(row["scale"])), row);
  for (const Row& row : doeblin::test::read_table("twice_laplace_groups_delta.csv"))
    expect_split(known_twice_laplace(Ball(row["scale1"]), Ball(row["scale2"]), Ball(1)), row);
}

TEST(VerifiedLevels, Edges) {
  const Known base = known_black_box(Ball(1), Ball(0.01));
  GroupCurves curves(base);
  // Always in the sample: there is nothing to choose.
  const Counts always{{Ball(1)}, Ball(0)};
  for (const double epsilon : {0.0, 0.5, 2.0})
    EXPECT_TRUE(arb_overlaps(best_counts(curves, always, Ball(epsilon)).get(), base.delta(Ball(epsilon)).upper.get()));
  // No level of more than one person is below 1, and a bound stays a bound beyond the doubles.
  EXPECT_LE(best_counts(curves, three_people(), Ball(1e4)).upper(), 1.0);
  EXPECT_GE(best_counts(curves, three_people(), Ball(1e4)).lower(), 0.01 * 0.5);
  EXPECT_GE(best_splits(curves, three_people(), three_people(), Ball(0)).lower(),
            best_counts(curves, three_people(), Ball(0)).lower());
}

}  // namespace
}  // namespace doeblin::verify
