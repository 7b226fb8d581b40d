// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <gtest/gtest.h>

#include "doeblin/diffusion/grid_release.hpp"
#include "doeblin/language/expression.hpp"

namespace doeblin::pipeline {
namespace {

using language::Program;

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
  refused(language::parse("gaussian(1)"), [](Program&) {});
}

}  // namespace
}  // namespace doeblin::pipeline
