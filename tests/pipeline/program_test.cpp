// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/program.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/expression.hpp"
#include "doeblin/pipeline/grid_release.hpp"

namespace doeblin::pipeline {
namespace {

TEST(Program, ArgumentsAreFilledIn) {
  const Program program = program_of("gaussian(1/4) | poisson(rate=0.5) | compose(10)");
  ASSERT_EQ(program.kind, Program::Kind::kPipe);
  ASSERT_EQ(program.parts.size(), 3u);
  EXPECT_EQ(program.parts[0].call.name, "gaussian");
  EXPECT_EQ(program.parts[0].call.number("sigma"), 0.25);
  EXPECT_EQ(program.parts[0].call.number("sensitivity"), 1.0);
  EXPECT_EQ(program.parts[1].call.text("relation"), "add_remove");
  EXPECT_EQ(text_of(program),
            "gaussian(sigma=0.25, sensitivity=1) | poisson(rate=0.5, relation='add_remove') | compose(k=10)");
}

TEST(Program, TheTextMeansTheSame) {
  for (const char* expression :
       {"gaussian(sigma=0.1)", "(gaussian(1) | compose(3)) + laplace(2) + (laplace(2) | poisson(rate=1/3))",
        "((gaussian(1) + laplace(2)) | compose(2)) + zcdp(0.1)", "(gaussian(1) | group(2)) | compose(5)",
        "gaussian(1) + (laplace(1) + laplace(2))", "(gaussian(1) + laplace(2)) | compose(3) | compose(2)",
        "noisy_sgd(n=10, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1, diameter=inf) | person(3)",
        "black_box(epsilon=1e-300, delta=0)"}) {
    const Program program = program_of(expression);
    const std::string text = text_of(program);
    EXPECT_EQ(program_of(text), program) << text;
    EXPECT_EQ(parse(text).delta(Epsilon(0.5)), parse(expression).delta(Epsilon(0.5))) << text;
  }
}

TEST(Program, SumsInSumsStay) {
  EXPECT_NE(program_of("gaussian(1) + (laplace(1) + laplace(2))"), program_of("gaussian(1) + laplace(1) + laplace(2)"));
  EXPECT_EQ(program_of("(gaussian(1) | group(2)) | group(3)"), program_of("gaussian(1) | group(2) | group(3)"));
}

TEST(Program, WhatIsNoPipelineIsRefused) {
  for (const char* expression : {"gaussian", "1 + 2", "gaussian(1) - laplace(1)", "unknown(3)", "gaussian(sgma=1)", "",
                                 "'text'", "gaussian(?)", "-gaussian(1)", "2 ** 3"})
    EXPECT_THROW(static_cast<void>(program_of(expression)), InvalidArgument) << expression;
}

GridRelease two_columns() {
  return {.law = LatticeLaw::kGaussian,
          .columns = {{.exponent = -5,
                       .sensitivity = 300.0,
                       .attained = 299.0,
                       .cells = 2.0,
                       .path = {{.noise = 1000.0}, {.multiplier = 0.5, .noise = 2000.0, .published = 4.0}}},
                      {.exponent = 3,
                       .sensitivity = 7.0,
                       .attained = 7.0,
                       .cells = 1.0,
                       .path = {{.noise = 500.0}, {.noise = 128.0}}}}};
}

TEST(GridProgram, ComesBack) {
  const GridRelease release = two_columns();
  for (const std::size_t number : {1u, 2u}) {
    const Program program = program_of(release, number);
    const GridQuestion question = grid_release_of(program);
    EXPECT_EQ(question.number, number);
    EXPECT_EQ(program_of(question.release, number), program);
    EXPECT_EQ(question.release.columns[0].path.size(), number);
    EXPECT_EQ(question.release.columns[1].exponent, 3);
  }
}

TEST(GridProgram, WhatIsNoReleaseIsRefused) {
  const auto refused = [](Program program, const std::function<void(Program&)>& change) {
    change(program);
    EXPECT_THROW(static_cast<void>(grid_release_of(program)), InvalidArgument) << text_of(program);
  };
  const Program program = program_of(two_columns(), 2);
  refused(program, [](Program& p) { p.kind = Program::Kind::kPipe; });
  refused(program, [](Program& p) { p.parts[1].call.name = "grid_laplace"; });
  refused(program, [](Program& p) { p.parts[0].call.arguments.pop_back(); });
  refused(program, [](Program& p) { p.parts[0].call.arguments[5].second = 1.0; });   // noise
  refused(program, [](Program& p) { p.parts[0].call.arguments[4].second = 1.5; });   // multiplier
  refused(program, [](Program& p) { p.parts[0].call.arguments[0].second = 0.5; });   // exponent
  refused(program, [](Program& p) { p.parts[0].call.arguments[1].second = -1.0; });  // sensitivity
  refused(program, [](Program& p) { p.parts[0].call.arguments[3].first = "sells"; });
  refused(program, [](Program& p) { p.parts[0].call.arguments[3].second = std::string("2"); });
  refused(program_of("gaussian(1)"), [](Program&) {});
}

}  // namespace
}  // namespace doeblin::pipeline
