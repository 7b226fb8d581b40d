// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/program.hpp"

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/language/expression.hpp"

namespace doeblin::language {
namespace {

TEST(Program, ArgumentsAreFilledIn) {
  const Program program = parse("gaussian(1/4) | poisson(rate=0.5) | compose(10)");
  ASSERT_EQ(program.kind, Program::Kind::kPipe);
  ASSERT_EQ(program.parts.size(), 3u);
  EXPECT_EQ(program.parts[0].call.name, "gaussian");
  EXPECT_EQ(program.parts[0].call.number("sigma"), 0.25);
  EXPECT_EQ(program.parts[0].call.number("sensitivity"), 1.0);
  EXPECT_EQ(program.parts[1].call.text("relation"), "add_remove");
  EXPECT_EQ(text_of(program),
            "gaussian(sigma=0.25, sensitivity=1) | poisson(rate=0.5, relation='add_remove') | compose(k=10)");
  EXPECT_EQ(short_text(program), "gaussian(sigma=0.25) | poisson(rate=0.5) | compose(k=10)");
}

TEST(Program, ArgumentsKnowTheirKind) {
  const Call call{.name = "f", .arguments = {{"x", 1.0}, {"file", std::string("f")}, {"open", Hole{}}}};
  EXPECT_EQ(call.number("x"), 1.0);
  EXPECT_EQ(call.text("file"), "f");
  EXPECT_EQ(call.list("x"), nullptr);
  EXPECT_THROW(static_cast<void>(call.number("file")), InternalError);
  EXPECT_THROW(static_cast<void>(call.text("nothing")), InternalError);
  EXPECT_THROW(static_cast<void>(call.number("open")), InvalidArgument);
}

TEST(Program, TheTextMeansTheSame) {
  for (const char* expression :
       {"gaussian(sigma=0.1)", "(gaussian(1) | compose(3)) + laplace(2) + (laplace(2) | poisson(rate=1/3))",
        "((gaussian(1) + laplace(2)) | compose(2)) + zcdp(0.1)", "(gaussian(1) | group(2)) | compose(5)",
        "gaussian(1) + (laplace(1) + laplace(2))", "(gaussian(1) + laplace(2)) | compose(3) | compose(2)",
        "noisy_sgd(n=10, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1, diameter=inf) | person(3)",
        "noisy_sgd(n=2, learning_rate=[0.5, 1/3], sigma=2, lipschitz=[1, 1e-300], smoothness=1)",
        "black_box(epsilon=1e-300, delta=0)", "gaussian(1) | projected_gaussian(1, mean_low=-inf)"}) {
    const Program program = parse(expression);
    EXPECT_TRUE(has_words(program));
    EXPECT_EQ(parse(text_of(program)), program) << text_of(program);
    EXPECT_EQ(parse(short_text(program)), program) << short_text(program);
  }
}

TEST(Program, SumsInSumsStay) {
  EXPECT_NE(parse("gaussian(1) + (laplace(1) + laplace(2))"), parse("gaussian(1) + laplace(1) + laplace(2)"));
  EXPECT_EQ(parse("(gaussian(1) | group(2)) | group(3)"), parse("gaussian(1) | group(2) | group(3)"));
  EXPECT_EQ(added(added(parse("gaussian(1)"), parse("laplace(1)")), parse("laplace(2)")),
            parse("gaussian(1) + laplace(1) + laplace(2)"));
  EXPECT_EQ(piped(parse("gaussian(1)"), piped(parse_part("group(2)"), parse_part("group(3)"))),
            parse("gaussian(1) | group(2) | group(3)"));
}

TEST(Program, HolesAreFilledOutsideOfTexts) {
  const Program open = parse_open("gaussian(sigma=?) | kernel('a?.csv', steps=?)");
  const std::vector<ArgumentPlace> holes = holes_of(open);
  ASSERT_EQ(holes.size(), 2u);
  EXPECT_EQ(holes[0].call->name, "gaussian");
  EXPECT_EQ(holes[1].parameter, "steps");
  EXPECT_EQ(filled(open, 2.0), parse("gaussian(sigma=2) | kernel('a?.csv', steps=2)"));
  EXPECT_EQ(short_text(open), "gaussian(sigma=?) | kernel(file='a?.csv', steps=?)");
}

TEST(Program, ObjectsAreMentionedOnly) {
  const auto matrix = std::make_shared<const std::vector<double>>(3, 0.5);
  const Program program{.call = {.name = "kernel", .arguments = {{"file", Object(matrix, "<3 x 1 array>")}}}};
  EXPECT_FALSE(has_words(program));
  EXPECT_THROW(static_cast<void>(text_of(program)), InvalidArgument);
  EXPECT_EQ(brief_text(program), "kernel(file=<3 x 1 array>)");
  EXPECT_EQ(program.call.object<std::vector<double>>("file"), matrix);
  EXPECT_EQ(program.call.object<double>("file"), nullptr);
  EXPECT_THROW(static_cast<void>(program.call.text("file")), InvalidArgument);
}

TEST(Program, LongListsAreMentionedOnly) {
  Program program = parse("noisy_sgd(n=2, learning_rate=[0.5, 1], sigma=2, lipschitz=1, smoothness=1)");
  EXPECT_EQ(brief_text(program), "noisy_sgd(n=2, learning_rate=<2 numbers>, sigma=2, lipschitz=1, smoothness=1)");
  program.call.arguments[1].second = std::vector<double>(100'000, 0.1);
  EXPECT_FALSE(has_words(program));
}

TEST(Program, LinesOfDerivationsShowWhatMatters) {
  const auto line = [](const char* expression) { return line_text(parse(expression)); };
  EXPECT_EQ(line("gaussian(2) | poisson(0.1)"), "gaussian(sigma=2, sensitivity=1) | poisson(rate=0.1)");
  EXPECT_EQ(line("gaussian(2) | poisson(0.1, relation=substitute)"),
            "gaussian(sigma=2, sensitivity=1) | poisson(rate=0.1, relation='substitute')");
  EXPECT_EQ(line("black_box(1) | kernel('a.csv')"), "black_box(epsilon=1, delta=0) | kernel(file='a.csv', steps=1)");
  const std::string many = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20";
  EXPECT_EQ(line_text(parse("noisy_iteration(steps=90, sigma=1, affected='" + many + "')")),
            "noisy_iteration(steps=90, sigma=1, sensitivity=1, lipschitz=1, affected=<50 characters>, diameter=inf)");
}

TEST(Program, AnArgumentCanBeChanged) {
  const Call call = parse("gaussian(2)").call;
  EXPECT_EQ(call.with("sigma", 3.0), parse("gaussian(3)").call);
  EXPECT_THROW(static_cast<void>(call.with("scale", 3.0)), InternalError);
}

}  // namespace
}  // namespace doeblin::language
