// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/walk.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/profile/group.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

std::vector<double> binomial(double people, double rate) {
  std::vector<double> law = {1.0};
  for (double i = 0.0; i < people; ++i) {
    law.push_back(0.0);
    for (std::size_t j = law.size() - 1; j > 0; --j) law[j] = law[j] * (1.0 - rate) + law[j - 1] * rate;
    law[0] *= 1.0 - rate;
  }
  return law;
}

PeopleCounts counts_of(const std::vector<double>& weights, double rest = 0.0) {
  PeopleCounts counts{{}, rest};
  for (const double weight : weights) counts.weights.emplace_back(weight);
  return counts;
}

double divergence(const std::vector<double>& p, const std::vector<double>& q, double epsilon) {
  double sum = 0.0;
  for (std::size_t y = 0; y < p.size(); ++y) sum += std::max(0.0, p[y] - std::exp(epsilon) * q[y]);
  return sum;
}

std::vector<double> middles(const std::vector<Bracket>& law) {
  std::vector<double> result;
  for (const Bracket& chance : law) result.push_back(chance.middle());
  return result;
}

std::vector<double> random_law(std::size_t outputs) {
  std::vector<double> law;
  double sum = 0.0;
  for (std::size_t y = 0; y < outputs; ++y) law.push_back(test::uniform(0.05, 1.0));
  for (const double chance : law) sum += chance;
  for (double& chance : law) chance /= sum;
  return law;
}

RC_GTEST_PROP(Walk, EachBitIsOnePersons, ()) {
  const RandomizedResponse mechanism{test::uniform(0.0, 1.0)};
  const double ahead = *rc::gen::inRange(0, 7);
  const double behind = *rc::gen::inRange(0, 5);
  const Walk walk = bit_walk(mechanism, PeopleCounts::exactly(ahead), PeopleCounts::exactly(behind));
  RC_ASSERT(walk.origin == static_cast<std::size_t>(std::min(behind, 4.0)));
  RC_ASSERT(walk.laws.size() <= kLongestWalk + 1);
  for (std::size_t n = 0; n + 1 < walk.laws.size(); ++n)
    for (const double epsilon : {0.0, 0.3, 1.0, 2.0}) {
      const double one = delta(mechanism, Epsilon(epsilon)).upper();
      const auto here = middles(walk.laws[n]), next = middles(walk.laws[n + 1]);
      RC_ASSERT(std::fabs(divergence(here, next, epsilon) - one) <= 1e-12);
      RC_ASSERT(std::fabs(divergence(next, here, epsilon) - one) <= 1e-12);
    }
}

RC_GTEST_PROP(Walk, RowsAreNeighboursOneAfterAnother, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 6);
  std::vector<std::vector<double>> laws;
  std::vector<FiniteMechanism::Pair> pairs;
  for (std::size_t i = 0; i < rows; ++i) {
    laws.push_back(random_law(3));
    for (std::size_t j = 0; j < i; ++j)
      if (i == j + 1 || *rc::gen::arbitrary<bool>()) pairs.emplace_back(i, j);
  }
  const FiniteMechanism mechanism(laws, pairs);
  const Walk walk = best_walk(mechanism, counts_of(binomial(3.0, test::uniform(0.1, 0.9))),
                              counts_of(binomial(*rc::gen::inRange(0, 3), 0.4)));
  const auto row_of = [&](const std::vector<Bracket>& law) {
    for (std::size_t i = 0; i < rows; ++i)
      if (mechanism.rows()[i] == law) return i;
    RC_FAIL("a law of the walk is a row");
    return rows;
  };
  for (std::size_t n = 0; n + 1 < walk.laws.size(); ++n) {
    const std::size_t here = row_of(walk.laws[n]), next = row_of(walk.laws[n + 1]);
    const auto is_it = [&](const FiniteMechanism::Pair& pair) {
      return (pair.first == here && pair.second == next) || (pair.first == next && pair.second == here);
    };
    RC_ASSERT(std::any_of(pairs.begin(), pairs.end(), is_it));
  }
}

// Two rows, and one person or more: the only walk there is, in one of its two directions.
RC_GTEST_PROP(Walk, OfTwoRowsGoesToTheOther, ()) {
  const auto first = random_law(4), second = random_law(4);
  const double rate = test::uniform(0.05, 0.95);
  const auto coins = counts_of(binomial(3.0, rate));
  const FiniteMechanism mechanism({first, second});
  const LossPair pair =
      pair_of_counts(best_walk(mechanism, coins, PeopleCounts::exactly(0)), coins, PeopleCounts::exactly(0));
  const double none = std::pow(1.0 - rate, 3.0);
  std::vector<double> there, back;
  for (std::size_t y = 0; y < 4; ++y) {
    there.push_back(none * first[y] + (1.0 - none) * second[y]);
    back.push_back(none * second[y] + (1.0 - none) * first[y]);
  }
  for (const double epsilon : {0.0, 0.1, 0.5}) {
    const double got = pair.forward.delta(Epsilon(epsilon)).middle();
    RC_ASSERT(std::fabs(got - divergence(there, first, epsilon)) <= 1e-12 ||
              std::fabs(got - divergence(back, second, epsilon)) <= 1e-12);
  }
}

RC_GTEST_PROP(Walk, ReportsAreAProductOfBits, ()) {
  const RandomizedResponse mechanism{test::uniform(0.0, 1.0)};
  const double k = *rc::gen::inRange(1, 12);
  const LossPair pair = pair_of_reports(mechanism, k);
  const auto ones = binomial(k, mechanism.p), lies = binomial(k, 1.0 - mechanism.p);
  const Profile bound = black_box_group(profile_of(mechanism), k);
  for (const double epsilon : {0.0, 0.5, 2.0, 5.0}) {
    const Bracket got = pair.forward.delta(Epsilon(epsilon));
    RC_ASSERT(std::fabs(got.lower() - divergence(ones, lies, epsilon)) <= 1e-12);
    RC_ASSERT(got.width() <= 1e-12);
    RC_ASSERT(got.lower() <= bound.delta(Epsilon(epsilon)).upper());
    RC_ASSERT(std::fabs(pair.backward.delta(Epsilon(epsilon)).middle() - got.middle()) <= 1e-12);
  }
}

// Fewer steps than people, and weights that are left out: whatever it is, it is enclosed.
TEST(Walk, StaysAtItsEnds) {
  const FiniteMechanism mechanism({{0.8, 0.2}, {0.5, 0.5}, {0.1, 0.9}}, {{0, 1}, {1, 2}});
  const Walk walk{{mechanism.rows()[0], mechanism.rows()[1], mechanism.rows()[2]}, 0};
  const auto weights = binomial(5.0, 0.4);
  PeopleCounts some = counts_of({weights[0], weights[1], weights[2], weights[3]}, weights[4] + weights[5]);
  const double last = 1.0 - weights[0] - weights[1];
  const std::vector<double> first = {weights[0] * 0.8 + weights[1] * 0.5 + last * 0.1,
                                     weights[0] * 0.2 + weights[1] * 0.5 + last * 0.9};
  for (const double epsilon : {0.0, 0.5, 1.0}) {
    const double truth = divergence(first, {0.8, 0.2}, epsilon);
    const Bracket all =
        pair_of_counts(walk, counts_of(weights), PeopleCounts::exactly(0)).forward.delta(Epsilon(epsilon));
    EXPECT_NEAR(all.lower(), truth, 1e-12);
    EXPECT_NEAR(all.upper(), truth, 1e-12);
    const Bracket most = pair_of_counts(walk, some, PeopleCounts::exactly(0)).forward.delta(Epsilon(epsilon));
    EXPECT_LE(most.lower(), truth + 1e-15);
    EXPECT_GE(most.upper(), truth - 1e-15);
    EXPECT_EQ(pair_of_counts(walk, PeopleCounts::exactly(0), PeopleCounts::exactly(3))
                  .forward.delta(Epsilon(epsilon))
                  .lower(),
              0.0);
  }
}

TEST(Walk, Edges) {
  const PeopleCounts two = PeopleCounts::exactly(2), nobody = PeopleCounts::exactly(0);
  const auto delta_of = [&](double p, double epsilon) {
    const RandomizedResponse mechanism{p};
    return pair_of_counts(bit_walk(mechanism, two, nobody), two, nobody).forward.delta(Epsilon(epsilon));
  };
  EXPECT_EQ(delta_of(0.5, 0.0), Bracket(0.0));
  EXPECT_EQ(delta_of(1.0, rounding::kInfinity), Bracket(1.0));
  EXPECT_EQ(delta_of(0.0, 100.0), Bracket(1.0));
  EXPECT_EQ(delta_of(0.9, rounding::kInfinity), Bracket(0.0));
  EXPECT_EQ(PeopleCounts::exactly(3).steps(8), 3u);
  EXPECT_EQ(PeopleCounts::exactly(30).steps(8), 8u);
  EXPECT_EQ(counts_of({1.0, 1e-20, 1e-21}).steps(8), 0u);
  EXPECT_EQ(counts_of({0.5, 0.5, 1e-21}).steps(8), 1u);
  EXPECT_NEAR(pair_of_reports({0.7}, 1e6).forward.delta(Epsilon(0.0)).lower(), 1.0, 1e-9);
  // Nothing is told apart by rows that are alike.
  const FiniteMechanism alike({{0.3, 0.7}, {0.3, 0.7}});
  EXPECT_LE(pair_of_counts(best_walk(alike, two, nobody), two, nobody).forward.delta(Epsilon(0.0)).upper(), 1e-15);
  const FiniteMechanism telling({{1.0, 0.0}, {0.0, 1.0}});
  EXPECT_EQ(pair_of_counts(best_walk(telling, two, nobody), two, nobody).forward.delta(Epsilon(9.0)), Bracket(1.0));
}

// More people, and more who take part, are told apart better.
RC_GTEST_PROP(Walk, MorePeopleTellMore, ()) {
  const RandomizedResponse mechanism{test::uniform(0.5, 1.0)};
  const double rate = test::uniform(0.05, 0.9), epsilon = test::uniform(0.0, 1.5);
  const PeopleCounts nobody = PeopleCounts::exactly(0);
  const auto delta_of = [&](double people, double q) {
    const PeopleCounts coins = counts_of(binomial(people, q));
    return pair_of_counts(bit_walk(mechanism, coins, nobody), coins, nobody).forward.delta(Epsilon(epsilon));
  };
  RC_ASSERT(delta_of(2.0, rate).lower() <= delta_of(3.0, rate).upper() + 1e-14);
  RC_ASSERT(delta_of(3.0, rate).lower() <= delta_of(3.0, std::min(1.0, rate * 1.1)).upper() + 1e-14);
}

}  // namespace
}  // namespace doeblin
