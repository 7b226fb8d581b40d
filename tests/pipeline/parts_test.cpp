// SPDX-License-Identifier: Apache-2.0
#include "pipeline/parts.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::pipeline {
namespace {

TEST(Parts, EverySchemaHasOneOfItsKind) {
  for (const language::Schema& schema : language::schemas())
    EXPECT_EQ(maker_of(schema.name).index(), static_cast<std::size_t>(schema.kind)) << schema.name;
}

TEST(Parts, EveryExampleEvaluates) {
  for (const language::Schema& schema : language::schemas()) {
    // Names a file that is not there; see finite_file_test and kernel_file_test.
    if (schema.parameters[0].type == language::Type::kFile) continue;
    EXPECT_NO_THROW(static_cast<void>(parse(schema.example))) << schema.example;
  }
}

TEST(Parts, UnknownNamesAreRefused) { EXPECT_THROW(static_cast<void>(maker_of("grid_gaussian")), InvalidArgument); }

}  // namespace
}  // namespace doeblin::pipeline
