// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/mechanism.hpp"

#include <cmath>
#include <type_traits>

#include <gtest/gtest.h>

#include "doeblin/mechanism/stage.hpp"
#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/renyi_point.hpp"

namespace doeblin::pipeline {
namespace {

const Gdp kLevel = Gdp::level(1.0);
const FiniteMechanism kMatrix({{0.75, 0.25}, {0.25, 0.75}});
const Epsilon kAt(0.5);

Mechanism pure() {
  const Profile profile = profile_of(Laplace{1.0});
  return Mechanism::of_pair(LossPair::symmetric_of(profile), renyi_of(Laplace{1.0}));
}

std::vector<Mechanism> all() {
  return {Mechanism::of(kLevel),
          Mechanism::of(Zcdp::level(0.5)),
          Mechanism::of(kMatrix),
          pure(),
          Mechanism::of_profile(profile_of(BlackBox{1.0, 1e-5}), unknown_renyi()),
          Mechanism::perfect()};
}

// What holds for all and what some have cannot be exchanged by mistake.
template <typename A, typename B>
concept Encloses = requires(const A& a, const B& b) {
  enclosed(a, b);
};
static_assert(Encloses<Attained<Profile>, Dominating<Profile>>);
static_assert(!Encloses<Dominating<Profile>, Attained<Profile>>);
static_assert(!Encloses<Profile, Profile>);
static_assert(!std::is_convertible_v<Profile, Dominating<Profile>>);
static_assert(!std::is_convertible_v<Attained<LossPair>, Dominating<LossPair>>);
// Nothing is assigned from outside, and nothing is made without its ends.
static_assert(!std::is_default_constructible_v<Mechanism> && !std::is_aggregate_v<Mechanism>);

TEST(Mechanism, HasADominatingPairAlways) {
  for (const Mechanism& one : all()) {
    for (const Mechanism& mechanism : {one, one.group(2), Mechanism(one).apart(false)}) {
      const double upper = mechanism.profile().delta(kAt).upper();
      EXPECT_GE(mechanism.pairs().dominating->forward.delta(kAt).upper(), upper * (1.0 - 1e-12));
      EXPECT_GE(mechanism.pairs().dominating->backward.delta(kAt).upper(), upper * (1.0 - 1e-12));
    }
  }
}

TEST(Mechanism, GroupsAreAboutMorePeopleAndNeverBetterOff) {
  for (const Mechanism& one : all()) {
    const Mechanism three = one.group(3);
    EXPECT_EQ(three.neighbours().people, 3.0);
    EXPECT_GE(three.profile().delta(kAt).upper(), one.profile().delta(kAt).upper());
    EXPECT_EQ(three.group(2).neighbours().people, 6.0);
  }
}

TEST(Mechanism, AGroupOfAGroupIsTheLargerGroup) {
  for (const Mechanism& one : {Mechanism::of(kLevel), Mechanism::of(kLevel).with_groups_attained(false)})
    EXPECT_EQ(one.group(2).group(3).profile().delta(kAt).upper(), one.group(6).profile().delta(kAt).upper());
}

TEST(Mechanism, AGroupThatIsOnlyBoundedIsAtLeastOnePerson) {
  const Mechanism run = Mechanism::of(kLevel).with_groups_attained(false);
  const Mechanism two = run.group(2);
  EXPECT_EQ(two.profile().delta(kAt).lower(), run.profile().delta(kAt).lower());
  EXPECT_EQ(two.profile().delta(kAt).upper(), Mechanism::of(kLevel).group(2).profile().delta(kAt).upper());
  EXPECT_FALSE(two.gaussian() || two.concentrated() || two.pairs().attained || two.pairs().is_exact);
  EXPECT_TRUE(two.gaussian_bound());
}

TEST(Mechanism, ABoundIsNotExactInAnyOfItsForms) {
  const Mechanism bound = Mechanism::of(kLevel).as_bound(Attained(nothing_attained()), Attained(unknown_renyi()));
  EXPECT_EQ(bound.profile().delta(kAt).lower(), 0.0);
  EXPECT_EQ(bound.profile().delta(kAt).upper(), profile_of(kLevel).delta(kAt).upper());
  EXPECT_EQ(bound.renyi().at(Alpha(2.0)).lower(), 0.0);
  EXPECT_FALSE(bound.gaussian() || bound.concentrated() || bound.pairs().attained || bound.pairs().is_exact);
  EXPECT_FALSE(bound.renyi().traits().tight || bound.renyi().traits().single_pair);
}

TEST(Mechanism, PartsOfASumLoseWhatTheyAttainToTheLastRelease) {
  const auto part = std::make_shared<const Mechanism>(Mechanism::of(kLevel));
  const Mechanism sum = Mechanism::of_profile(profile_of(kLevel), renyi_of(kLevel)).with_releases({{part, 2.0}});
  const Mechanism apart = Mechanism(sum).apart(false);
  EXPECT_EQ(apart.profile().delta(kAt).lower(), 0.0);
  EXPECT_EQ(apart.releases()[0].mechanism->profile().delta(kAt).lower(), 0.0);
  EXPECT_FALSE(apart.releases()[0].mechanism->pairs().attained);
  EXPECT_GT(Mechanism(sum).apart(true).profile().delta(kAt).lower(), 0.0);
}

TEST(Mechanism, StagesInheritWhatTheyCannotUndo) {
  const Mechanism before =
      pure().about({.relation = Relation::kSubstitute, .size = 10.0}).around_others({}).with_hidden_choice("the order");
  const Stage forgetful{.about = same_people, .apply = [](const Mechanism&) {
                          return Evaluated{Mechanism::of(kLevel), {}};
                        }};
  const Mechanism after = applied(forgetful, before).mechanism;
  EXPECT_TRUE(after.has_third_law());
  EXPECT_EQ(after.hidden_choice(), "the order");
  EXPECT_EQ(after.neighbours(), before.neighbours());
}

TEST(Mechanism, AnExampleRaisesLowerEndsAndNothingElse) {
  const Mechanism any = Mechanism::of_profile(profile_of(BlackBox{1.0, 1e-5}), unknown_renyi());
  const Mechanism bound = Mechanism(any).as_bound(Attained(nothing_attained()), Attained(unknown_renyi()));
  const Mechanism raised = Mechanism(bound).with_example(pure());
  EXPECT_EQ(bound.profile().delta(kAt).lower(), 0.0);
  EXPECT_EQ(raised.profile().delta(kAt).lower(), pure().profile().delta(kAt).lower());
  EXPECT_EQ(raised.profile().delta(kAt).upper(), bound.profile().delta(kAt).upper());
  EXPECT_EQ(raised.renyi().at(Alpha(2.0)).lower(), pure().renyi().at(Alpha(2.0)).lower());
  // Whoever need not reach the other parts of a sum is no example for it.
  EXPECT_TRUE(Mechanism(raised).apart(true).examples().empty());
}

TEST(Mechanism, StagesAreAppliedToTheExampleToo) {
  const Mechanism class_of = Mechanism::of(Zcdp::level(0.5));
  ASSERT_EQ(class_of.examples().size(), 1u);
  const auto halved = [](const Mechanism& before) {
    const Profile profile = before.profile();
    return Evaluated{Mechanism::of_profile(
                         Profile([profile](Epsilon epsilon) { return profile.delta(epsilon) * 0.5; }, {.tight = false}),
                         unknown_renyi()),
                     {}};
  };
  const Mechanism after = applied({.about = same_people, .apply = halved}, class_of).mechanism;
  ASSERT_EQ(after.examples().size(), 1u);
  EXPECT_EQ(after.examples()[0]->profile().delta(kAt).upper(),
            0.5 * Mechanism::of(kLevel).profile().delta(kAt).upper());
  EXPECT_EQ(class_of.group(3).examples()[0]->profile().delta(kAt).lower(),
            Mechanism::of(Gdp::level(3.0)).profile().delta(kAt).lower());
}

// Every example counts, and each of them goes on by itself.
TEST(Mechanism, SeveralExamplesRaiseWhereTheyAreTheWorst) {
  const Mechanism any = Mechanism::of_profile(profile_of(RenyiPoint{12.0, 1.0}), renyi_of(RenyiPoint{12.0, 1.0}));
  const Mechanism weak = Mechanism::of(Gdp::level(0.1)), strong = Mechanism::of(Gdp::level(0.2));
  const Mechanism both = Mechanism(any).with_example(strong).with_example(weak);
  ASSERT_EQ(both.examples().size(), 2u);
  EXPECT_GE(both.profile().delta(kAt).lower(), strong.profile().delta(kAt).lower());
  const Mechanism three = both.group(3);
  ASSERT_EQ(three.examples().size(), 2u);
  EXPECT_EQ(three.examples()[0]->profile().delta(kAt).lower(), strong.group(3).profile().delta(kAt).lower());
  EXPECT_EQ(three.examples()[1]->profile().delta(kAt).lower(), weak.group(3).profile().delta(kAt).lower());
  EXPECT_EQ(Mechanism(both).about({.relation = Relation::kSubstitute}).examples()[1]->neighbours().relation,
            Relation::kSubstitute);
}

TEST(Mechanism, OnePairOfRowsIsAttained) {
  const FiniteMechanism rows({{0.5, 0.5}, {0.25, 0.75}});
  const Mechanism one = Mechanism::of(rows);
  ASSERT_TRUE(one.pairs().attained.has_value());
  const LossPair& pair = **one.pairs().attained;
  EXPECT_TRUE(pair.forward.delta(Epsilon(0.0)).contains(0.25));
  // P = (1/2, 1/2), Q = (1/4, 3/4): at e^eps = 4/3, [1/2 - 1/3]_+ and [3/4 - 2/3]_+.
  EXPECT_NEAR(pair.forward.delta(Epsilon(std::log(4.0 / 3.0))).upper(), 1.0 / 6.0, 1e-15);
  EXPECT_NEAR(pair.backward.delta(Epsilon(std::log(4.0 / 3.0))).upper(), 1.0 / 12.0, 1e-15);
  // Of several pairs nobody is known to have the worst in other matrices too.
  EXPECT_FALSE(Mechanism::of(FiniteMechanism({{0.5, 0.5}, {0.25, 0.75}, {1.0, 0.0}})).pairs().attained.has_value());
}

}  // namespace
}  // namespace doeblin::pipeline
