// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/plan.hpp"

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/language/expression.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::language {
namespace {

using test::message_of;
using test::TemporaryFile;

TEST(Plan, AnExpressionWithItsTarget) {
  const TemporaryFile file("plan.toml",
                           "name = 'survey'\nexpression = 'gaussian(sigma=2) | compose(3)'\n[target]\nepsilon = 1\n"
                           "delta = 1e-6\n");
  const Plan plan = read_plan(file.path());
  EXPECT_EQ(plan.name, "survey");
  EXPECT_EQ(plan.program, parse("gaussian(sigma=2) | compose(3)"));
  EXPECT_EQ(plan.epsilon, 1.0);
  EXPECT_EQ(plan.delta, 1e-6);
  EXPECT_TRUE(is_plan("a/b.toml"));
  EXPECT_FALSE(is_plan("gaussian(sigma=1)"));
}

TEST(Plan, ARunWithLists) {
  const TemporaryFile file("run.toml",
                           "[noisy_sgd]\nn = 3\nlearning_rate = [0.5, 0.25, 0.125]\nsigma = 2\nlipschitz = 1.0\n"
                           "smoothness = 0.5\ndiameter = inf\nanalysis = 'shift'\n");
  const Plan plan = read_plan(file.path());
  EXPECT_EQ(plan.program,
            parse("noisy_sgd(n=3, learning_rate=[0.5, 0.25, 0.125], sigma=2, lipschitz=1, smoothness=0.5, "
                  "diameter=inf, analysis=shift)"));
}

TEST(Plan, AScheduleNextToIt) {
  const TemporaryFile schedule("steps.csv", "sigma\n2\n3\n");
  const TemporaryFile file("with_file.toml",
                           "[noisy_sgd]\nn = 2\nlearning_rate = 0.5\nsigma = 1\nlipschitz = 1\n"
                           "smoothness = 1\nschedule = '" +
                               schedule.name() + "'\n");
  const Plan plan = read_plan(file.path());
  EXPECT_EQ(plan.program.call.text("schedule"), schedule.path());
}

TEST(Plan, HolesAreForCalibrate) {
  const TemporaryFile file("hole.toml",
                           "[noisy_sgd]\nn = 10\nlearning_rate = 0.5\nsigma = '?'\nlipschitz = 1\n"
                           "smoothness = 1\n");
  const Plan plan = read_plan(file.path());
  ASSERT_EQ(holes_of(plan.program).size(), 1u);
  EXPECT_EQ(holes_of(plan.program)[0].parameter, "sigma");
}

TEST(Plan, MistakesHaveALine) {
  const auto message = [](const std::string& content) {
    const TemporaryFile file("bad.toml", content);
    return message_of<InvalidArgument>([&] { static_cast<void>(read_plan(file.path())); });
  };
  EXPECT_NE(message("[noisy_sgd]\nn = 4\nsgima = 3\n").find(":3: noisy_sgd has no parameter 'sgima', did you mean"),
            std::string::npos);
  EXPECT_NE(message("[noisy_sgd\n").find(":1: "), std::string::npos);
  EXPECT_NE(message("expresion = 'x'\n").find(":1: unknown key 'expresion'"), std::string::npos);
  EXPECT_NE(message("name = 'x'\n").find("need one of"), std::string::npos);
  EXPECT_NE(message("expression = 'x'\n[noisy_sgd]\nn = 1\n").find("need one of"), std::string::npos);
  EXPECT_NE(message("[noisy_sgd]\nn = 'three'\n").find(":2: n is not a number"), std::string::npos);
  EXPECT_NE(message("[noisy_sgd]\nn = [1, 2]\n").find(":2: n is a list"), std::string::npos);
  EXPECT_NE(message("[noisy_sgd]\nsigma = [1, 'x']\n").find("sigma is not a number"), std::string::npos);
  EXPECT_NE(message("[noisy_sgd]\nsigma = []\n").find(":2: sigma is an empty list"), std::string::npos);
  EXPECT_NE(message("[noisy_sgd]\nanalysis = \"a'b\"\n").find(":2: analysis contains a quote"), std::string::npos);
  EXPECT_NE(message("[noisy_sgd]\nn = 4\n").find("missing argument learning_rate"), std::string::npos);
  EXPECT_NE(message("expression = 1\n").find(":1: expression is not a text"), std::string::npos);
  EXPECT_NE(message("target = 1\n").find(":1: target is not a table"), std::string::npos);
  EXPECT_NE(message_of<InvalidArgument>([] { static_cast<void>(read_plan("/nowhere.toml")); }).find("existing"),
            std::string::npos);
}

}  // namespace
}  // namespace doeblin::language
