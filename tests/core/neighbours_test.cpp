// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/neighbours.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::pipeline {
namespace {

constexpr const char* kRun = "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, public_tail=5)";

Neighbours neighbours_of(const std::string& expression) { return parse(expression).neighbours(); }

TEST(Neighbours, GroupsMultiply) {
  const Neighbours pair = in_groups({}, 2.0);
  EXPECT_EQ(in_groups(pair, 3.0).people, 6.0);
  EXPECT_EQ(in_groups({}, 1.0), Neighbours());
  EXPECT_THROW(static_cast<void>(in_groups(in_groups({}, 0x1p52), 4.0)), InvalidArgument);
}

TEST(Neighbours, OnePersonIsNoGroup) {
  Neighbours one;
  one.places = {3.0};
  EXPECT_THROW(static_cast<void>(in_groups(one, 2.0)), InvalidArgument);
  EXPECT_THROW(require_everybody(one), InvalidArgument);
  EXPECT_NO_THROW(require_everybody({}));
}

TEST(Neighbours, TogetherTheyAreAboutWhoIsInAll) {
  Neighbours run;
  run.relation = Relation::kSubstitute;
  run.size = 40.0;
  run.public_tail = 5.0;
  Neighbours other;
  other.size = 40.0;
  other.public_tail = 7.0;
  other.places = {2.0};
  const Neighbours both = together({run, other});
  EXPECT_EQ(both.relation, Relation::kSubstitute);
  EXPECT_EQ(both.size, 40.0);
  EXPECT_EQ(both.public_tail, 7.0);
  EXPECT_EQ(both.places, std::vector{2.0});
  EXPECT_FALSE(both.sizes_differ);
}

TEST(Neighbours, TablesOfDifferentSizesStayDifferent) {
  Neighbours small, large;
  small.size = 10.0;
  large.size = 20.0;
  const Neighbours both = together({small, large, Neighbours()});
  EXPECT_TRUE(both.sizes_differ);
  EXPECT_FALSE(both.size);
  EXPECT_TRUE(together({both, small}).sizes_differ);
}

TEST(Neighbours, RelationsMustAgree) {
  Neighbours added, exchanged;
  added.relation = Relation::kAddRemove;
  exchanged.relation = Relation::kSubstitute;
  EXPECT_THROW(static_cast<void>(together({added, exchanged})), InvalidArgument);
}

TEST(Neighbours, SayWhoseDataItIs) {
  EXPECT_EQ(whose_data({}), "one person's data");
  EXPECT_EQ(whose_data(neighbours_of("gdp(1) | group(3)")), "the data of up to 3 people");
  EXPECT_EQ(whose_data(neighbours_of(std::string(kRun) + " | person(38 - 3)")), "the data of the person in place 35");
  EXPECT_EQ(whose_data(neighbours_of(std::string(kRun) + " | group(2)")),
            "the data of up to 2 people among the first 35 records (the last 5 are public)");
  EXPECT_EQ(whose_data(neighbours_of(std::string(kRun) + " + gdp(1)")),
            "one person's data among the first 35 records (the last 5 are public)");
}

// Whatever follows: a stage that forgot about whom it is would lose one of these.
TEST(Neighbours, NoStageLosesThem) {
  for (const char* stage : {"compose(3)", "compose(1)", "dobrushin(0.5)", "doeblin(0.5)", "ultra_mixing(0.5)",
                            "k_ary_response(k=4, p=0.7)", "projected_gaussian(sigma=1)", "group(1)"}) {
    const Neighbours after = neighbours_of(std::string(kRun) + " | group(2) | " + stage);
    EXPECT_EQ(after.people, 2.0) << stage;
    EXPECT_EQ(after.size, 40.0) << stage;
    EXPECT_EQ(after.public_tail, 5.0) << stage;
    EXPECT_EQ(after.relation, Relation::kSubstitute) << stage;
    EXPECT_TRUE(after.is_of_worst_place) << stage;
    if (std::string(stage).starts_with("group")) continue;
    EXPECT_EQ(neighbours_of(std::string(kRun) + " | person(4) | " + stage).places, std::vector{4.0}) << stage;
  }
}

TEST(Neighbours, SamplesSayHowManyThereAre) {
  EXPECT_EQ(neighbours_of("gdp(1) | without_replacement(n=10, m=3)").size, 10.0);
  EXPECT_EQ(neighbours_of("gdp(1) | with_replacement(n=10, m=3, relation=add_remove)").size, 10.0);
  EXPECT_FALSE(neighbours_of("gdp(1) | poisson(rate=0.5)").size);
}

}  // namespace
}  // namespace doeblin::pipeline
