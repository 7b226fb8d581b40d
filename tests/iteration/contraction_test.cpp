// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/contraction.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "doeblin/iteration/hidden_run.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

std::shared_ptr<const HiddenRun> run_of(const test::Row& row, double diameter) {
  return std::make_shared<const HiddenRun>(HiddenRun{
      NoisySteps({Bracket(row["lipschitz"]), Bracket(row["noise"])}, static_cast<std::size_t>(row["later"]) + 1),
      diameter});
}

// A log of delta from above: at least the truth, and not much more. The relative error doubles with every step of a
// deep chain, because each about squares delta.
void check_log_table(const std::string& name, IterationAnalysis analysis) {
  for (const test::Row& row : test::read_table(name)) {
    const auto run = run_of(row, row["diameter"]);
    const HiddenRelease release(run, {{1, Bracket(row["shift"])}}, run->steps.count(), analysis);
    const double got = release.log_delta(Epsilon(row["epsilon"]));
    EXPECT_GE(got, row["truth_up"]) << row.text;
    EXPECT_LE(got, row["truth_up"] * (1.0 - 1e-7) + 1e-11) << row.text << " gave " << got;
  }
}

// delta itself: at least the truth, and as near as its logarithm is above.
void check_delta_table(const std::string& name, IterationAnalysis analysis) {
  for (const test::Row& row : test::read_table(name)) {
    const auto run = run_of(row, row["diameter"]);
    const HiddenRelease release(run, {{1, Bracket(row["shift"])}}, run->steps.count(), analysis);
    const Bracket got = release.delta(Epsilon(row["epsilon"]));
    EXPECT_GE(got.upper(), row["truth_up"]) << row.text << " gave " << got;
    EXPECT_LE(got.lower(), row["truth_down"]) << row.text << " gave " << got;
    const double off = 1e-10 - 1.5e-7 * std::log(row["truth_up"]);
    EXPECT_LE(got.upper(), row["truth_up"] * (1.0 + off)) << row.text << " gave " << got;
  }
}

TEST(Contraction, DeltaMatchesTheTables) {
  check_delta_table("iteration_best_delta.csv", IterationAnalysis::kBest);
  check_delta_table("iteration_contraction_delta.csv", IterationAnalysis::kContraction);
}

TEST(Contraction, BlocksReachTheBestPartition) {
  check_log_table("iteration_best_logdelta.csv", IterationAnalysis::kBest);
}

TEST(Contraction, StepByStepMatchesTheTable) {
  check_log_table("iteration_contraction_logdelta.csv", IterationAnalysis::kContraction);
}

TEST(Contraction, TheExampleOfTheCatalogue) {
  // D = 1, eta = 0.5, sigma = 2, L = 1, two later steps, epsilon = 1.
  const auto run = std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(1.0), Bracket(1.0)}, 3), 1.0});
  const Bracket delta = HiddenRelease(run, {{1, Bracket(1.0)}}, 3).delta(Epsilon(1.0));
  EXPECT_GT(delta.upper(), 5.8e-19);
  EXPECT_LT(delta.upper(), 5.81e-19);
}

RC_GTEST_PROP(Contraction, IncreasesWithTheDivergenceAndTheLevel, ()) {
  const double log_delta = -test::log_uniform(1e-3, 1e3);
  const double less = log_delta * (1.0 + test::uniform(0.0, 1.0));
  const Epsilon epsilon(*rc::gen::element(0, 1) == 0 ? 0.0 : test::log_uniform(1e-9, 10.0));
  const double mu = test::log_uniform(1e-3, 50.0);
  const double value = contracted(log_delta, epsilon, mu);
  RC_ASSERT(value <= log_delta);
  RC_ASSERT(contracted(less, epsilon, mu) <= value + 1e-11 * std::fabs(value));
  RC_ASSERT(contracted(log_delta, epsilon, mu * 0.9) <= value + 1e-11 * std::fabs(value));
  RC_ASSERT(contracted(log_delta, Epsilon(epsilon.value() + 0.1), mu) <= value + 1e-11 * std::fabs(value));
}

TEST(Contraction, Edges) {
  EXPECT_EQ(contracted(-rounding::kInfinity, Epsilon(1.0), 1.0), -rounding::kInfinity);
  EXPECT_EQ(contracted(-3.0, Epsilon(1.0), rounding::kInfinity), -3.0);
  EXPECT_EQ(contracted(-3.0, Epsilon(1.0), 0.0), -rounding::kInfinity);
  // At epsilon = 0 it is Dobrushin's coefficient: 2 Phi(mu/2) - 1.
  EXPECT_NEAR(contracted(-3.0, Epsilon(0.0), 1.0) + 3.0, std::log(std::erf(0.5 / std::sqrt(2.0))), 1e-12);
  EXPECT_LE(contracted(-1e300, Epsilon(1.0), 1.0), -1e300);
}

// Longer tails than the table has: the search against every partition into blocks of equal steps, and against none.
RC_GTEST_PROP(Contraction, LongTailsAreNoWorseThanSimplePartitions, ()) {
  const auto later = static_cast<std::size_t>(*rc::gen::inRange(65, 2000));
  const double noise = test::log_uniform(0.02, 1.0);
  const Epsilon epsilon(*rc::gen::element(0, 1) == 0 ? 0.0 : test::log_uniform(1e-4, 3.0));
  const auto run =
      std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(1.0), Bracket(noise)}, later + 1), 1.0});
  const std::vector<Use> uses{{1, Bracket(2.0 * noise)}};
  const HiddenTail tail = tail_of(run, uses, later + 1);
  const double best = HiddenRelease(run, uses, later + 1).log_delta(epsilon);
  RC_ASSERT(best <= log_delta(tail, {later}, epsilon) + 1e-9);
  Stops every(later + 1);
  std::iota(every.begin(), every.end(), std::size_t{0});
  const double singles = log_delta(tail, every, epsilon);
  // Below what a double can hold nothing is optimised.
  RC_ASSERT(best <= singles + 1e-9 || (best < -745.0 && singles < -745.0));
  for (const std::size_t blocks : {2u, 5u, 20u}) {
    Stops stops;
    for (std::size_t k = 0; k <= blocks; ++k) stops.push_back(k * later / blocks);
    const double value = log_delta(tail, stops, epsilon);
    RC_ASSERT(best <= value * (1.0 - 0.02) + 1e-9 || (best < -745.0 && value < -745.0));
  }
}

RC_GTEST_PROP(Contraction, EpsilonIsCertified, ()) {
  const auto later = static_cast<std::size_t>(*rc::gen::inRange(0, 300));
  const double noise = test::log_uniform(0.05, 2.0);
  const Delta delta(test::log_uniform(1e-30, 0.1));
  const auto run =
      std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(0.95), Bracket(noise)}, later + 1), 1.0});
  const HiddenTail tail = tail_of(run, {{1, Bracket(1.0)}}, later + 1);
  Stops stops;
  const double epsilon = epsilon_bound(tail, delta, stops);
  RC_ASSERT(std::exp(log_delta(tail, stops, Epsilon(epsilon))) <= delta.value() * (1.0 + 1e-12) ||
            std::exp(log_delta(tail, {later}, Epsilon(epsilon))) <= delta.value() * (1.0 + 1e-12));
}

}  // namespace
}  // namespace doeblin
