// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/noisy_sgd.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/numerics/theta.hpp"
#include "doeblin/pipeline/comparison.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::pipeline {
namespace {

using test::message_of;

// Figures 2 and 3 of the contraction paper; in the second smoothness is corrected from 0.3 to 0.5.
NoisySgd figure2() {
  return {.n = 40, .learning_rate = 0.5, .sigma = 2, .lipschitz = 1, .smoothness = 0.5, .diameter = 1};
}
NoisySgd figure3() {
  return {.n = 40,
          .learning_rate = 0.7,
          .sigma = 1,
          .lipschitz = 1,
          .smoothness = 0.5,
          .strong_convexity = 0.4,
          .diameter = 1};
}

double person_epsilon(NoisySgd run, double i, RunAnalysis analysis) {
  run.analysis = analysis;
  return (noisy_sgd(run) | person(i)).epsilon(Delta(1e-5)).upper();
}

TEST(NoisySgd, ThePapersSettings) {
  EXPECT_NEAR(person_epsilon(figure2(), 39, RunAnalysis::kBalle), 5.30, 0.005);
  EXPECT_NEAR(person_epsilon(figure2(), 39, RunAnalysis::kAsoodeh), 2.75, 0.005);
  EXPECT_LE(person_epsilon(figure2(), 39, RunAnalysis::kBest), 1.37);
  EXPECT_NEAR(person_epsilon(figure3(), 30, RunAnalysis::kBalle), 1.12, 0.006);
  EXPECT_NEAR(person_epsilon(figure3(), 30, RunAnalysis::kAsoodeh), 0.43, 0.01);
  EXPECT_LE(person_epsilon(figure3(), 30, RunAnalysis::kBest), 0.001);
}

TEST(NoisySgd, TheLastRecordIsAGaussianMechanism) {
  NoisySgd run = figure2();
  run.diameter = rounding::kInfinity;
  const Pipeline pipeline = noisy_sgd(run);
  ASSERT_TRUE(pipeline.mechanism().gaussian().has_value());
  EXPECT_NEAR(pipeline.mechanism().gaussian()->mu.hi, 1.0, 1e-14);  // 2 L/sigma
  EXPECT_EQ(pipeline.relation(), Relation::kSubstitute);
  run.relation = Relation::kZeroOut;
  EXPECT_NEAR(noisy_sgd(run).mechanism().gaussian()->mu.hi, 0.5, 1e-14);
  run.relation = Relation::kSubstitute;
  run.batch = 4;
  EXPECT_NEAR(noisy_sgd(run).mechanism().gaussian()->mu.hi, 0.25, 1e-14);
}

TEST(NoisySgd, RandomStoppingMatchesTheTable) {
  for (const test::Row& row : test::read_table("iteration_stop_delta.csv")) {
    if (row["lipschitz"] > 1.0) continue;
    // eta = 1, so that noise = sigma, shift = 2 L, lipschitz = 1 - rho.
    const NoisySgd run{.n = row["steps"],
                       .learning_rate = 1.0,
                       .sigma = row["noise"],
                       .lipschitz = row["shift"] / 2.0,
                       .smoothness = 1.0,
                       .strong_convexity = 1.0 - row["lipschitz"],
                       .output = RunOutput::kUniformStop};
    // 1 - rho must give the constant back exactly.
    if (1.0 - run.strong_convexity != row["lipschitz"]) continue;
    const Bracket delta = (noisy_sgd(run) | person(row["index"])).delta(Epsilon(row["epsilon"]));
    EXPECT_LE(delta.lower(), row["truth_down"]) << row.text << delta;
    EXPECT_GE(delta.upper(), row["truth_up"]) << row.text << delta;
    EXPECT_LE(delta.relative_width(), 1e-4) << row.text << delta;
  }
}

TEST(NoisySgd, RandomStoppingInRenyiForm) {
  // [FMTT18] Theorem 26 is false at n = 2: with sigma and L such that 2 L^2/sigma^2 = r, the exact form is
  // log[(1/2)(e^{a(a-1) r} + e^{a(a-1) r/2})]/(a-1) at index 1.
  NoisySgd run{
      .n = 2, .learning_rate = 1, .sigma = 1, .lipschitz = 1, .smoothness = 1, .output = RunOutput::kUniformStop};
  const double a = 1.2, r = 2.0;
  const double truth = std::log(0.5 * (std::exp(a * (a - 1) * r) + std::exp(a * (a - 1) * r / 2))) / (a - 1);
  const double got = noisy_sgd(run).rdp(Alpha(a)).upper();
  EXPECT_GE(got, truth * (1.0 - 1e-14));
  EXPECT_LE(got, truth * (1.0 + 1e-4));
}

TEST(NoisySgd, SkippingMultipliesByTheChanceOfBeingUsed) {
  NoisySgd run = figure2();
  run.diameter = rounding::kInfinity;
  const NoisySgd plain = run;
  run.output = RunOutput::kSkip;
  for (const double i : {1.0, 10.0, 21.0, 40.0}) {
    const double weight = std::min(1.0, i / 21.0);
    const Bracket delta = (noisy_sgd(run) | person(i)).delta(Epsilon(0.3));
    const Bracket base = (noisy_sgd(plain) | person(i)).delta(Epsilon(0.3));
    EXPECT_NEAR(delta.upper(), weight * base.upper(), 1e-12 * base.upper());
    const Bracket epsilon = (noisy_sgd(run) | person(i)).epsilon(Delta(1e-4));
    EXPECT_LE((noisy_sgd(run) | person(i)).delta(Epsilon(epsilon.upper())).upper(), 1e-4);
  }
}

// A mixture of normal laws with one deviation.
using Means = std::vector<double>;

double density(const Means& means, double deviation, double x) {
  double sum = 0.0;
  for (const double mean : means) {
    const double z = (x - mean) / deviation;
    sum += std::exp(-z * z / 2.0);
  }
  return sum / (static_cast<double>(means.size()) * deviation * std::sqrt(2.0 * M_PI));
}

// D_g(P||Q) by the trapezoid rule, from below but for 1e-9.
double divergence(const Means& p, const Means& q, double deviation, double g) {
  constexpr double kStep = 2e-3;
  double sum = 0.0;
  for (double x = -14.0; x <= 14.0; x += kStep)
    sum += std::max(0.0, density(p, deviation, x) - g * density(q, deviation, x));
  return sum * kStep - 1e-9;
}

// The last states of w <- (1 - h/2) w + slope/2 + noise, for every order of `taken` out of the slopes, mean by mean.
Means last_means(const std::vector<double>& slopes, std::size_t taken, double h) {
  std::vector<std::size_t> order(slopes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Means means;
  do {
    double w = 0.0;
    for (std::size_t t = 0; t < taken; ++t) w = (1.0 - 0.5 * h) * w + 0.5 * slopes[order[t]];
    means.push_back(w);
  } while (std::next_permutation(order.begin(), order.end()));
  return means;
}

double last_deviation(std::size_t steps, double h, double sigma) {
  double variance = 0.0;
  for (std::size_t t = 0; t < steps; ++t)
    variance = variance * (1.0 - 0.5 * h) * (1.0 - 0.5 * h) + 0.25 * sigma * sigma;
  return std::sqrt(variance);
}

NoisySgd enumerated(double n, double sigma) {
  return {.n = n, .learning_rate = 0.5, .sigma = sigma, .lipschitz = 1, .smoothness = 2};
}

// The exchanged record and all that the others can be, in every order (I22).
TEST(NoisySgd, ARandomOrderIsAboveEveryEnumeration) {
  for (const double sigma : {0.7, 2.0})
    for (const double h : {0.0, 1.0, 2.0})
      for (const double other : {-1.0, 0.0, 1.0}) {
        NoisySgd run = enumerated(4, sigma);
        run.order = RecordSequence::kPermuted;
        const Pipeline pipeline = noisy_sgd(run);
        const Means p = last_means({1.0, other, -1.0, 0.5}, 4, h), q = last_means({-1.0, other, -1.0, 0.5}, 4, h);
        for (const double epsilon : {0.05, 0.5, 1.5, 3.0}) {
          const double truth = divergence(p, q, last_deviation(4, h, sigma), std::exp(epsilon));
          EXPECT_GE(pipeline.delta(Epsilon(epsilon)).upper(), truth) << sigma << " " << h << " " << epsilon;
        }
      }
}

// Of three people two are drawn, and the run takes these in random order, whatever is released of it.
TEST(NoisySgd, ASampleIsAboveEveryEnumeration) {
  for (const double sigma : {0.7, 2.0})
    for (const double h : {0.0, 1.0, 2.0})
      for (const double other : {-1.0, 1.0}) {
        const Pipeline pipeline = noisy_sgd(enumerated(2, sigma)) | without_replacement(3, 2);
        const Means p = last_means({1.0, other, 0.5}, 2, h), q = last_means({-1.0, other, 0.5}, 2, h);
        for (const double epsilon : {0.05, 0.5, 1.5}) {
          const double truth = divergence(p, q, last_deviation(2, h, sigma), std::exp(epsilon));
          EXPECT_GE(pipeline.delta(Epsilon(epsilon)).upper(), truth) << sigma << " " << h << " " << epsilon;
        }
      }
}

TEST(NoisySgd, ARandomOrderIsAtMostTheAverage) {
  NoisySgd run = figure2();
  run.diameter = rounding::kInfinity;
  run.epochs = 2;
  double sum = 0.0;
  for (double i = 1; i <= 40; ++i) sum += (noisy_sgd(run) | person(i)).delta(Epsilon(0.5)).upper();
  run.order = RecordSequence::kPermuted;
  run.relation = Relation::kZeroOut;
  run.lipschitz = 2.0;
  // Where others would move twice as far as the record, nothing but the average is known.
  const double average = noisy_sgd(run).delta(Epsilon(0.5)).upper();
  EXPECT_GE(average, sum / 40.0 * (1.0 - 1e-12));
  EXPECT_LE(average, sum / 40.0 * (1.0 + 1e-4));
  NoisySgd exchanging = run;
  exchanging.relation = Relation::kSubstitute;
  exchanging.lipschitz = 1.0;
  EXPECT_LE(noisy_sgd(exchanging).delta(Epsilon(0.5)).upper(), average);
  run.n = exchanging.n = 1000;
  EXPECT_LE(noisy_sgd(exchanging).epsilon(Delta(1e-6)).upper(), 0.3 * noisy_sgd(run).epsilon(Delta(1e-6)).upper());
}

TEST(NoisySgd, ARandomOrderIsNarrowOnABoundedDomain) {
  NoisySgd run = figure2();
  run.order = RecordSequence::kPermuted;
  const Bracket permuted = noisy_sgd(run).epsilon(Delta(1e-6));
  EXPECT_GE(permuted.lower(), 0.85 * permuted.upper());
  const Bracket sampled = (noisy_sgd(figure2()) | without_replacement(1000, 40)).epsilon(Delta(1e-6));
  EXPECT_GE(sampled.lower(), 0.8 * sampled.upper());
  const Bracket several = (noisy_sgd(run) | compose(10)).epsilon(Delta(1e-6));
  EXPECT_GE(several.lower(), 0.75 * several.upper());
}

TEST(NoisySgd, ARandomOrderFallsWithEpsilonAndEndsAtZero) {
  NoisySgd run = figure2();
  run.order = RecordSequence::kPermuted;
  const Pipeline pipeline = noisy_sgd(run);
  double before = 1.0;
  for (const double epsilon : {0.0, 1e-9, 1e-4, 0.1, 1.0, 3.0, 10.0, 40.0}) {
    const Bracket delta = pipeline.delta(Epsilon(epsilon));
    EXPECT_LE(delta.upper(), before);
    EXPECT_LE(delta.lower(), delta.upper());
    before = delta.upper();
  }
  EXPECT_GT(before, 0.0);
  EXPECT_EQ(pipeline.delta(Epsilon(rounding::kInfinity)).upper(), 0.0);
}

TEST(NoisySgd, CheckpointsCutTheRun) {
  NoisySgd run = figure2();
  run.diameter = rounding::kInfinity;
  run.epochs = 2;
  // Record 10: used at steps 10 and 50; released at 20 and 80: mu^2 = 1/11 + 1/31.
  run.checkpoints = {20};
  EXPECT_NEAR((noisy_sgd(run) | person(10)).mechanism().gaussian()->mu.hi, std::sqrt(1.0 / 11 + 1.0 / 31), 1e-12);
  // With every state released it is ordinary composition.
  for (std::size_t t = 1; t <= 80; ++t)
    if (t == 1)
      run.checkpoints = {1};
    else
      run.checkpoints.push_back(t);
  EXPECT_NEAR((noisy_sgd(run) | person(10)).mechanism().gaussian()->mu.hi, std::sqrt(2.0), 1e-12);
  run.checkpoints.clear();
  run.analysis = RunAnalysis::kPublic;
  EXPECT_NEAR((noisy_sgd(run) | person(10)).mechanism().gaussian()->mu.hi, std::sqrt(2.0), 1e-12);
  // The worst record is the one right before a checkpoint.
  run.analysis = RunAnalysis::kBest;
  run.epochs = 1;
  run.public_tail = 10;
  run.checkpoints = {25};
  EXPECT_NEAR(noisy_sgd(run).mechanism().gaussian()->mu.hi, 1.0, 1e-12);
}

TEST(NoisySgd, PublicTailAndTasks) {
  NoisySgd run = figure2();
  run.diameter = rounding::kInfinity;
  run.public_tail = 15;
  EXPECT_NEAR(noisy_sgd(run).mechanism().gaussian()->mu.hi, 0.25, 1e-13);  // 15 steps follow
  run.tasks = 9;
  EXPECT_NEAR(noisy_sgd(run).mechanism().gaussian()->mu.hi, 0.75, 1e-13);
  EXPECT_NE(message_of<InvalidArgument>([&] { static_cast<void>(noisy_sgd(run) | person(26)); }).find("public"),
            std::string::npos);
}

TEST(NoisySgd, HeterogeneousStepsByHand) {
  NoisySgd run{.n = 3, .lipschitz = 1, .smoothness = 1};
  run.schedule.learning_rate = {0.5, 0.25, 1.0};
  run.schedule.sigma = {2.0, 4.0, 1.0};
  // s = (1, 1, 1), Delta = (1, 0.5, 2), c = (1, 1, 1).
  const double levels[] = {1.0 / std::sqrt(3.0), 0.5 / std::sqrt(2.0), 2.0};
  for (int i = 1; i <= 3; ++i)
    EXPECT_NEAR((noisy_sgd(run) | person(i)).mechanism().gaussian()->mu.hi, levels[i - 1], 1e-13);
  EXPECT_NEAR(noisy_sgd(run).mechanism().gaussian()->mu.hi, 2.0, 1e-13);
  // Batches of their own sizes wrap around.
  NoisySgd batches{.n = 3, .learning_rate = 0.5, .sigma = 2, .lipschitz = 1, .smoothness = 1};
  batches.schedule.batch = {2, 2, 1};
  // Record 1: steps 1 (shift 1/2) and 2 (1/2); record 3: step 2.
  EXPECT_NEAR((noisy_sgd(batches) | person(3)).mechanism().gaussian()->mu.hi, 0.5 / std::sqrt(2.0), 1e-13);
  EXPECT_NEAR((noisy_sgd(batches) | person(1)).mechanism().gaussian()->mu.hi, 1.0 / std::sqrt(3.0), 1e-13);
}

TEST(NoisySgd, TheWorstOfAScheduleIsTheWorstPerson) {
  NoisySgd run{.n = 12, .lipschitz = 1, .smoothness = 1, .diameter = 1.5, .public_tail = 3};
  for (int t = 0; t < 12; ++t) run.schedule.learning_rate.push_back(0.1 + 0.05 * ((t * 5) % 12));
  run.sigma = 2;
  const Pipeline pipeline = noisy_sgd(run);
  for (const double epsilon : {0.0, 0.2, 1.0}) {
    double worst = 0.0;
    for (int i = 1; i <= 9; ++i) worst = std::max(worst, (pipeline | person(i)).delta(Epsilon(epsilon)).upper());
    EXPECT_GE(pipeline.delta(Epsilon(epsilon)).upper(), worst);
    EXPECT_LE(pipeline.delta(Epsilon(epsilon)).upper(), worst * (1.0 + 1e-12));
  }
}

TEST(NoisySgd, BatchesThatDoNotDivideTheRecords) {
  NoisySgd run{.n = 10, .learning_rate = 0.5, .sigma = 2, .lipschitz = 1, .smoothness = 1, .batch = 3, .epochs = 3};
  EXPECT_EQ(run.steps(), 10u);
  for (const double diameter : {0.4, 2.0, rounding::kInfinity}) {
    run.diameter = diameter;
    const Pipeline pipeline = noisy_sgd(run);
    double worst = 0.0;
    for (int i = 1; i <= 10; ++i) worst = std::max(worst, (pipeline | person(i)).delta(Epsilon(0.2)).upper());
    EXPECT_GE(pipeline.delta(Epsilon(0.2)).upper(), worst * (1.0 - 1e-12));
    EXPECT_LE(pipeline.delta(Epsilon(0.2)).upper(), worst * 1.5);
  }
}

TEST(NoisySgd, PoissonBatches) {
  NoisySgd run{.n = 100,
               .learning_rate = 0.01,
               .sigma = 0.05,
               .lipschitz = 1,
               .smoothness = 1,
               .diameter = 0.001,
               .batch = 20,
               .epochs = 20,
               .order = RecordSequence::kPoisson,
               .relation = Relation::kAddRemove};
  const double hidden = noisy_sgd(run).epsilon(Delta(1e-5)).upper();
  NoisySgd seen = run;
  seen.analysis = RunAnalysis::kPublic;
  const double ordinary = noisy_sgd(seen).epsilon(Delta(1e-5)).upper();
  EXPECT_LT(hidden, 0.6 * ordinary);
  const double known = (gaussian({.sigma = 1.0}) | poisson(0.2) | compose(100)).epsilon(Delta(1e-5)).upper();
  EXPECT_NEAR(ordinary, known, 2e-3);
  // Batches that are likely to expand distances leave ordinary composition.
  run.learning_rate = seen.learning_rate = 1.5;
  run.sigma = seen.sigma = 0.5;
  run.batch = seen.batch = 2;
  EXPECT_NEAR(noisy_sgd(run).epsilon(Delta(1e-5)).upper(), noisy_sgd(seen).epsilon(Delta(1e-5)).upper(), 1e-9);
}

RC_GTEST_PROP(NoisySgd, BestIsNeverAboveAnyOtherAnalysis, ()) {
  const double smoothness = test::log_uniform(0.05, 5.0);
  NoisySgd run{.n = static_cast<double>(*rc::gen::inRange(1, 60)),
               .learning_rate = test::log_uniform(0.05, 1.99) / smoothness,
               .sigma = test::log_uniform(0.2, 10.0),
               .lipschitz = test::log_uniform(0.1, 3.0),
               .smoothness = smoothness,
               .strong_convexity = *rc::gen::element(0.0, 0.5) * smoothness,
               .diameter = *rc::gen::element(0.3, 2.0, 30.0, rounding::kInfinity)};
  run.epochs = *rc::gen::inRange(1, 4);
  run.output = *rc::gen::element(RunOutput::kLast, RunOutput::kLast, RunOutput::kUniformStop, RunOutput::kSkip);
  if (run.output != RunOutput::kLast) run.epochs = 1;
  const bool laplace = run.output == RunOutput::kLast && *rc::gen::inRange(0, 4) == 0;
  if (laplace) run.noise = NoiseLaw::kLaplace;
  const double i = *rc::gen::inRange(1, static_cast<int>(run.n) + 1);
  const Delta delta(test::log_uniform(1e-12, 0.1));
  const auto epsilon = [&](RunAnalysis analysis) -> double {
    NoisySgd changed = run;
    changed.analysis = analysis;
    try {
      return (noisy_sgd(changed) | person(i)).epsilon(delta).upper();
    } catch (const InvalidArgument&) {
      return rounding::kInfinity;
    }
  };
  const double best = epsilon(RunAnalysis::kBest);
  RC_ASSERT(std::isfinite(best));
  for (const auto& other : kRunAnalyses) RC_ASSERT(best <= epsilon(other.value) * (1.0 + 1e-5) + 1e-9);
}

TEST(NoisySgd, CompareGivesReasons) {
  const auto compared =
      compare(language::parse("noisy_sgd(n=10, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=1)"));
  ASSERT_EQ(compared.size(), kRunAnalyses.size());
  for (const Compared& one : compared) {
    const bool needs_diameter = one.analysis.name == "asoodeh" || one.analysis.name == "contraction";
    EXPECT_EQ(one.pipeline.has_value(), !needs_diameter) << one.analysis.name;
    if (needs_diameter) EXPECT_NE(one.reason.find("finite diameter"), std::string::npos) << one.reason;
  }
}

TEST(NoisySgd, RefusesWithOneLine) {
  const auto message = [](const NoisySgd& run) {
    return message_of<InvalidArgument>([&] { static_cast<void>(noisy_sgd(run)); });
  };
  const auto changed = [](auto change) {
    NoisySgd run = figure2();
    change(run);
    return run;
  };
  EXPECT_NE(message(changed([](NoisySgd& r) { r.sigma = 0; })).find("sigma"), std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.n = 0; })).find("n = 0"), std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.n = 2.5; })).find("n = 2.5"), std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.batch = 41; })).find("batch = 41"), std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.strong_convexity = 0.6; })).find("strong_convexity"),
            std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.diameter = 0; })).find("diameter"), std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.diameter = std::nan(""); })).find("diameter"), std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.public_tail = 40; })).find("public_tail"), std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.epochs = 0; })).find("epochs"), std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.relation = Relation::kAddRemove; })).find("relation"),
            std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.checkpoints = {41}; })).find("checkpoints"), std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.checkpoints = {5, 5}; })).find("checkpoints"), std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) {
              r.output = RunOutput::kSkip;
              r.epochs = 2;
            })).find("epochs"),
            std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) {
              r.schedule.sigma = {1, 2}, r.schedule.batch = {1};
            })).find("same length"),
            std::string::npos);
  EXPECT_NE(message(changed([](NoisySgd& r) { r.schedule.sigma = {1, 0}; })).find("step 2"), std::string::npos);
  EXPECT_NE(message_of<InvalidArgument>([] { static_cast<void>(noisy_sgd(figure2()) | person(41)); }).find("i = 41"),
            std::string::npos);
  EXPECT_NE(message_of<InvalidArgument>([] { static_cast<void>(gdp(1.0) | person(1)); }).find("iterative run"),
            std::string::npos);
}

TEST(NoisySgd, OnePersonSaysNothingAboutOthers) {
  const Pipeline one = noisy_sgd(figure2()) | person(3);
  for (const Stage& stage : {group(2), without_replacement(100, 10)}) {
    EXPECT_THROW(static_cast<void>(one | stage), InvalidArgument);
    EXPECT_THROW(static_cast<void>(one | compose(2) | stage), InvalidArgument);
  }
  EXPECT_NO_THROW(static_cast<void>(one | compose(2)));
}

// Two people at any two places, by enumeration, are below the two who are used last.
TEST(NoisySgd, GroupsAreThoseWhoAreUsedLast) {
  NoisySgd run = enumerated(5, 2.0);
  for (const double batch : {1.0, 2.0})
    for (const double h : {0.0, 1.0, 2.0}) {
      run.batch = batch;
      const Pipeline pipeline = noisy_sgd(run) | group(2);
      const auto mean = [&](std::size_t i, std::size_t j) {
        double w = 0.0;
        for (std::size_t t = 0; t < run.steps(); ++t) {
          w *= 1.0 - 0.5 * h;
          for (std::size_t place = t * static_cast<std::size_t>(batch);
               place < (t + 1) * static_cast<std::size_t>(batch); ++place)
            if (place % 5 == i || place % 5 == j) w += 1.0 / batch;
        }
        return w;
      };
      for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const double level = mean(i, j) / last_deviation(run.steps(), h, run.sigma);
          const double truth = numerics::theta(1.0, numerics::Wide(level * (1.0 - 1e-12))).lower();
          EXPECT_GE(pipeline.delta(Epsilon(1.0)).upper(), truth);
        }
    }
}

TEST(NoisySgd, GroupsWithoutAProjectionAreAttained) {
  NoisySgd run = figure2();
  run.diameter = rounding::kInfinity;
  // One after another: each pays for one use.
  EXPECT_NEAR((noisy_sgd(run) | group(2)).delta(Epsilon(1.0)).upper(),
              numerics::theta(1.0, numerics::Wide(std::sqrt(2.0))).upper(), 1e-9);
  const Bracket pair = (noisy_sgd(run) | group(2)).epsilon(Delta(1e-5));
  EXPECT_LE(pair.upper(), pair.lower() * (1.0 + 1e-6));
  run.batch = 2;
  // Both in one batch.
  EXPECT_NEAR((noisy_sgd(run) | group(2)).delta(Epsilon(1.0)).upper(),
              numerics::theta(1.0, numerics::Wide(1.0)).upper(), 1e-9);
  // More people than there are are all of them.
  EXPECT_EQ((noisy_sgd(run) | group(40)).delta(Epsilon(1.0)).upper(),
            (noisy_sgd(run) | group(99)).delta(Epsilon(1.0)).upper());
  run.tasks = 2;
  const Bracket single = noisy_sgd(run).epsilon(Delta(1e-5));
  EXPECT_NEAR((noisy_sgd(run) | group(2)).epsilon(Delta(1e-5)).lower(), single.lower(), 1e-9);
}

// Expanding maps make an early use the worst: nothing is known but multiples of the level.
TEST(NoisySgd, GroupsOfExpandingRunsAreMultiples) {
  NoisySgd run = enumerated(4, 2.0);
  run.smoothness = 5.0;
  const double single = noisy_sgd(run).mechanism().gaussian()->mu.hi;
  EXPECT_GE((noisy_sgd(run) | group(2)).delta(Epsilon(1.0)).upper(),
            numerics::theta(1.0, numerics::Wide(2.0 * single * (1.0 - 1e-9))).lower());
}

TEST(NoisySgd, CountsStepsInIntegers) {
  const NoisySgd run{.n = 993172653, .batch = 590169190, .epochs = 9470677};
  EXPECT_EQ(run.steps(), 15937833u);
}

TEST(NoisySgd, FarBelowTheDoubles) {
  const NoisySgd run{.n = 2,
                     .learning_rate = 1,
                     .sigma = 0.54,
                     .lipschitz = 0.4,
                     .smoothness = 1,
                     .epochs = 30,
                     .order = RecordSequence::kPermuted};
  EXPECT_GT(noisy_sgd(run).epsilon(Delta(1e-309)).upper(), 1.0);
  const NoisySgd still{.n = 10,
                       .learning_rate = 1,
                       .sigma = 1,
                       .lipschitz = 0,
                       .smoothness = 0,
                       .order = RecordSequence::kPoisson,
                       .relation = Relation::kAddRemove};
  EXPECT_EQ(noisy_sgd(still).epsilon(Delta(1e-309)), Bracket(0.0));
}

TEST(NoisySgd, SkippedRecordsHaveNoAttainedRenyiDivergence) {
  const NoisySgd run{
      .n = 4, .learning_rate = 0.5, .sigma = 2, .lipschitz = 1, .smoothness = 0, .output = RunOutput::kSkip};
  EXPECT_EQ((noisy_sgd(run) | person(1)).rdp(Alpha(2.0)).lower(), 0.0);
}

TEST(NoisySgd, OneRecord) {
  NoisySgd run = figure2();
  run.n = 1;
  EXPECT_NEAR(noisy_sgd(run).epsilon(Delta(1e-5)).upper(), 4.377178, 1e-5);
  run.epochs = 50;  // full-batch descent
  EXPECT_LT(noisy_sgd(run).epsilon(Delta(1e-5)).upper(), 15.0);
}

TEST(NoisyIteration, TwoStepsAreACoupling) {
  const Pipeline pipeline = noisy_iteration({.steps = 2, .sigma = 2, .sensitivity = 1, .lipschitz = 0.5});
  EXPECT_NEAR(pipeline.mechanism().gaussian()->mu.hi, 1.0 / std::sqrt(4.0 + 16.0), 1e-14);
  EXPECT_THROW(static_cast<void>(noisy_iteration({.steps = 2, .affected = {3}})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(noisy_iteration({.steps = 2, .affected = {2, 1}})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(noisy_iteration({.steps = 0})), InvalidArgument);
}

TEST(NoisyIteration, ComposesAndGroups) {
  const Pipeline one = noisy_iteration({.steps = 3, .sigma = 1, .diameter = 1});
  const Pipeline three = one | compose(3);
  EXPECT_LE(three.epsilon(Delta(1e-5)).upper(), 3.0 * one.epsilon(Delta(1e-5 / 3)).upper() * (1.0 + 1e-9));
  EXPECT_GE(three.epsilon(Delta(1e-5)).upper(), one.epsilon(Delta(1e-5)).upper());
  EXPECT_GE((one | group(2)).epsilon(Delta(1e-5)).upper(), one.epsilon(Delta(1e-5)).upper());
}

// What computing in doubles costs is in every analysis but the published ones, which do not know of it.
TEST(NoisySgd, RoundingCountsInEveryAnalysis) {
  NoisySgd run{
      .n = 30.0, .learning_rate = 0.5, .sigma = 1.0, .lipschitz = 1.0, .smoothness = 0.5, .strong_convexity = 0.1};
  for (const bool is_bounded : {false, true})
    for (const auto order : {RecordSequence::kFixed, RecordSequence::kPermuted, RecordSequence::kPoisson})
      for (const auto output : {RunOutput::kLast, RunOutput::kUniformStop, RunOutput::kSkip})
        for (const auto analysis :
             {RunAnalysis::kBest, RunAnalysis::kShift, RunAnalysis::kContraction, RunAnalysis::kPublic}) {
          run.diameter = is_bounded ? 5.0 : rounding::kInfinity;
          run.order = order, run.output = output, run.analysis = analysis;
          run.relation = order == RecordSequence::kPoisson ? Relation::kZeroOut : Relation::kSubstitute;
          const auto upper = [&](double r) {
            run.rounding = r;
            return noisy_sgd(run).delta(Epsilon(0.5)).upper();
          };
          double exact = 0.0;
          try {
            exact = upper(0.0);
          } catch (const InvalidArgument&) {
            continue;
          }
          EXPECT_GT(upper(0.05), exact) << static_cast<int>(order) << static_cast<int>(output) << name(analysis);
          EXPECT_LT(upper(1e-9), exact * (1.0 + 1e-4) + 1e-300);
        }
  run = {.n = 30.0, .learning_rate = 0.5, .sigma = 1.0, .lipschitz = 1.0, .smoothness = 0.5, .diameter = 5.0};
  run.rounding = 1e-9;
  for (const auto analysis : {RunAnalysis::kFeldman, RunAnalysis::kBalle, RunAnalysis::kAsoodeh}) {
    run.analysis = analysis;
    EXPECT_THROW(static_cast<void>(noisy_sgd(run).delta(Epsilon(0.5))), InvalidArgument);
  }
  run.analysis = RunAnalysis::kBest;
  for (const double bad : {-1e-9, 1.5, std::nan("")}) {
    run.rounding = bad;
    EXPECT_THROW(static_cast<void>(noisy_sgd(run)), InvalidArgument);
  }
}

TEST(NoisySgd, ExpressionsComeBack) {
  NoisySgd run{.n = 30.0, .learning_rate = 0.1, .sigma = 1.0 / 3.0, .lipschitz = 1.0, .smoothness = 0.5};
  run.rounding = 1e-9, run.batch = 3.0, run.order = RecordSequence::kPoisson, run.relation = Relation::kZeroOut;
  const Program program{.call = call_of(run)};
  EXPECT_EQ(evaluate(program).delta(Epsilon(1.0)), noisy_sgd(run).delta(Epsilon(1.0)));
  EXPECT_EQ(parse(text_of(program)).relation(), Relation::kZeroOut);
  run.order = RecordSequence::kFixed;
  run.checkpoints = {2, 5};
  run.schedule.sigma = std::vector<double>(10, 2.0);
  const NoisySgd back = noisy_sgd_of(call_of(run));
  EXPECT_EQ(call_of(back), call_of(run));
  EXPECT_EQ(back.checkpoints, run.checkpoints);
  EXPECT_EQ(back.schedule.sigma, run.schedule.sigma);
}

}  // namespace
}  // namespace doeblin::pipeline
