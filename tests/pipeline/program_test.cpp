// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "doeblin/language/schema.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "support/temporary_file.hpp"

/// Pipelines know what they were made from, whoever made them.
namespace doeblin::pipeline {
namespace {

using language::Program;

std::string replaced(std::string text, const std::string& word, const std::string& other) {
  const std::size_t place = text.find(word);
  return place == std::string::npos ? text : text.replace(place, word.size(), other);
}

TEST(PipelineProgram, IsWhatWasEvaluated) {
  const test::TemporaryFile matrix("matrix.csv", "0.5,0.5\n0.25,0.75\n");
  const test::TemporaryFile graph("graph.txt", "1 2\n2 3\n3 1\n");
  std::vector<std::string> expressions = {
      "(gaussian(sigma=2) | poisson(rate=0.1, relation='substitute')) + gaussian(sigma=1)",
      "(gaussian(sigma=2) + laplace(scale=1)) + gaussian(sigma=1)",
      "(gaussian(sigma=2) + laplace(scale=1) | group(2)) + gaussian(sigma=1) | compose(3)",
      "noisy_sgd(n=4, learning_rate=[0.5, 0.25, 0.5, 0.25], sigma=2, lipschitz=1, smoothness=0.5, checkpoints='1,3')",
      "gaussian(sigma=2) | (dobrushin(gamma=0.5) | doeblin(gamma=0.25))"};
  for (const language::Schema& schema : language::schemas()) expressions.push_back(schema.example);
  for (const std::string& one : expressions) {
    std::string text = replaced(replaced(one, "mechanism.csv", matrix.path()), "channel.csv", matrix.path());
    text = replaced(text, "graph.txt", graph.path());
    EXPECT_EQ(evaluate(language::parse(text)).program(), language::parse(text)) << text;
  }
}

TEST(PipelineProgram, KernelsInParenthesesStayTogether) {
  // As programs of certificates of version 1 have them.
  Program pair = language::parse_kernels("dobrushin(gamma=0.5) | projected_gaussian(sigma=1)");
  const Program nested{.kind = Program::Kind::kPipe, .parts = {language::parse("gaussian(sigma=1)"), pair}};
  EXPECT_EQ(evaluate(nested).program(), nested);
  EXPECT_EQ(evaluate_kernels(pair).program, pair);
}

/// A pipeline of the C++ algebra, and how it is written.
struct Built {
  Pipeline pipeline;
  std::string text;
};

std::vector<Built> built() {
  const auto sgd = noisy_sgd({.n = 40.0,
                              .learning_rate = 0.5,
                              .sigma = 2.0,
                              .lipschitz = 1.0,
                              .smoothness = 0.5,
                              .diameter = 1.0,
                              .relation = Relation::kZeroOut,
                              .checkpoints = {3, 7}});
  const auto box = black_box({.epsilon = 1.0, .delta = 1e-6});
  return {
      {gaussian({.sigma = 1.1}) | poisson(0.01) | compose(10), "gaussian(sigma=1.1) | poisson(0.01) | compose(10)"},
      {gaussian({.sigma = 1.1}) | poisson(0.01, Relation::kSubstitute),
       "gaussian(sigma=1.1) | poisson(0.01, relation='substitute')"},
      {laplace({.scale = 2.0, .sensitivity = 3.0}) | without_replacement(1000, 50) | group(3),
       "laplace(2, sensitivity=3) | without_replacement(n=1000, m=50) | group(3)"},
      {gaussian({.sigma = 2.0}) | with_replacement(100, 5, Relation::kAddRemove),
       "gaussian(sigma=2) | with_replacement(n=100, m=5, relation='add_remove')"},
      {twice_laplace({1.0, 2.0}) + randomized_response(0.75), "twice_laplace(1, 2) + randomized_response(0.75)"},
      {discrete_gaussian({.sigma = 4.0}) + discrete_laplace({.scale = 2.0}) + gdp(0.5),
       "(discrete_gaussian(4) + discrete_laplace(2)) + gdp(0.5)"},
      {sum({zcdp(0.1), rdp({8.0, 0.5}), box}), "zcdp(0.1) + rdp(8, 0.5) + black_box(1, 1e-6)"},
      {brownian(2.0) | evolve(1.0), "brownian(2) | evolve(1)"},
      {ornstein_uhlenbeck({{0.5, 1.0}, Bracket(2.0), 1.0}), "ornstein_uhlenbeck(theta=0.5, rho=1, time=2)"},
      {sgd,
       "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1, "
       "relation='zero_out', checkpoints='3,7')"},
      {sgd | person(39),
       "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1, "
       "relation='zero_out', checkpoints='3,7') | person(39)"},
      {noisy_iteration({.steps = 10.0, .lipschitz = 0.9, .affected = {1, 5}}),
       "noisy_iteration(steps=10, sigma=1, lipschitz=0.9, affected='1,5')"},
      {box | dobrushin(0.5) | dobrushin(0.5, 0.1), "black_box(1, 1e-6) | dobrushin(0.5) | dobrushin(0.5, 0.1)"},
      {box | doeblin(0.5) | ultra_mixing(0.25), "black_box(1, 1e-6) | doeblin(0.5) | ultra_mixing(0.25)"},
      {box | k_ary_response({.k = 4.0, .p = 0.7}), "black_box(1, 1e-6) | k_ary_response(4, 0.7)"},
      {box | repeated(binary_symmetric(0.125), 3.0), "black_box(1, 1e-6) | binary_symmetric(0.125, steps=3)"},
      {box | projected(IntervalNoise{.scale = 0.5, .high = 2.0, .mean_high = 2.0}, 4.0),
       "black_box(1, 1e-6) | projected_gaussian(0.5, high=2, mean_high=2, steps=4)"},
      {box | projected(BallNoise{ProjectedLaw::kLaplace, 0.5, 1.5, 0.5}),
       "black_box(1, 1e-6) | projected_laplace(0.5, radius=1.5, lipschitz=0.5)"},
  };
}

TEST(PipelineProgram, FunctionsOfTheAlgebraBuildTheSameProgramAsTheParser) {
  for (const Built& one : built()) {
    EXPECT_EQ(one.pipeline.program(), language::parse(one.text)) << one.text;
    const Pipeline again = evaluate(one.pipeline.program());
    EXPECT_EQ(again.delta(Epsilon(0.5)), one.pipeline.delta(Epsilon(0.5))) << one.text;
    ASSERT_EQ(again.steps().size(), one.pipeline.steps().size()) << one.text;
    for (std::size_t i = 0; i < again.steps().size(); ++i)
      EXPECT_EQ(again.steps()[i].step.stage, one.pipeline.steps()[i].step.stage) << one.text;
  }
}

TEST(PipelineProgram, HoldsWhatTheLanguageHasNoWordsFor) {
  const FiniteMechanism matrix({{0.75, 0.25}, {0.25, 0.75}});
  const FiniteKernel channel = FiniteKernel::dense(2, 2, {0.875, 0.125, 0.25, 0.75});
  const Pipeline both = finite(matrix, "m") | kernel(channel, "c", 2.0);
  EXPECT_FALSE(language::has_words(both.program()));
  EXPECT_EQ(language::brief_text(both.program()), "finite(file=m) | kernel(file=c, steps=2)");
  EXPECT_EQ(evaluate(both.program()).delta(Epsilon(0.1)), both.delta(Epsilon(0.1)));

  const Pipeline heat = diffusion(steepness_of([](double t) { return 0.25 / (t * t); }, 1e-14), 2.0, {.power = 2.0});
  EXPECT_EQ(heat.steps()[0].step.stage, "diffusion(kappa=<function>, time=2)");
  EXPECT_EQ(evaluate(heat.program()).delta(Epsilon(0.5)), heat.delta(Epsilon(0.5)));
}

TEST(PipelineProgram, IsMissingWhereThereIsNoCall) {
  const Pipeline nameless({Mechanism::of(Gdp::level(1.0)), {.stage = "x", .source = "P7", .statement = "x"}});
  const Pipeline between = ornstein_uhlenbeck({{0.5, 1.0}, Bracket(2.0, 2.5), 1.0});
  const Pipeline flipped = gdp(1.0) | k_ary_response({.k = 4.0, .p = 0x1p-60, .p_is_of_replacing = true});
  for (const Pipeline& one : {nameless, nameless | group(2), nameless + gdp(1.0), between, flipped,
                              gdp(1.0) | repeated(dobrushin(0.5), 3.0), gdp(1.0) | projected(BallNoise{.radius = 0.0})})
    EXPECT_THROW(static_cast<void>(one.program()), InvalidArgument);
  EXPECT_EQ(flipped.steps()[1].step.stage, "a kernel");
}

TEST(PipelineProgram, OfStagesInARowIsTheirChain) {
  const Part row =
      piped(evaluate_part(language::parse_part("poisson(0.1)")), evaluate_part(language::parse_part("compose(3)")));
  EXPECT_EQ(std::get<Stage>(row).program, language::parse_part("poisson(0.1) | compose(3)"));
}

TEST(PipelineProgram, LinesShowTheAnalysisThatWasChosen) {
  const Pipeline run = parse("noisy_iteration(steps=3, sigma=1)", {.run_analysis = RunAnalysis::kShift});
  EXPECT_EQ(run.steps()[0].step.stage,
            "noisy_iteration(steps=3, sigma=1, sensitivity=1, lipschitz=1, affected='1', diameter=inf, "
            "analysis='shift')");
  EXPECT_EQ(run.program(), language::parse("noisy_iteration(steps=3, sigma=1)"));
}

}  // namespace
}  // namespace doeblin::pipeline
