// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"

#include <gtest/gtest.h>

namespace doeblin::pipeline {
namespace {

TEST(Maker, WhatIsMadeCarriesItsCall) {
  const Call call = call_of("gdp", {{"mu", 0.5}});
  const SourceMaker source{[](const Call& a, const Settings&) {
    return Evaluated{Mechanism::of(Gdp::level(a.number("mu"))), {.source = "P7", .statement = ""}};
  }};
  const Pipeline made_source = made(source, call);
  EXPECT_EQ(made_source.program().call, call);
  EXPECT_EQ(made_source.steps()[0].step.stage, "gdp(mu=0.5)");

  const StageMaker stage{[](const Call&, const Settings&) {
    return Stage{.about = same_people, .apply = [](const Mechanism& before) {
                   return Evaluated{before, {.source = "", .statement = ""}};
                 }};
  }};
  const Stage twice = made(stage, call_of("compose", {{"k", 2.0}}));
  EXPECT_EQ((made_source | twice).steps()[1].step.stage, "compose(k=2)");
  EXPECT_EQ((made_source | twice).program(), language::piped(made_source.program(), *twice.program));
}

TEST(Maker, ALineThatIsWrittenStays) {
  const SourceMaker source{[](const Call&, const Settings&) {
    return Evaluated{Mechanism::of(Gdp::level(1.0)), {.stage = "written", .source = "P7", .statement = ""}};
  }};
  EXPECT_EQ(made(source, call_of("gdp", {{"mu", 1.0}})).steps()[0].step.stage, "written");
}

}  // namespace
}  // namespace doeblin::pipeline
