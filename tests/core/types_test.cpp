// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/types.hpp"

#include <gtest/gtest.h>

namespace doeblin {
namespace {

TEST(Types, EpsilonIsNonNegative) {
  EXPECT_EQ(Epsilon(0.0).value(), 0.0);
  EXPECT_EQ(Epsilon(rounding::kInfinity).value(), rounding::kInfinity);
  EXPECT_THROW(Epsilon(-1e-300), InvalidArgument);
  EXPECT_THROW(Epsilon(std::nan("")), InvalidArgument);
}

TEST(Types, DeltaIsAProbabilityAboveZero) {
  EXPECT_EQ(Delta(1.0).value(), 1.0);
  EXPECT_EQ(Delta(rounding::kSmallest).value(), rounding::kSmallest);
  EXPECT_THROW(Delta(0.0), InvalidArgument);
  EXPECT_THROW(Delta(1.0000001), InvalidArgument);
  EXPECT_THROW(Delta(std::nan("")), InvalidArgument);
}

TEST(Types, AlphaIsAboveOne) {
  EXPECT_EQ(Alpha(2.0).value(), 2.0);
  EXPECT_THROW(Alpha(1.0), InvalidArgument);
  EXPECT_THROW(Alpha(std::nan("")), InvalidArgument);
}

TEST(Types, NeutralRelationGivesWay) {
  EXPECT_EQ(common_relation(Relation::kNeutral, Relation::kSubstitute), Relation::kSubstitute);
  EXPECT_EQ(common_relation(Relation::kAddRemove, Relation::kNeutral), Relation::kAddRemove);
  EXPECT_EQ(common_relation(Relation::kZeroOut, Relation::kZeroOut), Relation::kZeroOut);
  EXPECT_THROW(static_cast<void>(common_relation(Relation::kAddRemove, Relation::kSubstitute)), InvalidArgument);
}

TEST(Types, RelationsHaveNames) {
  EXPECT_EQ(name(Relation::kNeutral), "neutral");
  EXPECT_EQ(name(Relation::kAddRemove), "add_remove");
  EXPECT_EQ(name(Relation::kSubstitute), "substitute");
  EXPECT_EQ(name(Relation::kZeroOut), "zero_out");
}

}  // namespace
}  // namespace doeblin
