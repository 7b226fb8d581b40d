// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/schema.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "doeblin/language/expression.hpp"

namespace doeblin::language {
namespace {

TEST(Schema, EveryExampleParsesAndIsWellFormed) {
  for (const Schema& schema : schemas()) {
    EXPECT_FALSE(schema.summary.empty()) << schema.name;
    EXPECT_TRUE(is_well_formed(parse(schema.example))) << schema.example;
    EXPECT_NE(schema.example.find(schema.name), std::string::npos);
  }
}

TEST(Schema, SignaturesShowDefaults) {
  EXPECT_EQ(find_schema("gaussian")->signature(), "gaussian(sigma, sensitivity=1)");
  EXPECT_EQ(find_schema("finite")->signature(), "finite(file, adjacency='')");
  EXPECT_EQ(find_schema("nothing"), nullptr);
}

TEST(Schema, NamesAndSynonymsAreUnique) {
  std::set<std::string> names;
  for (const Schema& schema : schemas()) {
    EXPECT_EQ(find_schema(schema.name), &schema);
    EXPECT_TRUE(names.insert(schema.name).second) << schema.name;
    for (const std::string& synonym : schema.synonyms) EXPECT_TRUE(names.insert(synonym).second) << synonym;
  }
}

TEST(Schema, DefaultsFitTheirTypes) {
  for (const Schema& schema : schemas())
    for (const Parameter& parameter : schema.parameters) {
      EXPECT_FALSE(parameter.meaning.empty()) << schema.name << " " << parameter.name;
      if (parameter.standard)
        EXPECT_EQ(std::holds_alternative<std::string>(*parameter.standard), parameter.is_text()) << parameter.name;
      EXPECT_EQ(parameter.type == Type::kChoice, !parameter.choices.empty()) << schema.name << " " << parameter.name;
      EXPECT_FALSE(parameter.is_text() && parameter.monotone) << parameter.name;
    }
}

TEST(Schema, AWordIsAParameterOrStandsForOne) {
  EXPECT_EQ(parameters_meant_by("sigma"), std::vector<std::string>{"sigma"});
  EXPECT_EQ(parameters_meant_by("noise_multiplier"), std::vector<std::string>{"sigma"});
  // A parameter of its own, and what others call one of ours.
  EXPECT_EQ(parameters_meant_by("steps"), (std::vector<std::string>{"steps", "k"}));
  EXPECT_TRUE(parameters_meant_by("colour").empty());
}

TEST(Schema, ProgramsThatNobodyCouldWrite) {
  const Program good = parse("gaussian(1) | poisson(0.1)");
  EXPECT_TRUE(is_well_formed(good));
  const auto refused = [&](const auto& change) {
    Program program = good;
    change(program);
    return !is_well_formed(program);
  };
  EXPECT_TRUE(refused([](Program& p) { p.parts[0].call.name = "gausian"; }));
  EXPECT_TRUE(refused([](Program& p) { p.parts[0].call.arguments.pop_back(); }));
  EXPECT_TRUE(refused([](Program& p) { p.parts[0].call.arguments[0].first = "scale"; }));
  EXPECT_TRUE(refused([](Program& p) { p.parts[0].call.arguments[0].second = std::string("1"); }));
  EXPECT_TRUE(refused([](Program& p) { p.parts[0].call.arguments[0].second = std::vector<double>{1.0}; }));
  EXPECT_TRUE(refused([](Program& p) { std::swap(p.parts[0], p.parts[1]); }));
  EXPECT_TRUE(refused([](Program& p) { p.parts.pop_back(); }));
  EXPECT_TRUE(refused([](Program& p) { p.kind = Program::Kind::kSum; }));
  EXPECT_TRUE(refused([&](Program& p) { p.parts[0] = good; }));
  EXPECT_TRUE(refused([&](Program& p) { p.parts[1] = good; }));
  const Program kernels = parse_kernels("doeblin(0.1) | doeblin(0.2)");
  EXPECT_FALSE(refused([&](Program& p) { p.parts[1] = kernels; }));
}

// Whoever goes by a role reads these without looking.
TEST(Schema, RolesHaveTheirParameters) {
  const std::map<Role, std::vector<const char*>> needed = {{Role::kPlain, {}},
                                                           {Role::kGaussianNoise, {"sensitivity"}},
                                                           {Role::kLaplaceNoise, {"sensitivity"}},
                                                           {Role::kDiffusion, {"time", "sensitivity"}},
                                                           {Role::kResponse, {"p"}},
                                                           {Role::kMatrix, {}},
                                                           {Role::kMatrixKernel, {"file"}},
                                                           {Role::kIteration, {}},
                                                           {Role::kRun, {"n", "public_tail"}},
                                                           {Role::kPerson, {"i"}},
                                                           {Role::kGroup, {"k"}},
                                                           {Role::kPoisson, {"rate"}},
                                                           {Role::kSubset, {"m", "n"}},
                                                           {Role::kRepeat, {"k"}}};
  for (const Schema& schema : schemas()) {
    for (const char* parameter : needed.at(schema.role)) EXPECT_NE(schema.parameter(parameter), nullptr) << schema.name;
    EXPECT_EQ(role_of(schema.name), schema.role);
    const auto is_scale = [](const Parameter& one) { return one.type == Type::kScale; };
    if (schema.role == Role::kGaussianNoise || schema.role == Role::kLaplaceNoise)
      EXPECT_TRUE(std::any_of(schema.parameters.begin(), schema.parameters.end(), is_scale)) << schema.name;
    if (schema.role == Role::kDiffusion)
      EXPECT_EQ(schema.parameter("theta") == nullptr, schema.parameter("rho") == nullptr) << schema.name;
  }
  EXPECT_EQ(role_of("nothing"), Role::kPlain);
}

TEST(Schema, TheOneOfARole) {
  EXPECT_EQ(schema_with(Role::kRun).name, "noisy_sgd");
  EXPECT_EQ(schema_with(Role::kMatrixKernel).name, "kernel");
}

TEST(Schema, CallsAreMadeByName) {
  EXPECT_EQ(call_of("gaussian", {{"sigma", 2.0}}), parse("gaussian(2)").call);
  EXPECT_EQ(call_of("black_box", {{"delta", 0.1}, {"epsilon", 1.0}}), parse("black_box(1, 0.1)").call);
  EXPECT_THROW(static_cast<void>(call_of("nothing", {})), InternalError);
  EXPECT_THROW(static_cast<void>(call_of("gaussian", {})), InternalError);
  EXPECT_THROW(static_cast<void>(call_of("gaussian", {{"sigma", 2.0}, {"scale", 1.0}})), InternalError);
}

}  // namespace
}  // namespace doeblin::language
