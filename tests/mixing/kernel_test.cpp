// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel.hpp"
#include "doeblin/pipeline/calibration.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/pipeline/comparison.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::pipeline {
namespace {

const FiniteKernel& channel() {
  static const FiniteKernel kernel =
      FiniteKernel::dense(3, 3, {0.875, 0.0625, 0.0625, 0.125, 0.75, 0.125, 0.25, 0.25, 0.5});
  return kernel;
}

TEST(Kernel, StagesFollowTheirRules) {
  const Pipeline before = black_box({.epsilon = 1.0, .delta = 1e-6});
  const Epsilon at(0.3);
  const double d = before.delta(at).upper();
  EXPECT_NEAR((before | dobrushin(0.5)).delta(at).upper(), 0.5 * d, 1e-15);
  EXPECT_NEAR((before | doeblin(0.5)).delta(at).upper(), 0.5 * d, 1e-15);
  // M5 with e^e0 = 2.
  const double excess = std::expm1(0.3) / d;
  EXPECT_NEAR((before | ultra_mixing(0.5)).delta(at).upper(), d * std::max(0.0, 1.0 - excess) / 3.0, 1e-15);
  // M2: at its own epsilon a (gamma, epsilon)-Dobrushin kernel gives gamma d.
  const double level = std::log1p(excess);
  EXPECT_NEAR((before | dobrushin(0.2, level)).delta(at).upper(), 0.2 * d, 1e-12);
}

TEST(Kernel, ARandomisedResponseAfterAnotherIsOne) {
  // Two flips are one, with probability f(1-g) + g(1-f).
  const Pipeline twice = randomized_response(0.75) | binary_symmetric(0.125);
  EXPECT_NEAR(twice.epsilon(Delta(1e-300)).upper(), std::log(0.6875 / 0.3125), 1e-12);
  EXPECT_NEAR((randomized_response(0.75) | binary_symmetric(0.875)).epsilon(Delta(1e-300)).upper(),
              std::log(0.6875 / 0.3125), 1e-12);
  EXPECT_NEAR((randomized_response(0.75) | binary_symmetric(0.125, 2.0)).delta(Epsilon(0.0)).upper(), 0.5 * 0.5625,
              1e-12);
}

TEST(Kernel, ConsecutiveMatricesAreMultiplied) {
  const Kernel one = kernel(channel(), "one");
  const Kernel three = kernel(channel(), "three", 3.0);
  const Pipeline before = gaussian({.sigma = 1.0});
  const Bracket step_by_step = (before | one | one | one).delta(Epsilon(0.2));
  const Bracket power = (before | three).delta(Epsilon(0.2));
  EXPECT_NEAR(step_by_step.upper(), power.upper(), 1e-12);
  EXPECT_LT(power.upper(),
            (before | repeated(Kernel{.statement = "", .bound = one.bound}, 3.0)).delta(Epsilon(0.2)).upper());
  EXPECT_NEAR((before | followed_by(one, followed_by(one, one))).delta(Epsilon(0.2)).upper(), power.upper(), 1e-12);
  EXPECT_NEAR((before | repeated(one, 3.0)).delta(Epsilon(0.2)).upper(), power.upper(), 1e-12);
}

TEST(Kernel, AMatrixAfterAMatrixIsExact) {
  const FiniteMechanism mechanism({{0.75, 0.125, 0.125}, {0.125, 0.125, 0.75}});
  const Pipeline exact = finite(mechanism, "m") | kernel(channel(), "k");
  const Settings bound{.mixing = MixingAnalysis::kKernel};
  const Pipeline bounded = finite(mechanism, "m") | mixing(kernel(channel(), "k"), bound);
  EXPECT_LT(exact.delta(Epsilon(0.1)).upper(), bounded.delta(Epsilon(0.1)).upper());
  EXPECT_LT(exact.delta(Epsilon(0.1)).width(), 1e-14);
  // Everybody stays a neighbour, and groups are found by the graph.
  EXPECT_EQ((exact | group(2)).delta(Epsilon(0.1)), exact.delta(Epsilon(0.1)));
  EXPECT_THROW((void)(finite(mechanism, "m") | binary_symmetric(0.1)), InvalidArgument);
}

TEST(Kernel, NeverHurtsAndLaterStagesHold) {
  const Pipeline before = laplace({.scale = 1.0});
  const Kernel response = k_ary_response({4.0, 0.7});
  const Pipeline after = before | response;
  for (const double epsilon : {0.0, 0.2, 0.7})
    EXPECT_LT(after.delta(Epsilon(epsilon)).upper(), before.delta(Epsilon(epsilon)).lower());
  EXPECT_LE(after.rdp(Alpha(2.0)).upper(), before.rdp(Alpha(2.0)).upper());
  EXPECT_LE((after | compose(10)).epsilon(Delta(1e-5)).upper(), (before | compose(10)).epsilon(Delta(1e-5)).upper());
  EXPECT_LE((after | group(2)).epsilon(Delta(1e-5)).upper(), (before | group(2)).epsilon(Delta(1e-5)).upper());
  EXPECT_GE((after | group(2)).epsilon(Delta(1e-5)).upper(), after.epsilon(Delta(1e-5)).upper());
}

// Randomised response through a channel, k times: the exact pair is two Bernoulli laws, composed by hand.
TEST(Kernel, CompositionAfterAKernelIsAboveTheExactOne) {
  const double p = 0.75 * 0.875 + 0.25 * 0.125;  // truthful after both
  const int count = 12;
  const Pipeline composed = randomized_response(0.75) | binary_symmetric(0.125) | compose(count);
  for (const double epsilon : {0.0, 0.5, 2.0}) {
    double truth = 0.0;
    double ways = 1.0;
    for (int k = 0; k <= count; ++k) {
      const double there = std::pow(p, k) * std::pow(1.0 - p, count - k);
      const double back = std::pow(1.0 - p, k) * std::pow(p, count - k);
      truth += ways * std::max(0.0, there - std::exp(epsilon) * back);
      ways *= static_cast<double>(count - k) / (k + 1);
    }
    const Bracket found = composed.delta(Epsilon(epsilon));
    EXPECT_GE(found.upper(), truth * (1.0 - 1e-12));
    EXPECT_LE(found.upper(), truth * 1.02 + 1e-9);
    EXPECT_LE(found.lower(), truth * (1.0 + 1e-12));
  }
}

TEST(Kernel, ComparesPublishedRulesWithOurs) {
  const test::TemporaryFile file("channel.csv", "0.9,0.05,0.05\n0.1,0.8,0.1\n0.2,0.2,0.6\n");
  const auto compared = compare(language::parse("black_box(1, 1e-6) | kernel('" + file.path() + "')"));
  ASSERT_EQ(compared.size(), 8U);
  const auto upper = [&](std::size_t k) { return compared[k].pipeline->delta(Epsilon(0.4)).upper(); };
  for (std::size_t k = 1; k < compared.size(); ++k) EXPECT_LE(upper(0), upper(k)) << compared[k].analysis.name;
  // M5 <= M4 and M6 <= M3.
  EXPECT_LE(upper(4), upper(6));
  EXPECT_LE(upper(3), upper(5));
}

TEST(Kernel, Expressions) {
  const auto message = [](const char* text) { return test::message_of<InvalidArgument>([&] { (void)parse(text); }); };
  EXPECT_NE(message("dobrushin(0.5)").find("a stage needs a source"), std::string::npos);
  EXPECT_NE(message("dobrushin(0.5) | compose(3)").find("a stage needs a source"), std::string::npos);
  EXPECT_EQ(message("gaussian(1) | dobrushin(2)"), "dobrushin: gamma = 2, need 0 <= gamma <= 1");
  EXPECT_EQ(message("gaussian(1) | k_ary_response(4, 0.5, steps=0.5)"),
            "k_ary_response: steps = 0.5, need an integer, 1 <= steps <= 2^53");
  EXPECT_EQ(message("gaussian(1) | projected_gaussian(1, low=2)"),
            "projected_gaussian: high = 1, need low <= high < infinity");
  EXPECT_EQ(message("gaussian(1) | projected_gaussian(1, high=2, radius=1)"),
            "projected_gaussian: radius = 1, need no low, high, mean_low or mean_high beside it");
  EXPECT_EQ(parse("gaussian(1) | (dobrushin(0.5) | dobrushin(0.5))").delta(Epsilon(1.0)).upper(),
            parse("gaussian(1) | dobrushin(0.25)").delta(Epsilon(1.0)).upper());
  const Kernel both = evaluate_kernels(language::parse_kernels("k_ary_response(3, 0.5) | k_ary_response(3, 0.75)"));
  ASSERT_TRUE(both.finite);
  EXPECT_NEAR(dobrushin_gamma(both).upper(), 0.25 * 0.625, 1e-15);
}

// What is not attained must not be claimed from below.
TEST(Kernel, BoundsThatAreNotAttainedHaveNoLowerEnd) {
  const FiniteMechanism mechanism({{0.5, 0.25, 0.25}, {0.25, 0.5, 0.25}});
  const Kernel merging = kernel(FiniteKernel::dense(3, 2, {1.0, 0.0, 1.0, 0.0, 0.0, 1.0}), "merging");
  EXPECT_LT((finite(mechanism, "m") | merging).delta(Epsilon(0.0)).upper(), 1e-14);
  for (const Analysis& analysis : all_mixing_analyses({})) {
    const Pipeline after = finite(mechanism, "m") | mixing(merging, analysis.settings);
    EXPECT_EQ(after.delta(Epsilon(0.0)).lower(), 0.0) << analysis.name;
  }
}

TEST(Kernel, TinyEpsilonsAreAnswered) {
  const Pipeline after = gaussian({.sigma = 0.3}) | dobrushin(0.5);
  EXPECT_GT(after.delta(Epsilon(5e-324)).upper(), 0.45);
  EXPECT_GE(after.epsilon(Delta(after.delta(Epsilon(0.0)).lower())).upper(), 0.0);
  EXPECT_EQ((gaussian({.sigma = 1.0}) | doeblin(0.0) | compose(3)).epsilon(Delta(1e-3)).upper(), 0.0);
}

TEST(Kernel, ManyTinyFlipsAreCounted) {
  // lambda^r = (1 - 2e-17)^(2^53 - 1), about e^-0.18.
  const Kernel flips = binary_symmetric(1e-17, 0x1p53 - 1.0);
  EXPECT_NEAR(dobrushin_gamma(flips).upper(), std::exp(-0.18014398509481984), 1e-12);
}

// Where means lie outside the interval more noise may tell more: it is not solved for.
TEST(Kernel, NoiseIsSolvedForOnlyWhereItIsMonotone) {
  const auto open = [](const char* text) { return unknown_of(language::parse_with_hole(text)).parameter; };
  EXPECT_EQ(open("laplace(1) | projected_laplace(sigma=?)"), "sigma");
  EXPECT_EQ(open("laplace(1) | projected_laplace(sigma=?, mean_low=0, mean_high=1)"), "sigma");
  EXPECT_EQ(open("laplace(1) | projected_laplace(sigma=1, mean_low=2, mean_high=3, steps=?)"), "steps");
  EXPECT_THROW((void)open("laplace(1) | projected_laplace(sigma=?, mean_low=2, mean_high=3)"), InvalidArgument);
}

// A kernel of many states is known to compositions by a table. Randomised response fed to two states of it is one pair
// at every epsilon, so the composition is known exactly.
TEST(Kernel, CompositionThroughATableIsAboveTheExactOne) {
  const double k = 60.0;
  const double kept = 0.7;
  const Kernel response = kernel(finite_kernel({k, kept}), "response");
  ASSERT_TRUE(response.bound.profile.traits().costly);
  const int count = 4;
  const Pipeline composed = randomized_response(0.75) | response | compose(count);
  // Outputs: the first state, the second, any other (equally likely under both laws).
  const double other = (1.0 - kept) / (k - 1.0);
  const double likely = 0.75 * kept + 0.25 * other;
  const double unlikely = 0.25 * kept + 0.75 * other;
  const double neither = 1.0 - likely - unlikely;
  for (const double epsilon : {0.0, 0.5, 2.0}) {
    double truth = 0.0;
    for (int code = 0; code < 81; ++code) {
      double there = 1.0;
      double back = 1.0;
      for (int k3 = 0, rest = code; k3 < count; ++k3, rest /= 3) {
        there *= rest % 3 == 0 ? likely : rest % 3 == 1 ? unlikely : neither;
        back *= rest % 3 == 0 ? unlikely : rest % 3 == 1 ? likely : neither;
      }
      truth += std::max(0.0, there - std::exp(epsilon) * back);
    }
    const double upper = composed.delta(Epsilon(epsilon)).upper();
    EXPECT_GE(upper, truth * (1.0 - 1e-13)) << epsilon;
    EXPECT_LE(upper, truth * 1.02 + 1e-9) << epsilon;
  }
}

TEST(Kernel, ACoefficientThatIsUnknownIsSaid) {
  const auto compared = compare(language::parse("gaussian(1) | dobrushin(0.5)"));
  EXPECT_FALSE(compared[3].pipeline.has_value());
  EXPECT_NE(compared[3].reason.find("Doeblin"), std::string::npos);
}

// What a kernel is fed as one bit, twice, counted out.
TEST(Kernel, ReleasesThroughAKernelComposeToWhatABitAttains) {
  const double keep = 0.7;
  const double other = 0.1;
  const double right = 0.5 * std::erfc(-0.5 / std::sqrt(2.0));  // N(+-1/2, 1) on its side of 0
  const double law[] = {right * keep + (1 - right) * other, right * other + (1 - right) * keep, other, other};
  const double mirror[] = {law[1], law[0], other, other};
  const Pipeline twice = gaussian({.sigma = 1.0}) | k_ary_response({.k = 4, .p = keep}) | compose(2);
  for (const double epsilon : {0.0, 0.2, 0.5, 1.0}) {
    double truth = 0.0;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) truth += std::max(0.0, law[i] * law[j] - std::exp(epsilon) * mirror[i] * mirror[j]);
    const Bracket found = twice.delta(Epsilon(epsilon));
    EXPECT_LE(found.lower(), truth + 1e-12) << epsilon;
    EXPECT_GE(found.upper(), truth) << epsilon;
    EXPECT_GE(found.lower(), 0.9 * truth - 1e-6) << epsilon;
  }
}

}  // namespace
}  // namespace doeblin::pipeline
