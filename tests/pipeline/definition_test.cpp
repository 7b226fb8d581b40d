// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/expression.hpp"

namespace doeblin::pipeline {
namespace {

TEST(Definition, EveryExampleParses) {
  for (const Definition& definition : definitions()) {
    EXPECT_FALSE(definition.summary.empty()) << definition.name;
    // Names a file that is not there; see matrix_file_test and kernel_file_test.
    if (definition.parameters[0].name == "file") continue;
    EXPECT_NO_THROW(static_cast<void>(parse(definition.example))) << definition.example;
    EXPECT_NE(definition.example.find(definition.name), std::string::npos);
  }
}

TEST(Definition, SignaturesShowDefaults) {
  EXPECT_EQ(find_definition("gaussian")->signature(), "gaussian(sigma, sensitivity=1)");
  EXPECT_EQ(find_definition("finite")->signature(), "finite(file, adjacency='')");
  EXPECT_EQ(find_definition("nothing"), nullptr);
}

TEST(Definition, NamesAreUnique) {
  for (const Definition& definition : definitions()) EXPECT_EQ(find_definition(definition.name), &definition);
}

TEST(Definition, CallText) {
  EXPECT_EQ(call_text("f", {}), "f()");
  EXPECT_EQ(call_text("f", {{"a", 0.1}, {"b", 14000}}), "f(a=0.1, b=14000)");
}

TEST(Definition, ArgumentsKnowTheirKind) {
  const Arguments arguments({{"x", 1.0}, {"file", std::string("f")}});
  EXPECT_EQ(arguments.number("x"), 1.0);
  EXPECT_EQ(arguments.text("file"), "f");
  EXPECT_THROW(static_cast<void>(arguments.number("file")), InternalError);
  EXPECT_THROW(static_cast<void>(arguments.text("nothing")), InternalError);
}

}  // namespace
}  // namespace doeblin::pipeline
