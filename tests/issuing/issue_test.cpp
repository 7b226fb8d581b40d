// SPDX-License-Identifier: Apache-2.0
#include "doeblin/issuing/issue.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::certificate {
namespace {

TEST(Issue, TheCurveReachesTwiceTheClaim) {
  const std::vector<Claim> claims = {{true, 1e-6, Bracket(1.0, 1.5)}, {false, 3.0, Bracket(0.0, 1e-9)}};
  const std::vector<double> epsilons = curve_epsilons(claims, false);
  EXPECT_EQ(epsilons.front(), 0.0);
  EXPECT_EQ(epsilons.back(), 6.0);
  EXPECT_NE(std::find(epsilons.begin(), epsilons.end(), 3.0), epsilons.end());
  EXPECT_LT(curve_epsilons(claims, true).size(), epsilons.size());
  // Nothing finite is claimed: from 0 to 2.
  EXPECT_EQ(curve_epsilons({{true, 1e-6, Bracket(0.0, rounding::kInfinity)}}, false).back(), 2.0);
}

TEST(Issue, EverybodyIsCounted) {
  const std::vector<ForRecords> values = {
      {1, 10, Bracket(0.1, 0.2)}, {11, 11, Bracket(0.0, 0.9)}, {12, 100, Bracket(0.3)}};
  const PeopleClaim people = people_claim(true, 1e-5, values);
  EXPECT_EQ(people.count, 100u);
  EXPECT_EQ(people.worst.record, 11u);
  EXPECT_EQ(people.best.record, 1u);
  EXPECT_EQ(people.median, 0.3);
  EXPECT_EQ(people.points.size(), kMostPoints);
  EXPECT_EQ(people.points.front().record, 1u);
  EXPECT_EQ(people.points.back().record, 100u);
  EXPECT_EQ(people_claim(true, 1e-5, {{1, 1, Bracket(1.0)}}).points.size(), 1u);
}

TEST(Issue, FilesAreHashedOnce) {
  const test::TemporaryFile file("mechanism.csv", "0.5,0.5\n0.25,0.75\n");
  const std::string call = "finite('" + file.path() + "')";
  const auto inputs = inputs_of(language::parse(call + " + (" + call + " | compose(2))"));
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].path, file.path());
  EXPECT_EQ(inputs[0].sha256.size(), 64u);
}

}  // namespace
}  // namespace doeblin::certificate
