// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/descent_plan.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/iteration/noisy_sgd.hpp"
#include "doeblin/training/certified_run.hpp"
#include "support/generators.hpp"

namespace doeblin::training {
namespace {

using pipeline::NoiseLaw;
using pipeline::RecordSequence;
using pipeline::RunOutput;

DescentRequest small_request() {
  DescentRequest request;
  request.domain = {DomainKind::kBall, 5.0};
  request.bounds = {1.0, 1.0};
  request.dimension = 10;
  request.records = 1000;
  request.batch = 20;
  request.epochs = 5;
  request.regularisation = 0.01;
  request.learning_rate = 0.5;
  return request;
}

TEST(DescentPlan, DerivesItsConstants) {
  const DescentPlan plan = plan_descent(small_request(), 0.1);
  EXPECT_GE(plan.privacy.lipschitz, 1.0 / (1.0 + std::exp(-5.0)));
  EXPECT_LE(plan.privacy.lipschitz, 1.0 / (1.0 + std::exp(-5.0)) + 1e-6);
  EXPECT_GE(plan.privacy.smoothness, 0.26);
  EXPECT_NEAR(plan.privacy.smoothness, 0.26, 1e-12);
  EXPECT_EQ(plan.privacy.strong_convexity, 0.01);
  EXPECT_EQ(plan.privacy.diameter, 10.0);
  EXPECT_EQ(plan.privacy.dimension, 10.0);
  EXPECT_EQ(plan.privacy.relation, Relation::kSubstitute);
  EXPECT_EQ(plan.privacy.sigma, 0.1);
}

// What is drawn is at least what the guarantee counts: s^2 - 100 h^2 >= (eta sigma)^2 (D6).
RC_GTEST_PROP(DescentPlanProperty, DrawsAtLeastTheNoiseItClaims, ()) {
  DescentRequest request = small_request();
  request.domain.size = test::log_uniform(1e-2, 1e3);
  request.learning_rate = test::log_uniform(1e-3, 5.0);
  const double sigma = test::log_uniform(1e-3, 1e3);
  request.noise = *rc::gen::arbitrary<bool>() ? NoiseLaw::kGaussian : NoiseLaw::kLaplace;
  if (request.noise == NoiseLaw::kLaplace) request.dimension = 1;
  const DescentPlan plan = plan_descent(request, sigma);
  __extension__ typedef __float128 Exact;
  const Exact h = std::ldexp(1.0, plan.grid.exponent);
  const Exact claimed = Exact(plan.privacy.learning_rate) * plan.privacy.sigma;
  const Exact drawn = Exact(plan.grid.noise) * h;
  RC_ASSERT(drawn >= claimed);
  if (request.noise == NoiseLaw::kGaussian) RC_ASSERT(drawn * drawn - 100 * h * h >= claimed * claimed);
  RC_ASSERT(static_cast<double>(drawn / claimed) < 1.0 + 1e-9);
  // Points and noise are whole numbers of steps that doubles hold.
  RC_ASSERT(plan.grid.reach * std::ldexp(1.0, -plan.grid.exponent) <= 0x1p51);
  RC_ASSERT(plan.grid.noise >= 0x1p20 && plan.grid.noise <= 0x1p48);
  RC_ASSERT(plan.grid.reach >= plan.privacy.learning_rate * plan.privacy.lipschitz + request.domain.size);
  RC_ASSERT(rounding_of(plan) <= plan.privacy.rounding);
}

TEST(DescentPlan, MeetsItsTarget) {
  for (const auto order : {RecordSequence::kFixed, RecordSequence::kPermuted}) {
    DescentRequest request = small_request();
    request.order = order;
    const DescentPlan plan = calibrated_descent(request, {1.0, 1e-6});
    const pipeline::Pipeline guarantee = certified_run(plan);
    EXPECT_LE(guarantee.delta(Epsilon(1.0)).upper(), 1e-6);
    // And with no more noise than needed.
    pipeline::NoisySgd less = plan.privacy;
    less.sigma *= 0.999;
    EXPECT_GT(pipeline::noisy_sgd(less).delta(Epsilon(1.0)).upper(), 1e-6);
    EXPECT_GT(plan.privacy.rounding, 0.0);
  }
}

TEST(DescentPlan, ChoosesALearningRateFromPublicNumbers) {
  DescentRequest request = small_request();
  request.learning_rate = 0.0;
  const DescentPlan plan = calibrated_descent(request, {1.0, 1e-6});
  EXPECT_GT(plan.privacy.learning_rate, 0.0);
  EXPECT_LE(plan.privacy.learning_rate, 2.0 / (plan.constants.smoothness + 0.02));
  EXPECT_LE(certified_run(plan).delta(Epsilon(1.0)).upper(), 1e-6);
  EXPECT_EQ(plan_descent(request, 0.3).privacy.learning_rate, standard_learning_rate(request, 0.3));
  EXPECT_LT(standard_learning_rate(request, 10.0), standard_learning_rate(request, 0.1));
}

// Several vectors with the same batches are one run: sqrt(k) times the gradient, the diameter and the rounding.
TEST(DescentPlan, TasksAreOneRunInMoreDimensions) {
  DescentRequest request = small_request();
  const DescentPlan one = plan_descent(request, 0.1);
  request.tasks = 4.0;
  const DescentPlan four = plan_descent(request, 0.1);
  EXPECT_GE(four.privacy.lipschitz, 2.0 * one.privacy.lipschitz);
  EXPECT_NEAR(four.privacy.lipschitz, 2.0 * one.privacy.lipschitz, 1e-12);
  EXPECT_GE(four.privacy.diameter, 20.0);
  EXPECT_NEAR(four.privacy.diameter, 20.0, 1e-12);
  EXPECT_EQ(four.privacy.dimension, 40.0);
  EXPECT_EQ(four.privacy.tasks, 1.0);
  EXPECT_NEAR(rounding_of(four), 2.0 * rounding_of(one), 1e-6 * rounding_of(one));
  // By shifting that is the composition of the four (I13).
  const auto delta = [](pipeline::NoisySgd run, double tasks) {
    run.tasks = tasks;
    run.rounding = 0.0;
    run.analysis = RunAnalysis::kShift;
    run.diameter = rounding::kInfinity;
    return pipeline::noisy_sgd(run).delta(Epsilon(1.0)).upper();
  };
  EXPECT_NEAR(delta(four.privacy, 1.0), delta(one.privacy, 4.0), 1e-9 * delta(one.privacy, 4.0));
  for (const double bad : {0.0, 1.5, -1.0, std::nan("")}) {
    request.tasks = bad;
    EXPECT_THROW(static_cast<void>(plan_descent(request, 0.1)), InvalidArgument);
  }
}

TEST(DescentPlan, PoissonBatchesAreAboutLeavingARecordOut) {
  DescentRequest request = small_request();
  request.order = RecordSequence::kPoisson;
  EXPECT_EQ(plan_descent(request, 0.1).privacy.relation, Relation::kZeroOut);
  request.relation = Relation::kAddRemove;
  EXPECT_THROW(static_cast<void>(plan_descent(request, 0.1)), InvalidArgument);
}

TEST(DescentPlan, RefusesWhatMakesNoSense) {
  const auto refused = [](auto&& change, double sigma = 0.1) {
    DescentRequest request = small_request();
    change(request);
    EXPECT_THROW(static_cast<void>(plan_descent(request, sigma)), InvalidArgument);
  };
  refused([](DescentRequest& r) { r.noise = NoiseLaw::kLaplace; });
  refused([](DescentRequest& r) { r.regularisation = -1.0; });
  refused([](DescentRequest& r) { r.regularisation = std::nan(""); });
  refused([](DescentRequest& r) { r.learning_rate = -1.0; });
  refused([](DescentRequest& r) { r.learning_rate = INFINITY; });
  refused([](DescentRequest& r) { r.batch = 0.0; });
  refused([](DescentRequest& r) { r.batch = 1001.0; });
  refused([](DescentRequest& r) { r.epochs = 0.0; });
  refused([](DescentRequest& r) { r.domain.size = INFINITY; });
  refused([](DescentRequest& r) { r.public_tail = 1000.0; });
  refused([](DescentRequest& r) { r.output = RunOutput::kSkip; });
  refused([](DescentRequest&) {}, 0.0);
  refused([](DescentRequest&) {}, std::nan(""));
  refused([](DescentRequest&) {}, INFINITY);
  // So little noise that doubles would be too coarse.
  refused([](DescentRequest&) {}, 1e-12);
  refused([](DescentRequest& r) { r.domain.size = 1e12; });
}

// The error budget of docs/guides/training.md, written out for one plan of each kind.
TEST(DescentPlan, AddsUpItsErrors) {
  for (const bool is_poisson : {false, true}) {
    DescentRequest request = small_request();
    if (is_poisson) request.order = RecordSequence::kPoisson;
    const DescentPlan plan = plan_descent(request, 0.1);
    const double u = 0x1p-53, h = std::ldexp(1.0, plan.grid.exponent), d = 10.0, radius = 5.0, eta = 0.5, b = 20.0;
    const double share = is_poisson ? 1000.0 / b : 1.0, in_shard = is_poisson ? 1000.0 / 16.0 + 1.0 : b / 16.0 + 2.0;
    const double slope = 0.25 * (d / 16.0 + 8.0) * u * radius + 0x1p-48 * plan.constants.slope;
    const double gradient = share * (slope + (in_shard + 8.0) * u * plan.constants.lipschitz);
    const double error = eta * gradient + 8.0 * u * (radius + eta * (share * plan.constants.lipschitz + 0.01 * radius));
    const double projection = (1.0 + (is_poisson ? eta * share * 0.26 : 0.0)) * (d + 8.0) * u * radius;
    const double needed =
        (2.0 * (error + std::sqrt(d) * h / 2.0 + projection) + (std::sqrt(d) + 2.0) * h) / (eta * 0.1);
    EXPECT_GE(rounding_of(plan), needed);
    EXPECT_LE(rounding_of(plan), needed * (1.0 + 1e-5));
  }
}

}  // namespace
}  // namespace doeblin::training
