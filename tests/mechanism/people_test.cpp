// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/people.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {
namespace {

const PeopleProgress kQuiet = [](std::size_t) {};

TEST(People, EveryOutputAgreesWithPersonByPerson) {
  for (const RunOutput output : {RunOutput::kLast, RunOutput::kUniformStop, RunOutput::kSkip})
    for (const double diameter : {1.0, rounding::kInfinity})
      for (const double tasks : {1.0, 2.0}) {
        const NoisySgd run{.n = 12,
                           .learning_rate = 0.5,
                           .sigma = 2,
                           .lipschitz = 1,
                           .smoothness = 1,
                           .diameter = diameter,
                           .output = output,
                           .tasks = tasks};
        const Pipeline pipeline = noisy_sgd(run);
        const auto people = pipeline.mechanism().people();
        ASSERT_NE(people, nullptr);
        ASSERT_EQ(people->count(), 12u);
        const auto epsilons = people->epsilons(Delta(1e-4), kQuiet);
        const auto deltas = people->deltas(Epsilon(0.5), kQuiet);
        for (std::size_t k = 0; k < epsilons.size(); ++k)
          for (std::size_t i = epsilons[k].first; i <= epsilons[k].last; ++i) {
            const Pipeline one = pipeline | person(static_cast<double>(i));
            // Nobody's bound is above that of a record that is worse off.
            EXPECT_LE(epsilons[k].value.upper(), one.epsilon(Delta(1e-4)).upper() + 1e-5);
            EXPECT_GE(epsilons[k].value.upper(), one.epsilon(Delta(1e-4)).upper() - 0.05);
            EXPECT_NEAR(deltas[k].value.upper(), one.delta(Epsilon(0.5)).upper(), 1e-6);
          }
      }
}

TEST(People, CheckpointsAreCountedForEverybody) {
  NoisySgd run{.n = 20, .learning_rate = 0.5, .sigma = 2, .lipschitz = 1, .smoothness = 1};
  run.checkpoints = {10};
  const auto people = noisy_sgd(run).mechanism().people();
  const auto values = people->epsilons(Delta(1e-5), kQuiet);
  ASSERT_EQ(values.size(), 20u);
  // Right before the release there is no later noise.
  EXPECT_NEAR(values[9].value.upper(), values[19].value.upper(), 1e-9);
  EXPECT_LT(values[10].value.upper(), values[9].value.upper());
}

TEST(People, ARandomOrderMakesThemEqual) {
  const NoisySgd run{
      .n = 20, .learning_rate = 0.5, .sigma = 2, .lipschitz = 1, .smoothness = 1, .order = RecordSequence::kPermuted};
  const Pipeline pipeline = noisy_sgd(run);
  const auto values = pipeline.mechanism().people()->epsilons(Delta(1e-5), kQuiet);
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].last, 20u);
  EXPECT_EQ(values[0].value, pipeline.epsilon(Delta(1e-5)));
}

TEST(People, ManyOfThemGetTheBoundOfAWorseOne) {
  const NoisySgd run{
      .n = 2000, .learning_rate = 0.5, .sigma = 2, .lipschitz = 1, .smoothness = 1, .output = RunOutput::kUniformStop};
  const Pipeline pipeline = noisy_sgd(run);
  const auto values = pipeline.mechanism().people()->epsilons(Delta(1e-4), kQuiet);
  for (const std::size_t i : {1u, 5u, 777u, 2000u})
    EXPECT_GE(values[i - 1].value.upper(),
              (pipeline | person(static_cast<double>(i))).epsilon(Delta(1e-4)).upper() * (1.0 - 1e-4));
}

// What is not asked is not worked out.
TEST(People, OneOfThemNeedsNoSearchForTheWorst) {
  const Pipeline run =
      noisy_sgd({.n = 20, .learning_rate = 0.5, .sigma = 2, .lipschitz = 1, .smoothness = 0.5, .diameter = 1});
  const Derived& source = run.steps()[0];
  int searches = 0;
  const Pipeline counted(Derived(source.step, source.neighbours(), source.people(), [&] {
    ++searches;
    return source.mechanism();
  }));
  const Pipeline one = counted | person(3);
  EXPECT_EQ(one.delta(Epsilon(0.1)), (run | person(3)).delta(Epsilon(0.1)));
  EXPECT_EQ(one.neighbours().places, std::vector<double>{3.0});
  EXPECT_EQ(searches, 0);
  // Everybody's guarantee is worked out once.
  EXPECT_EQ(counted.delta(Epsilon(0.1)), run.delta(Epsilon(0.1)));
  EXPECT_EQ((counted | compose(2)).relation(), Relation::kSubstitute);
  EXPECT_EQ(searches, 1);
}

}  // namespace
}  // namespace doeblin::pipeline
