// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/mechanism.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/audit/verdict.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::audit {
namespace {

using sampling::RandomSource;

struct Case {
  const char* expression;
  double delta;
  /// The share of the true epsilon that must be certified.
  double share;
  std::uint64_t runs = 1'000'000;
};

// Test names must not show addresses, which differ from run to run.
void PrintTo(const Case& one, std::ostream* out) { *out << one.expression; }

AuditResult audited(const Case& one, double noise_factor = 1.0, std::uint64_t seed = 1) {
  const MechanismOptions options{
      .source = RandomSource::insecure(seed), .noise_factor = noise_factor, .delta = one.delta};
  const Subject subject = mechanism_subject(language::parse(one.expression), options);
  return *audit(subject, {.runs = one.runs, .delta = one.delta});
}

Bracket truth_of(const Case& one) {
  const pipeline::Pipeline pipeline = pipeline::parse(one.expression);
  return one.delta > 0.0 ? pipeline.epsilon(Delta(one.delta)) : pipeline.rdp(Alpha(rounding::kInfinity));
}

class Mechanisms : public ::testing::TestWithParam<Case> {};

TEST_P(Mechanisms, AreAuditedFromBelowAndClosely) {
  const Case& one = GetParam();
  const AuditResult result = audited(one);
  const Bracket truth = truth_of(one);
  EXPECT_LE(result.epsilon_lower, truth.upper());
  EXPECT_GE(result.epsilon_lower, one.share * truth.lower());
}

INSTANTIATE_TEST_SUITE_P(
    All, Mechanisms,
    ::testing::Values(
        Case{"laplace(scale=1)", 0.0, 0.95}, Case{"laplace(scale=0.5, sensitivity=2)", 0.0, 0.8},
        Case{"gaussian(sigma=1)", 1e-2, 0.85}, Case{"gaussian(sigma=3, sensitivity=2)", 1e-2, 0.8},
        Case{"randomized_response(p=0.75)", 0.0, 0.95}, Case{"randomized_response(p=0.25)", 0.0, 0.95},
        Case{"discrete_gaussian(sigma=2, sensitivity=2)", 1e-2, 0.8}, Case{"discrete_laplace(scale=2)", 0.0, 0.9},
        Case{"twice_laplace(scale1=1, scale2=1)", 1e-2, 0.8}, Case{"brownian(time=0.5)", 1e-2, 0.85},
        Case{"ornstein_uhlenbeck(theta=0.5, rho=1, time=1)", 1e-2, 0.8},
        Case{"noisy_iteration(steps=5, sigma=1, sensitivity=3, lipschitz=0.8)", 1e-2, 0.8},
        Case{"noisy_iteration(steps=5, sigma=1, sensitivity=1, affected='1,4')", 1e-2, 0.8},
        Case{"noisy_sgd(n=8, learning_rate=0.5, sigma=2, lipschitz=2, smoothness=2) | person(1)", 1e-2, 0.8},
        Case{"noisy_sgd(n=10, learning_rate=0.5, sigma=2, lipschitz=2, smoothness=1, strong_convexity=0.2, batch=2, "
             "epochs=2)",
             1e-2, 0.8},
        Case{"gaussian(sigma=2) | compose(4)", 1e-2, 0.8}, Case{"gaussian(sigma=2) + gaussian(sigma=1)", 1e-2, 0.8},
        Case{"gaussian(sigma=0.5) | poisson(rate=0.3)", 1e-2, 0.8},
        Case{"randomized_response(p=0.75) | compose(3)", 1e-2, 0.8}));

// Noise that is too small by a fifth.
class Broken : public ::testing::TestWithParam<Case> {};

TEST_P(Broken, IsCaught) {
  const Case& one = GetParam();
  const Claim claim{truth_of(one).upper(), one.delta};
  EXPECT_EQ(verdict_of(audited(one), claim), Verdict::kConsistent);
  EXPECT_EQ(verdict_of(audited(one, 0.8), claim), Verdict::kViolated);
  // More noise than promised is no offence.
  EXPECT_EQ(verdict_of(audited(one, 1.2), claim), Verdict::kConsistent);
}

INSTANTIATE_TEST_SUITE_P(
    All, Broken,
    ::testing::Values(Case{"laplace(scale=1)", 0.0, 0.0}, Case{"gaussian(sigma=1)", 1e-2, 0.0},
                      Case{"randomized_response(p=0.75)", 0.0, 0.0}, Case{"randomized_response(p=0.25)", 0.0, 0.0},
                      Case{"discrete_gaussian(sigma=4, sensitivity=3)", 1e-2, 0.0},
                      Case{"discrete_laplace(scale=2)", 0.0, 0.0}, Case{"brownian(time=0.5)", 1e-2, 0.0},
                      Case{"noisy_iteration(steps=5, sigma=1, sensitivity=3, lipschitz=0.8)", 1e-2, 0.0},
                      Case{"noisy_sgd(n=8, learning_rate=0.5, sigma=2, lipschitz=2, "
                           "smoothness=2) | person(1)",
                           1e-2, 0.0}));

TEST(Mechanism, TheGaussianLevelReachesAnyDelta) {
  const Case one{"gaussian(sigma=1)", 1e-5, 0.0};
  const Subject subject = mechanism_subject(language::parse(one.expression), {.source = RandomSource::insecure(1)});
  const auto result = audit(subject, {.runs = one.runs, .delta = one.delta, .is_gaussian = true});
  EXPECT_LE(result->mu_lower, 1.0);
  EXPECT_GE(result->mu_lower, 1.0 - 20.0 / std::sqrt(250000.0));
  EXPECT_GE(gaussian_epsilon_lower(result->mu_lower, one.delta), 0.9 * truth_of(one).lower());
}

// The projection onto an interval only helps.
TEST(Mechanism, BoundedRunsStayBelowTheirGuarantee) {
  for (const char* expression :
       {"noisy_iteration(steps=6, sigma=1, sensitivity=2, lipschitz=1, diameter=2, affected='1,4')",
        "noisy_sgd(n=6, learning_rate=0.5, sigma=2, lipschitz=3, smoothness=2, diameter=2)",
        "noisy_sgd(n=6, learning_rate=0.5, sigma=1, lipschitz=2, smoothness=2, diameter=1, noise='laplace') | "
        "person(5)",
        "noisy_sgd(n=6, learning_rate=0.5, sigma=2, lipschitz=3, smoothness=2, relation='zero_out', public_tail=2)"}) {
    const Case one{expression, 1e-2, 0.0, 200'000};
    const AuditResult result = audited(one);
    EXPECT_LE(result.epsilon_lower, truth_of(one).upper()) << expression;
    EXPECT_GT(result.epsilon_lower, 0.0) << expression;
  }
}

TEST(Mechanism, AMatrixIsAuditedAtItsWorstPair) {
  const test::TemporaryFile file("rows.csv", "0.5,0.3,0.2\n0.4,0.4,0.2\n0.05,0.15,0.8\n");
  const std::string expression = "finite('" + file.path() + "')";
  for (const double delta : {0.0, 0.01}) {
    const Case one{expression.c_str(), delta, 0.0, 400'000};
    const AuditResult result = audited(one);
    EXPECT_LE(result.epsilon_lower, truth_of(one).upper());
    EXPECT_GE(result.epsilon_lower, 0.9 * truth_of(one).lower());
  }
  EXPECT_THROW(static_cast<void>(audited({expression.c_str(), 0.01, 0.0}, 0.8)), InvalidArgument);
}

// The audit never knows more than the truth, whatever the seed: with failure 0.001 none of these should.
TEST(Mechanism, NoSeedExceedsTheTruth) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Case one{"laplace(scale=1)", 0.0, 0.0, 20'000};
    EXPECT_LE(audited(one, 1.0, seed).epsilon_lower, 1.0) << seed;
  }
}

TEST(Mechanism, ASeedRepeatsAnAudit) {
  const Case one{"gaussian(sigma=2) | compose(3)", 1e-2, 0.0, 20'000};
  EXPECT_EQ(audited(one, 1.0, 5).black_box.event, audited(one, 1.0, 5).black_box.event);
  EXPECT_EQ(audited(one, 1.0, 5).black_box.counts, audited(one, 1.0, 5).black_box.counts);
  EXPECT_FALSE(audited(one, 1.0, 5).black_box.counts == audited(one, 1.0, 6).black_box.counts);
}

TEST(Mechanism, WhatCannotBeRunGetsOneLine) {
  const auto refusal = [](const std::string& expression, double factor = 1.0) {
    return test::message_of<InvalidArgument>(
        [&] { static_cast<void>(mechanism_subject(language::parse(expression), {.noise_factor = factor})); });
  };
  EXPECT_NE(refusal("black_box(1, 1e-6)").find("audit = 'black_box', need a mechanism that can be run"),
            std::string::npos);
  EXPECT_EQ(refusal("gaussian(sigma=1) | group(2)"),
            "audit = 'group', need a stage that can be run: person, compose, poisson");
  EXPECT_EQ(refusal("gaussian(sigma=1) | compose(2000)"), "outputs of one run = 2000, need at most 1000 numbers");
  EXPECT_EQ(refusal("gaussian(sigma=1) | poisson(rate=0.5, relation='substitute')"),
            "relation = 'substitute', need 'add_remove', to be run");
  EXPECT_EQ(refusal("noisy_sgd(n=4, learning_rate=1, sigma=1, lipschitz=1, smoothness=1, order='permuted')"),
            "order = 'permuted', need 'fixed', to be run");
  EXPECT_EQ(refusal("noisy_sgd(n=4, learning_rate=1, sigma=1, lipschitz=1, smoothness=1, output='skip')"),
            "output = 'skip', need 'last', to be run");
  EXPECT_EQ(refusal("noisy_sgd(n=4, learning_rate=1, sigma=1, lipschitz=1, smoothness=1, checkpoints='2')"),
            "checkpoints = '2', need none, to be run");
  EXPECT_EQ(refusal("noisy_sgd(n=4, learning_rate=1, sigma=1, lipschitz=1, smoothness=1, tasks=2)"),
            "tasks = 2, need 1, to be run");
  EXPECT_EQ(refusal("gaussian(sigma=1) | person(1)"), "person = after 'gaussian', need noisy_sgd before it");
  EXPECT_EQ(refusal("gaussian(sigma=1)", 0.0), "noise_factor = 0, need 0 < factor <= 1e6");
  EXPECT_EQ(refusal("randomized_response(p=0.75)", 8.0),
            "noise_factor = 8, need a chance of at most 1 for a false answer");
}

}  // namespace
}  // namespace doeblin::audit
