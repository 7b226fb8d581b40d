// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/loss.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin::training {
namespace {

Loss loss_of(const test::Row& row) { return {&losses()[static_cast<std::size_t>(row["kind"])], row["width"]}; }

TEST(Loss, DerivativesKeepTheirErrorBound) {
  for (const test::Row& row : test::read_table("training_slope.csv")) {
    const Loss loss = loss_of(row);
    for (const double label : {1.0, -1.0}) {
      const double slope = -label * loss.derivative(label * row["margin"], label);
      EXPECT_GE(slope, row["truth_down"] - kDerivativeError) << row.text;
      EXPECT_LE(slope, row["truth_up"] + kDerivativeError) << row.text;
    }
  }
}

TEST(Loss, ConstantsAreUpperBoundsAndClose) {
  for (const test::Row& row : test::read_table("training_constants.csv")) {
    const LossConstants found = constants_of(loss_of(row), {row["norm"], row["label"]}, row["radius"]);
    const auto check = [&](double value, const char* name) {
      EXPECT_GE(value, row[std::string(name) + "_down"]) << name << " " << row.text;
      EXPECT_LE(value, row[std::string(name) + "_up"] * (1.0 + 1e-12)) << name << " " << row.text;
    };
    check(found.slope, "slope");
    check(found.curvature, "curvature");
    check(found.lipschitz, "lipschitz");
    check(found.smoothness, "smoothness");
  }
}

// Any loss, of any width.
Loss some_loss() {
  return {&losses()[*rc::gen::inRange<std::size_t>(0, losses().size())], test::log_uniform(0.1, 10.0)};
}

TEST(Loss, EveryOneHasItsTruthTable) {
  std::set<double> kinds;
  for (const test::Row& row : test::read_table("training_constants.csv")) kinds.insert(row["kind"]);
  EXPECT_EQ(kinds.size(), losses().size());
}

TEST(Loss, ScoresThatTellChances) {
  for (const LossDefinition& one : losses()) {
    if (!one.chance) continue;
    EXPECT_TRUE(one.is_classification) << one.name;
    for (const double score : {0.0, 0.25, 1.0, 40.0, 1e300}) {
      EXPECT_NEAR(one.chance(score) + one.chance(-score), 1.0, 1e-15) << one.name;
      EXPECT_GE(one.chance(score), 0.5) << one.name;
    }
  }
}

TEST(Loss, TheStandardOnes) {
  EXPECT_EQ(name(Loss{}.kind), "logistic");
  EXPECT_EQ(name(standard_loss(false)), "huber");
}

RC_GTEST_PROP(LossProperty, DerivativeIsThatOfTheValueAndGrows, ()) {
  const Loss loss = some_loss();
  const double label = loss.is_classification() ? (*rc::gen::arbitrary<bool>() ? 1.0 : -1.0) : test::uniform(-3.0, 3.0);
  const double m = test::uniform(-5.0, 5.0);
  const double h = 1e-5;
  const double slope = (loss.value(m + h, label) - loss.value(m - h, label)) / (2.0 * h);
  RC_ASSERT(std::abs(slope - loss.derivative(m, label)) < 1e-5 * (1.0 + std::abs(slope)) * (1.0 + 1.0 / loss.width));
  RC_ASSERT(loss.derivative(m + h, label) >= loss.derivative(m, label) - 1e-15);
  RC_ASSERT(loss.value(m, label) >= 0.0);
}

// Whatever the record and the parameter are, within what was declared.
RC_GTEST_PROP(LossProperty, ConstantsBoundEverySlope, ()) {
  const Loss loss = some_loss();
  const double norm = test::log_uniform(0.1, 10.0), radius = test::log_uniform(0.1, 10.0);
  const double bound = loss.is_classification() ? 1.0 : test::uniform(0.0, 5.0);
  const LossConstants found = constants_of(loss, {norm, bound}, radius);
  const double label =
      loss.is_classification() ? (*rc::gen::arbitrary<bool>() ? 1.0 : -1.0) : test::uniform(-bound, bound);
  const double m = test::uniform(-norm * radius, norm * radius);
  const double slope = loss.derivative(m, label);
  RC_ASSERT(std::abs(slope) <= found.slope * (1.0 + 1e-12));
  const double step = 1e-4;
  RC_ASSERT(std::abs(loss.derivative(m + step, label) - slope) <= found.curvature * step + 1e-13);
  RC_ASSERT(constants_of(loss, {norm, bound}, 2.0 * radius).lipschitz >= found.lipschitz);
  RC_ASSERT(constants_of(loss, {2.0 * norm, bound}, radius).smoothness >= found.smoothness);
}

TEST(Loss, FarTailsStayFinite) {
  const Loss logistic;
  EXPECT_EQ(logistic.derivative(1e300, 1.0), -0.0);
  EXPECT_EQ(logistic.derivative(-1e300, 1.0), -1.0);
  EXPECT_DOUBLE_EQ(logistic.value(-800.0, 1.0), 800.0);
  EXPECT_GE(Loss({loss_named("smoothed_hinge"), 1e-6}).value(50.0, 1.0), 0.0);
  EXPECT_NEAR(Loss({loss_named("smoothed_hinge"), 1e-6}).value(-50.0, 1.0), 51.0, 1e-12);
  EXPECT_EQ(Loss({loss_named("huber"), 2.0}).derivative(100.0, 1.0), 2.0);
}

TEST(Loss, RefusesWhatHasNoConstants) {
  EXPECT_THROW(static_cast<void>(constants_of({loss_named("huber"), 0.0}, {1.0, 1.0}, 1.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(constants_of({loss_named("huber"), std::nan("")}, {1.0, 1.0}, 1.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(constants_of({}, {std::nan(""), 1.0}, 1.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(constants_of({}, {1.0, 1.0}, std::numeric_limits<double>::infinity())),
               InvalidArgument);
  EXPECT_THROW(static_cast<void>(constants_of({}, {1e200, 1.0}, 1.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(loss_named("hinge")), InvalidArgument);
  for (const LossDefinition& one : losses()) EXPECT_EQ(loss_named(one.name), &one);
}

}  // namespace
}  // namespace doeblin::training
