// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/finite.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/randomized_response.hpp"
#include "doeblin/profile/renyi_curve.hpp"
#include "support/mechanism_properties.hpp"

namespace doeblin {
namespace {

using Matrix = std::vector<std::vector<double>>;

// Random probabilities that sum to 1 exactly: multiples of 2^-20, some of them 0.
std::vector<double> any_row(int outputs) {
  std::vector<int> parts(static_cast<std::size_t>(outputs), 0);
  int left = 1 << 20;
  for (int y = 0; y + 1 < outputs; ++y) {
    parts[y] = *rc::gen::inRange(0, 3) == 0 ? 0 : *rc::gen::inRange(0, left + 1);
    left -= parts[y];
  }
  parts.back() = left;
  std::vector<double> row;
  for (const int part : parts) row.push_back(part * 0x1p-20);
  return row;
}

RC_GTEST_PROP(Finite, EqualsExhaustiveEnumerationOfEvents, ()) {
  const int outputs = *rc::gen::inRange(2, 7);
  const Matrix rows = {any_row(outputs), any_row(outputs), any_row(outputs)};
  const double epsilon = test::uniform(0.0, 3.0);
  long double truth = 0.0L;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      for (unsigned event = 0; event < (1u << outputs); ++event) {
        long double p = 0.0L, q = 0.0L;
        for (int y = 0; y < outputs; ++y)
          if (event >> y & 1u) p += rows[i][y], q += rows[j][y];
        truth = std::max(truth, p - std::exp(static_cast<long double>(epsilon)) * q);
      }
  const Bracket got = delta(FiniteMechanism(rows), Epsilon(epsilon));
  RC_ASSERT(static_cast<long double>(got.lower()) <= truth + 1e-17L);
  RC_ASSERT(static_cast<long double>(got.upper()) >= truth - 1e-17L);
  RC_ASSERT(got.width() <= 1e-13);
}

RC_GTEST_PROP(Finite, HasTheShapeOfAProfile, ()) {
  const FiniteMechanism m({any_row(4), any_row(4)});
  test::check_profile(profile_of(m), 5.0);
}

RC_GTEST_PROP(Finite, TwoByTwoIsRandomisedResponse, ()) {
  const double p = static_cast<double>(*rc::gen::inRange(1, 1 << 20)) * 0x1p-20;
  const FiniteMechanism m({{p, 1.0 - p}, {1.0 - p, p}});
  const double epsilon = test::uniform(0.0, 5.0);
  RC_ASSERT(std::fabs(delta(m, Epsilon(epsilon)).upper() - delta(RandomizedResponse{p}, Epsilon(epsilon)).upper()) <=
            1e-13);
  const double alpha = 1.0 + test::log_uniform(0.1, 50.0);
  const double a = rdp(m, Alpha(alpha)).upper();
  const double b = rdp(RandomizedResponse{p}, Alpha(alpha)).upper();
  RC_ASSERT(std::fabs(a - b) <= 1e-12 * (1.0 + b));
  RC_ASSERT(renyi_of(m).at(Alpha(alpha)) == rdp(m, Alpha(alpha)));
}

TEST(Finite, OnlyAdjacentRowsCount) {
  const Matrix rows = {{1.0, 0.0}, {0.5, 0.5}, {0.0, 1.0}};
  EXPECT_EQ(delta(FiniteMechanism(rows), Epsilon(0.0)).upper(), 1.0);
  EXPECT_EQ(delta(FiniteMechanism(rows, {{0, 1}, {1, 2}}), Epsilon(0.0)).upper(), 0.5);
}

TEST(Finite, GroupsAreGraphDistances) {
  const FiniteMechanism path({{1.0, 0.0}, {0.75, 0.25}, {0.5, 0.5}, {0.25, 0.75}}, {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(group(path, 1.0).adjacent().size(), 3u);
  EXPECT_EQ(delta(group(path, 2.0), Epsilon(0.0)).upper(), 0.5);
  EXPECT_EQ(delta(group(path, 3.0), Epsilon(0.0)).upper(), 0.75);
  EXPECT_EQ(group(path, 1e15).adjacent().size(), 6u);
}

TEST(Finite, AnOutputOnlyOneRowHasNeverGoesAway) {
  const FiniteMechanism m({{0.9, 0.1, 0.0}, {0.9, 0.0, 0.1}});
  const Bracket limit = delta(m, Epsilon(rounding::kInfinity));
  EXPECT_LE(limit.lower(), 0.1);
  EXPECT_GE(limit.upper(), 0.1);
  EXPECT_EQ(rdp(m, Alpha(2.0)), Bracket(rounding::kInfinity));
  EXPECT_EQ(rdp(m, Alpha(rounding::kInfinity)), Bracket(rounding::kInfinity));
}

TEST(Finite, RowsThatAlmostSumToOneAreChargedNotTrusted) {
  const FiniteMechanism m({{0.1, 0.2, 0.7}, {0.7, 0.2, 0.1}});
  const Bracket got = delta(m, Epsilon(0.0));
  EXPECT_LE(got.lower(), 0.6);
  EXPECT_GE(got.upper(), 0.6);
  EXPECT_GT(got.width(), 0.0);
}

TEST(Finite, RefusesWhatIsNoMechanism) {
  EXPECT_THROW(FiniteMechanism(Matrix{{1.0}}), InvalidArgument);
  EXPECT_THROW(FiniteMechanism({{0.5, 0.5}, {1.0}}), InvalidArgument);
  EXPECT_THROW(FiniteMechanism({{0.5, 0.6}, {0.5, 0.5}}), InvalidArgument);
  EXPECT_THROW(FiniteMechanism({{1.5, -0.5}, {0.5, 0.5}}), InvalidArgument);
  EXPECT_THROW(FiniteMechanism({{std::nan(""), 1.0}, {0.5, 0.5}}), InvalidArgument);
  EXPECT_THROW(FiniteMechanism({{0.5, 0.5}, {0.5, 0.5}}, {{0, 2}}), InvalidArgument);
}

TEST(Finite, TheSmallestEpsilonCounts) {
  const FiniteMechanism m({{0.75, 0.25}, {0.25, 0.75}});
  EXPECT_LT(delta(m, Epsilon(rounding::kSmallest)).lower(), 0.5);
}

TEST(Finite, HugeEpsilonAgainstTinyProbability) {
  // e^720 * 1e-310 is about 500: the product is finite although e^720 is not.
  const FiniteMechanism m({{1.0, 0.0}, {1.0 - 1e-310, 1e-310}});
  EXPECT_LE(delta(m, Epsilon(720.0)).upper(), 1e-300);
}

}  // namespace
}  // namespace doeblin
