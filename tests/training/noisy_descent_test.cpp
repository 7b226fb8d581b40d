// SPDX-License-Identifier: Apache-2.0
// The law of what a run releases, against closed forms: with squared losses, and with Huber's loss far from its minimum
// (a linear loss), a step is an affine map, and the released state is a mixture of normal laws whose parts are known.
#include "doeblin/training/noisy_descent.hpp"

#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/records.hpp"
#include "support/statistics.hpp"

namespace doeblin::training {
namespace {

using pipeline::NoiseLaw;
using pipeline::RecordSequence;
using pipeline::RunOutput;

constexpr std::size_t kRuns = 20'000;

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

struct Part {
  double weight, mean, variance;
};
using Mixture = std::vector<Part>;

double below(const Mixture& mixture, double x) {
  double sum = 0.0;
  for (const Part& part : mixture) sum += part.weight * normal_cdf((x - part.mean) / std::sqrt(part.variance));
  return sum;
}

DescentRequest request_for(const std::vector<test::Example>& examples, double batch, double epochs) {
  DescentRequest request;
  request.loss = {loss_named("squared"), 1.0};
  request.domain = {DomainKind::kBall, 1e3};
  request.bounds = {1.0, 5.0};
  request.dimension = examples[0].features.size();
  request.records = static_cast<double>(examples.size());
  request.learning_rate = 0.4;
  request.regularisation = 0.25;
  request.batch = batch;
  request.epochs = epochs;
  return request;
}

std::vector<double> released(const DescentPlan& plan, const Records& records, std::uint64_t seed) {
  NoisyDescent descent(plan, records, std::nullopt, fresh_keys(sampling::RandomSource::insecure(20261116), seed));
  // In pieces, and through a state, now and then.
  descent.advance(seed % 3);
  if (seed % 4 == 0 && !descent.is_finished()) {
    const DescentKeys keys = fresh_keys(sampling::RandomSource::insecure(7), seed);
    NoisyDescent again(plan, records, std::nullopt, keys, descent.state());
    again.advance(descent.steps());
    return again.released();
  }
  descent.advance(descent.steps());
  return descent.released();
}

const std::vector<test::Example> kOnTheLine{{{1.0}, 5.0}, {{-0.5}, 3.0}, {{0.25}, -4.0}, {{0.75}, 1.0}};

// One step on the line, from N(mean, variance): w <- w - eta (sum x (x w - y)/b + rho w) + noise.
Part stepped(const DescentPlan& plan, const Part& from, const std::vector<std::size_t>& batch) {
  const double eta = plan.privacy.learning_rate;
  double slope = plan.request.regularisation, shift = 0.0;
  for (const std::size_t i : batch) {
    const double x = kOnTheLine[i].features[0];
    slope += x * x / plan.privacy.batch;
    shift += x * kOnTheLine[i].label / plan.privacy.batch;
  }
  const double factor = 1.0 - eta * slope;
  const double noise = eta * plan.privacy.sigma;
  return {from.weight, factor * from.mean + eta * shift, factor * factor * from.variance + noise * noise};
}

std::vector<std::size_t> batch_of(const std::vector<std::size_t>& order, std::size_t step, std::size_t size) {
  std::vector<std::size_t> batch;
  for (std::size_t k = 0; k < size; ++k) batch.push_back(order[(step * size + k) % order.size()]);
  return batch;
}

Part after(const DescentPlan& plan, const std::vector<std::size_t>& order, std::size_t first, std::size_t last) {
  Part part{1.0, 0.0, 0.0};
  for (std::size_t step = first; step < last; ++step)
    part = stepped(plan, part, batch_of(order, step, static_cast<std::size_t>(plan.privacy.batch)));
  return part;
}

Mixture law_of(const DescentPlan& plan) {
  std::vector<std::size_t> order(kOnTheLine.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t steps = plan.privacy.steps();
  Mixture mixture;
  if (plan.privacy.order == RecordSequence::kPermuted) {
    do mixture.push_back(after(plan, order, 0, steps));
    while (std::next_permutation(order.begin(), order.end()));
  } else if (plan.privacy.order == RecordSequence::kPoisson) {
    mixture = {{1.0, 0.0, 0.0}};
    const double rate = plan.privacy.batch / plan.privacy.n;
    for (std::size_t step = 0; step < steps; ++step) {
      Mixture next;
      for (const Part& part : mixture)
        for (unsigned subset = 0; subset < 1U << order.size(); ++subset) {
          std::vector<std::size_t> batch;
          for (const std::size_t i : order)
            if ((subset >> i & 1U) != 0) batch.push_back(i);
          Part one = stepped(plan, part, batch);
          const auto taken = static_cast<double>(batch.size());
          one.weight *= std::pow(rate, taken) * std::pow(1.0 - rate, static_cast<double>(order.size()) - taken);
          next.push_back(one);
        }
      mixture = next;
    }
  } else if (plan.privacy.output == RunOutput::kUniformStop) {
    for (std::size_t last = 1; last <= steps; ++last) mixture.push_back(after(plan, order, 0, last));
  } else if (plan.privacy.output == RunOutput::kSkip) {
    for (std::size_t first = 0; first <= steps / 2; ++first) mixture.push_back(after(plan, order, first, steps));
  } else {
    mixture.push_back(after(plan, order, 0, steps));
  }
  if (plan.privacy.order != RecordSequence::kPoisson)
    for (Part& part : mixture) part.weight = 1.0 / static_cast<double>(mixture.size());
  return mixture;
}

struct Variant {
  const char* name;
  RecordSequence order;
  RunOutput output;
  double batch, epochs;
};

class Law : public testing::TestWithParam<Variant> {};

TEST_P(Law, IsTheClosedForm) {
  const Variant& variant = GetParam();
  DescentRequest request = request_for(kOnTheLine, variant.batch, variant.epochs);
  request.order = variant.order;
  request.output = variant.output;
  const DescentPlan plan = plan_descent(request, 0.6);
  const Records records = test::records_of(kOnTheLine);
  std::vector<double> sample;
  for (std::size_t run = 0; run < kRuns; ++run) sample.push_back(released(plan, records, run)[0]);
  const Mixture mixture = law_of(plan);
  EXPECT_GT(test::kolmogorov_chance(sample, [&](double x) { return below(mixture, x); }), test::kLeastChance);
  // Where nothing else is random, the variance of the sample is within 1% of the noise's: five times that is allowed.
  if (mixture.size() > 1) return;
  double square = 0.0;
  for (const double x : sample) square += (x - mixture[0].mean) * (x - mixture[0].mean);
  EXPECT_NEAR(square / static_cast<double>(kRuns) / mixture[0].variance, 1.0, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Runs, Law,
                         testing::Values(Variant{"plain", RecordSequence::kFixed, RunOutput::kLast, 1, 1},
                                         Variant{"epochs", RecordSequence::kFixed, RunOutput::kLast, 1, 3},
                                         Variant{"batches", RecordSequence::kFixed, RunOutput::kLast, 2, 2},
                                         Variant{"uneven", RecordSequence::kFixed, RunOutput::kLast, 3, 2},
                                         Variant{"stop", RecordSequence::kFixed, RunOutput::kUniformStop, 1, 1},
                                         Variant{"skip", RecordSequence::kFixed, RunOutput::kSkip, 1, 1},
                                         Variant{"permuted", RecordSequence::kPermuted, RunOutput::kLast, 1, 2},
                                         Variant{"poisson", RecordSequence::kPoisson, RunOutput::kLast, 2, 1}),
                         [](const auto& variant) { return std::string(variant.param.name); });

// In the plane, with a full covariance: whitened, both coordinates are standard normal and independent.
TEST(NoisyDescent, MeanAndCovarianceAreTheClosedForm) {
  const std::vector<test::Example> examples{{{0.8, 0.6}, 2.0}, {{-0.6, 0.3}, -1.0}, {{0.1, -0.9}, 3.0}};
  DescentRequest request = request_for(examples, 1, 2);
  const DescentPlan plan = plan_descent(request, 0.5);
  double m[2] = {0, 0}, c[2][2] = {{0, 0}, {0, 0}};
  const double eta = plan.privacy.learning_rate, noise = eta * plan.privacy.sigma;
  for (std::size_t step = 0; step < 6; ++step) {
    const test::Example& one = examples[step % 3];
    double a[2][2], n[2] = {0, 0}, t[2][2] = {{0, 0}, {0, 0}}, k[2][2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        a[i][j] = (i == j ? 1.0 - eta * request.regularisation : 0.0) -
                  eta * one.features[static_cast<std::size_t>(i)] * one.features[static_cast<std::size_t>(j)];
    for (int i = 0; i < 2; ++i) {
      n[i] = a[i][0] * m[0] + a[i][1] * m[1] + eta * one.label * one.features[static_cast<std::size_t>(i)];
      for (int j = 0; j < 2; ++j) t[i][j] = a[i][0] * c[0][j] + a[i][1] * c[1][j];
    }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) k[i][j] = t[i][0] * a[j][0] + t[i][1] * a[j][1] + (i == j ? noise * noise : 0.0);
    std::copy(&n[0], &n[0] + 2, &m[0]);
    std::copy(&k[0][0], &k[0][0] + 4, &c[0][0]);
  }
  const double l00 = std::sqrt(c[0][0]), l10 = c[1][0] / l00, l11 = std::sqrt(c[1][1] - l10 * l10);
  const Records records = test::records_of(examples);
  std::vector<double> first, second, sum, square;
  for (std::size_t run = 0; run < kRuns; ++run) {
    const std::vector<double> w = released(plan, records, run);
    first.push_back((w[0] - m[0]) / l00);
    second.push_back((w[1] - m[1] - l10 * first.back()) / l11);
    sum.push_back((first.back() + second.back()) / std::sqrt(2.0));
    square.push_back(first.back() * first.back() + second.back() * second.back());
  }
  for (const auto* sample : {&first, &second, &sum})
    EXPECT_GT(test::kolmogorov_chance(*sample, normal_cdf), test::kLeastChance);
  EXPECT_GT(test::kolmogorov_chance(square, [](double x) { return x <= 0.0 ? 0.0 : -std::expm1(-x / 2.0); }),
            test::kLeastChance);
}

// A linear loss: gradients of length 1, whatever the state is.
TEST(NoisyDescent, LinearLossesDriftAndDiffuse) {
  const std::vector<test::Example> examples{{{1.0}, 1e6}, {{1.0}, 1e6}, {{-1.0}, 1e6}};
  DescentRequest request = request_for(examples, 1, 4);
  request.loss = {loss_named("huber"), 1.0};
  request.bounds = {1.0, 1e6};
  request.regularisation = 0.0;
  const DescentPlan plan = plan_descent(request, 2.0);
  const Records records = test::records_of(examples);
  std::vector<double> sample;
  for (std::size_t run = 0; run < kRuns; ++run) sample.push_back(released(plan, records, run)[0]);
  // 12 steps of +0.4, +0.4, -0.4 and noise of 0.8 each.
  const auto truth = [](double x) { return normal_cdf((x - 1.6) / (0.8 * std::sqrt(12.0))); };
  EXPECT_GT(test::kolmogorov_chance(sample, truth), test::kLeastChance);
}

TEST(NoisyDescent, LaplaceNoiseHasItsLaw) {
  const std::vector<test::Example> examples{{{1.0}, 1e6}};
  DescentRequest request = request_for(examples, 1, 1);
  request.loss = {loss_named("huber"), 1.0};
  request.bounds = {1.0, 1e6};
  request.regularisation = 0.0;
  request.noise = NoiseLaw::kLaplace;
  const DescentPlan plan = plan_descent(request, 2.0);
  const Records records = test::records_of(examples);
  std::vector<double> sample;
  for (std::size_t run = 0; run < kRuns; ++run) sample.push_back(released(plan, records, run)[0]);
  const auto truth = [](double x) {
    const double z = (x - 0.4) / 0.8;
    return z < 0.0 ? 0.5 * std::exp(z) : 1.0 - 0.5 * std::exp(-z);
  };
  EXPECT_GT(test::kolmogorov_chance(sample, truth), test::kLeastChance);
}

TEST(NoisyDescent, StaysInItsDomainAndComesToTheMinimum) {
  const auto examples = test::random_examples(400, 5, 9);
  for (const DomainKind kind : {DomainKind::kBall, DomainKind::kBox, DomainKind::kSimplex, DomainKind::kL1Ball}) {
    DescentRequest request = request_for(examples, 40, 30);
    request.loss = {};
    request.bounds = {1.0, 1.0};
    request.domain = {kind, 2.0};
    const DescentPlan plan = plan_descent(request, 1e-3);
    const std::vector<double> w = released(plan, test::records_of(examples), 1);
    std::vector<double> projected = w;
    request.domain.project(projected);
    for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(projected[j], w[j], 1e-12);
    // At the minimum the projected gradient step goes nowhere, but for the noise and the batches.
    std::vector<double> gradient(5, 0.0);
    for (const test::Example& one : examples) {
      const double slope =
          request.loss.derivative(std::inner_product(w.begin(), w.end(), one.features.begin(), 0.0), one.label);
      for (std::size_t j = 0; j < 5; ++j) gradient[j] += slope * one.features[j] / 400.0;
    }
    std::vector<double> next(5);
    for (std::size_t j = 0; j < 5; ++j) next[j] = w[j] - gradient[j] - request.regularisation * w[j];
    request.domain.project(next);
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(next[j], w[j], 0.05) << name(kind);
  }
}

TEST(NoisyDescent, NeverDrawsTheSameNoiseTwice) {
  const Records records = test::records_of(kOnTheLine);
  const DescentPlan plan = plan_descent(request_for(kOnTheLine, 1, 1), 0.6);
  const auto secure = sampling::RandomSource::secure();
  NoisyDescent descent(plan, records, std::nullopt, fresh_keys(secure, 0));
  descent.advance(2);
  const DescentState state = descent.state();
  NoisyDescent one(plan, records, std::nullopt, fresh_keys(secure, 2), state);
  NoisyDescent two(plan, records, std::nullopt, fresh_keys(secure, 2), state);
  one.advance(10), two.advance(10), descent.advance(10);
  EXPECT_NE(one.released(), two.released());
  EXPECT_NE(one.released(), descent.released());
  // Under a seed starts at other places have other noise.
  const auto seeded = sampling::RandomSource::insecure(5);
  EXPECT_NE(fresh_keys(seeded, 0).noise, fresh_keys(seeded, 1).noise);
  EXPECT_EQ(fresh_keys(seeded, 3).noise, fresh_keys(seeded, 3).noise);
  EXPECT_NE(fresh_keys(seeded, 0).noise, fresh_keys(seeded, 0).order);
}

TEST(NoisyDescent, ReleasesNothingBeforeTheEnd) {
  const Records records = test::records_of(kOnTheLine);
  const DescentPlan plan = plan_descent(request_for(kOnTheLine, 1, 1), 0.6);
  NoisyDescent descent(plan, records, std::nullopt, fresh_keys(sampling::RandomSource::secure(), 0));
  descent.advance(3);
  EXPECT_THROW(static_cast<void>(descent.released()), InternalError);
  descent.advance(100);
  EXPECT_EQ(descent.done(), 4u);
  EXPECT_NO_THROW(static_cast<void>(descent.released()));
}

TEST(NoisyDescent, RefusesOtherRecordsThanPlanned) {
  const DescentPlan plan = plan_descent(request_for(kOnTheLine, 1, 1), 0.6);
  const auto keys = fresh_keys(sampling::RandomSource::secure(), 0);
  EXPECT_THROW(NoisyDescent(plan, test::records_of({kOnTheLine[0]}), std::nullopt, keys), InternalError);
  EXPECT_THROW(NoisyDescent(plan, test::sparse_records_of(kOnTheLine), std::nullopt, keys), InternalError);
}

// A checkpoint's size must not tell whether the random moment is over.
TEST(NoisyDescent, StatesOfRandomStopsHaveOneSize) {
  DescentRequest request = request_for(kOnTheLine, 1, 1);
  request.output = RunOutput::kUniformStop;
  const DescentPlan plan = plan_descent(request, 0.6);
  const Records records = test::records_of(kOnTheLine);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    NoisyDescent descent(plan, records, std::nullopt, fresh_keys(sampling::RandomSource::insecure(seed), 0));
    for (; !descent.is_finished(); descent.advance(1)) EXPECT_EQ(descent.state().chosen.size(), 1u);
  }
}

}  // namespace
}  // namespace doeblin::training
