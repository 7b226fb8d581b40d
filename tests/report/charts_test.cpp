// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "report/comparison_chart.hpp"
#include "report/people_chart.hpp"
#include "report/profile_chart.hpp"
#include "report/report_examples.hpp"
#include "support/text.hpp"

namespace doeblin::report {
namespace {

using doeblin::test::has;

TEST(ProfileChart, IsDescribedAndLabelled) {
  const certificate::Certificate one = test::certificate();
  const std::string svg = profile_chart(one.curve, one.claims);
  for (const char* part :
       {"role=\"img\"", "<title id=\"profile-wide-title\">", "<desc id=\"profile-narrow-desc\">",
        ">epsilon ε (nats)</text>", ">delta δ (a probability)</text>", "class=\"upper\"", "class=\"lower\"",
        "class=\"band\"", "class=\"mark\"", "Claimed: epsilon 2.3762, delta 1e-5.", ">ε 3, δ 1.1e-9</text>"})
    EXPECT_TRUE(has(svg, part)) << part;
}

TEST(ProfileChart, NeedsACurve) {
  EXPECT_EQ(profile_chart({}, test::certificate().claims), "");
  EXPECT_EQ(profile_chart({{rounding::kInfinity, Bracket(0.0)}}, {}), "");
}

TEST(ProfileChart, TheAxisReachesBelowTheClaims) {
  // Fifteen powers of ten, or three below the smallest claim.
  EXPECT_TRUE(has(profile_chart({{0.0, Bracket(1.0)}, {1.0, Bracket(1e-300)}}, {}), "10⁻¹⁴"));
  EXPECT_FALSE(has(profile_chart({{0.0, Bracket(1.0)}, {1.0, Bracket(1e-300)}}, {}), "10⁻¹⁶"));
  EXPECT_TRUE(
      has(profile_chart({{0.0, Bracket(1.0)}, {1.0, Bracket(1e-300)}}, {{true, 1e-30, Bracket(0.5)}}), "10⁻³⁰"));
  EXPECT_TRUE(has(profile_chart({{0.0, Bracket(1.0)}, {1.0, Bracket(1e-300)}}, {}), "in the table below the plot"));
}

TEST(ProfileChart, NarrowBracketsAreOneLine) {
  const std::string svg = profile_chart({{0.0, Bracket(0.5)}, {1.0, Bracket(1e-5, 1.0001e-5)}}, {});
  EXPECT_FALSE(has(svg, "class=\"lower\""));
  EXPECT_TRUE(has(svg, "closer than the line is wide"));
}

TEST(PeopleChart, MarksTheWorstAndTheBest) {
  const std::string svg = people_chart(*test::certificate_of_people().people);
  for (const char* part : {"worst: 1.5", "best: 0.001", "half: 0.02", ">record, in the order of use</text>",
                           ">1,000</text>", "class=\"level\"", "epsilon (nats)", "1,000 records in the order of use"})
    EXPECT_TRUE(has(svg, part)) << part;
}

TEST(ComparisonChart, OneLineForEachThatApplies) {
  const std::string svg = comparison_chart(test::comparison());
  EXPECT_TRUE(has(svg, ">best</text>") && has(svg, ">balle</text>"));
  EXPECT_FALSE(has(svg, ">feldman</text>"));
  EXPECT_TRUE(has(svg, ">epsilon at delta = 1e-5</text>"));
  EXPECT_TRUE(has(svg, "The smallest is that of best: 1.1."));
}

}  // namespace
}  // namespace doeblin::report
