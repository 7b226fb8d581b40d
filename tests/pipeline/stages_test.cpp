// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/stages.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::pipeline {
namespace {

TEST(Stages, SourcesCarryTheirMechanism) {
  const Epsilon at(0.3);
  EXPECT_EQ(laplace({.scale = 2.0}).delta(at), delta(Laplace{2.0}, at));
  EXPECT_EQ(twice_laplace({.scale1 = 1.0, .scale2 = 2.0}).delta(at), delta(TwiceLaplace{1.0, 2.0}, at));
  EXPECT_EQ(randomized_response(0.7).delta(at), delta(RandomizedResponse{0.7}, at));
  EXPECT_EQ(discrete_laplace({.scale = 2.0}).delta(at), delta(DiscreteLaplace{2.0}, at));
  EXPECT_EQ(discrete_gaussian({.sigma = 2.0}).delta(at), delta(DiscreteGaussian{2.0}, at));
  EXPECT_EQ(black_box({.epsilon = 1.0, .delta = 0.1}).delta(at), delta(BlackBox{1.0, 0.1}, at));
  EXPECT_EQ(rdp(RenyiPoint{2.0, 0.1}).rdp(Alpha(2.0)), Bracket(0.1));
  EXPECT_EQ(zcdp(0.1).rdp(Alpha(2.0)), Bracket(0.2));
  const FiniteMechanism matrix({{0.75, 0.25}, {0.25, 0.75}});
  EXPECT_EQ(finite(matrix, "m").delta(at), delta(matrix, at));
}

TEST(Stages, GroupIsWhiteBoxWhereTheMechanismIsKnown) {
  EXPECT_EQ((laplace({.scale = 2.0}) | group(2) | group(3)).delta(Epsilon(1.0)),
            delta(Laplace{2.0, 6.0}, Epsilon(1.0)));
  EXPECT_EQ((zcdp(0.1) | group(2)).mechanism().concentrated()->rho.hi, 0.4);
  const Pipeline box = randomized_response(0.7) | group(2);
  EXPECT_FALSE(box.mechanism().profile().traits().tight);
  EXPECT_LT(box.rdp(Alpha(2.0)).upper(), 2.0 * randomized_response(0.7).rdp(Alpha(rounding::kInfinity)).upper());
  EXPECT_EQ((rdp(RenyiPoint{2.0, 0.1}) | group(2)).rdp(Alpha(2.0)).upper(), rounding::kInfinity);
  EXPECT_EQ((randomized_response(0.7) | group(1)).rdp(Alpha(2.0)), randomized_response(0.7).rdp(Alpha(2.0)));
}

TEST(Stages, CompositionsAreFlat) {
  const Pipeline nested = ((randomized_response(0.7) | compose(2)) + laplace({.scale = 1.0})) | compose(3);
  const auto& releases = nested.mechanism().releases();
  ASSERT_EQ(releases.size(), 2u);
  EXPECT_EQ(releases[0].count, 6.0);
  EXPECT_EQ(releases[1].count, 3.0);
}

// A group of a composition is the composition of the groups.
TEST(Stages, GroupGoesInsideAComposition) {
  const Epsilon at(4.0);
  const Bracket outside = (laplace({.scale = 2.0}) | compose(3) | group(2)).delta(at);
  const Bracket inside = (laplace({.scale = 2.0, .sensitivity = 2.0}) | compose(3)).delta(at);
  EXPECT_EQ(outside, inside);
  EXPECT_LT((rdp(RenyiPoint{8.0, 0.5}) | group(2) | compose(2)).epsilon(Delta(1e-3)).upper(), 10.0);
}

TEST(Stages, FiniteGroupsFollowTheGraph) {
  const FiniteMechanism path({{1.0, 0.0}, {0.5, 0.5}, {0.0, 1.0}}, {{0, 1}, {1, 2}});
  EXPECT_EQ((finite(path, "path") | group(2)).delta(Epsilon(0.0)).upper(), 1.0);
  EXPECT_EQ((finite(path, "path") | group(1)).delta(Epsilon(0.0)).upper(), 0.5);
}

TEST(Stages, GroupRulesAreStated) {
  EXPECT_EQ((zcdp(0.1) | group(2)).steps()[1].step.statement, "zCDP for k people: k^2 rho");
  EXPECT_EQ((gdp(0.1) | group(2)).steps()[1].step.statement, "GDP for k people: k mu");
}

TEST(Stages, ComposeIsExactForGdp) {
  const Bracket got = (gaussian({.sigma = 100.0}) | compose(10000)).epsilon(Delta(1e-5));
  EXPECT_EQ(got, gdp(1.0).epsilon(Delta(1e-5)));
  // Truths of the far tail, where accountants based on the FFT give up.
  for (const auto& [delta, truth] :
       {std::pair{1e-8, 5.7761}, {1e-12, 7.2385}, {1e-15, 8.1656}, {1e-20, 9.5109}, {1e-30, 11.7439}})
    EXPECT_NEAR((gaussian({.sigma = 100.0}) | compose(10000)).epsilon(Delta(delta)).upper(), truth, 5e-5);
}

RC_GTEST_PROP(Stages, AmplificationOfNothingNeverHelps, ()) {
  const Pipeline base = laplace({.scale = test::log_uniform(0.5, 20.0)});
  const double k = *rc::gen::inRange(1, 6);
  const double epsilon = test::uniform(0.0, 2.0);
  const double one = base.delta(Epsilon(epsilon)).lower();
  RC_ASSERT((base | group(k)).delta(Epsilon(epsilon)).upper() >= one);
  RC_ASSERT((base | compose(k)).delta(Epsilon(epsilon)).upper() >= one);
  RC_ASSERT((base + gdp(0.1)).delta(Epsilon(epsilon)).upper() >= one);
}

// A composition of mixed kinds must cover the same composition with a stronger part in closed form.
RC_GTEST_PROP(Stages, SumOfZcdpCoversTheSumOfGaussians, ()) {
  const double mu = test::log_uniform(0.1, 1.0);
  const double delta = test::log_uniform(1e-10, 1e-2);
  const Bracket got = (zcdp(mu * mu / 2.0 * (1 + 1e-15)) + gdp(mu)).epsilon(Delta(delta));
  const Bracket exact = (gdp(mu) | compose(2)).epsilon(Delta(delta));
  RC_ASSERT(got.upper() >= exact.lower());
  RC_ASSERT(got.lower() <= exact.upper() * (1 + 1e-9));
}

TEST(Stages, SamplingFixesTheRelation) {
  EXPECT_EQ((laplace({.scale = 1.0}) | poisson(0.1)).relation(), Relation::kAddRemove);
  EXPECT_EQ((laplace({.scale = 1.0}) | without_replacement(10, 2)).relation(), Relation::kSubstitute);
  EXPECT_EQ((laplace({.scale = 1.0}) | with_replacement(10, 2)).relation(), Relation::kSubstitute);
  EXPECT_EQ((gdp(1.0) | with_replacement(10, 2, Relation::kAddRemove)).relation(), Relation::kAddRemove);
  EXPECT_EQ((gdp(1.0) | poisson(0.1, Relation::kSubstitute)).relation(), Relation::kSubstitute);
}

// An exchange is a removal and an addition: nobody is worse off than two people are, nor better off than is claimed.
TEST(Stages, SumsAreAboutExchangesWhereAPartIs) {
  const Pipeline added = gdp(1.0) | poisson(0.3);
  const Pipeline fixed = gdp(0.5) | without_replacement(10, 2);
  const Pipeline lifted = added + fixed;
  EXPECT_EQ(lifted.relation(), Relation::kSubstitute);
  EXPECT_EQ(lifted.neighbours().people, 1.0);
  // The pair itself, which the lifted part covers, and the same sum with two people.
  const double exchanged = (gdp(1.0) | poisson(0.3, Relation::kSubstitute)).delta(Epsilon(2.0)).lower();
  const double two = (added | group(2)).delta(Epsilon(2.0)).lower();
  EXPECT_GE(lifted.delta(Epsilon(2.0)).upper(), std::max(exchanged, two));
  EXPECT_LE(lifted.delta(Epsilon(2.0)).upper(), 1.5 * two);
  // Several people, in either part, or afterwards.
  for (const Pipeline& several : {(added | group(2)) + fixed, added + (fixed | group(2)), lifted | group(2)})
    EXPECT_EQ(several.neighbours().people, 2.0);
}

TEST(Stages, UncoveredSamplingIsRefusedByName) {
  const auto refused = [](const auto& build, const std::string& part) {
    try {
      static_cast<void>(build());
      ADD_FAILURE() << part;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused([] { return gdp(1.0) | poisson(0.1) | without_replacement(10, 2); }, "Covered: poisson on add_remove");
  refused([] { return gdp(1.0) | without_replacement(10, 2) | poisson(0.1); }, "without_replacement on substitute");
  refused([] { return gdp(1.0) | poisson(0.1) | with_replacement(10, 2); }, "relation = add_remove");
  // For data of a given size only: removing a record is something else there.
  refused(
      [] {
        return (gdp(1.0) | with_replacement(10, 2, Relation::kAddRemove)) + (gdp(1.0) | without_replacement(10, 2));
      },
      "substitute");
  refused([] { return gdp(1.0) | without_replacement(2, 10); }, "m <= n");
  refused([] { return gdp(1.0) | with_replacement(1, 1, Relation::kAddRemove); }, "n >= 2");
  refused([] { return gdp(1.0) | with_replacement(1, 1e6); }, "m <= 1000 n");
  refused([] { return gdp(1.0) | poisson(0.0); }, "0 < rate <= 1");
  refused([] { return gdp(1.0) | poisson(std::nan("")); }, "0 < rate <= 1");
  refused([] { return gdp(1.0) | without_replacement(10.5, 2); }, "an integer");
}

TEST(Stages, TheDerivationSaysWhichSamplingRuleWasUsed) {
  const auto statement = [](const Pipeline& pipeline) { return pipeline.steps().back().step.statement; };
  EXPECT_NE(statement(gdp(1.0) | poisson(0.1)).find("exact pair"), std::string::npos);
  EXPECT_NE(statement(zcdp(0.5) | poisson(0.1)).find("black box"), std::string::npos);
  EXPECT_NE(statement(gdp(1.0) | poisson(0.1, Relation::kAddRemove, {.black_box_sampling = true})).find("black box"),
            std::string::npos);
  EXPECT_EQ((gdp(1.0) | with_replacement(10, 2)).steps().back().step.source, "S3");
  EXPECT_EQ((gdp(1.0) | with_replacement(10, 2, Relation::kAddRemove)).steps().back().step.source, "S4, S7");
}

// Everybody in the sample: nothing changes but the relation.
TEST(Stages, SamplingEverybodyIsTheMechanism) {
  const Epsilon at(0.3);
  EXPECT_EQ((gdp(1.0) | poisson(1.0)).delta(at), gdp(1.0).delta(at));
  EXPECT_EQ((gdp(1.0) | without_replacement(7, 7)).delta(at), gdp(1.0).delta(at));
}

RC_GTEST_PROP(Stages, SamplingNeverHurts, ()) {
  const Pipeline base =
      *rc::gen::arbitrary<bool>() ? gdp(test::log_uniform(0.1, 3.0)) : laplace({.scale = test::log_uniform(0.3, 5.0)});
  const double n = std::floor(test::log_uniform(2.0, 1e4));
  const double m = std::floor(test::uniform(1.0, n));
  const Epsilon at(test::uniform(0.0, 2.0));
  const double whole = base.delta(at).upper();
  RC_ASSERT((base | poisson(m / n)).delta(at).lower() <= whole);
  RC_ASSERT((base | without_replacement(n, m)).delta(at).lower() <= whole);
}

// A supremum over pairs has no lower end that adds up.
TEST(Stages, SampledMatricesClaimNoUnattainedLowerEnd) {
  const FiniteMechanism matrix({{0.5, 0.3, 0.2}, {0.3, 0.5, 0.2}, {0.45, 0.05, 0.5}}, {{0, 1}, {0, 2}});
  const Pipeline pipeline = finite(matrix, "m") | poisson(0.5);
  EXPECT_LE(pipeline.rdp(Alpha(2.0)).lower(), 0.3066674);
  EXPECT_GE(pipeline.rdp(Alpha(2.0)).upper(), 0.306666);
  EXPECT_FALSE(pipeline.mechanism().renyi().traits().single_pair);
}

TEST(Stages, SampledBlackBoxesKeepTheirInfiniteLoss) {
  const Pipeline pipeline = black_box({.epsilon = 1.0, .delta = 1e-3}) | poisson(0.1) | compose(10);
  EXPECT_EQ(pipeline.epsilon(Delta(5e-4)).upper(), rounding::kInfinity);
  EXPECT_EQ((black_box({.epsilon = 1.0, .delta = 1e-3}) | poisson(0.1)).rdp(Alpha(2.0)).upper(), rounding::kInfinity);
}

TEST(Stages, SamplingEverybodyIsNoSampling) {
  // Exchanging one person for another moves a sum by up to twice what one person adds to it.
  const Pipeline all = gaussian({.sigma = 1.0}) | poisson(1.0, Relation::kSubstitute);
  EXPECT_EQ(all.relation(), Relation::kSubstitute);
  EXPECT_EQ(all.epsilon(Delta(1e-5)), gaussian({.sigma = 0.5}).epsilon(Delta(1e-5)));
  const Pipeline nearly = gaussian({.sigma = 1.0}) | poisson(1.0 - 1e-9, Relation::kSubstitute);
  EXPECT_LE(nearly.delta(Epsilon(1.0)).lower(), all.delta(Epsilon(1.0)).upper());
  EXPECT_LE(all.delta(Epsilon(1.0)).upper(), nearly.delta(Epsilon(1.0)).upper() + 1e-6);
}

}  // namespace
}  // namespace doeblin::pipeline
