// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/encoding.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

#include "doeblin/core/error.hpp"
#include "support/generators.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

using Rational = boost::multiprecision::cpp_rational;
using test::message_of;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

Encoding valid() {
  return {.columns = {{.name = "age", .bounds = Bounds{0.0, 100.0}}, {.name = "city", .levels = {"Oslo", "*"}}},
          .label = {.name = "ill", .classes = {"no", "yes"}}};
}

template <typename Change>
std::string refusal(const Change& change) {
  Encoding encoding = valid();
  change(encoding);
  return message_of<InvalidArgument>([&] { encoding.validate(); });
}

TEST(Encoding, CountsCoordinates) {
  Encoding encoding = valid();
  EXPECT_EQ(encoding.features(), 3u);
  EXPECT_EQ(encoding.dimension(), 3u);
  EXPECT_FALSE(encoding.is_sparse());
  encoding.intercept = 0.5;
  EXPECT_EQ(encoding.features(), 3u);
  EXPECT_EQ(encoding.dimension(), 4u);
  const Encoding numbered{.numbered = {{.count = 5}, {.count = 7, .bounds = Bounds{0.0, 2.0}}},
                          .label = {.name = "label", .bounds = Bounds{-1.0, 3.0}}};
  EXPECT_NO_THROW(numbered.validate());
  EXPECT_EQ(numbered.dimension(), 12u);
  EXPECT_TRUE(numbered.is_sparse());
}

TEST(Encoding, LabelsOfClasses) {
  const LabelColumn two{.name = "y", .classes = {"-1", "+1"}};
  EXPECT_EQ(two.label_of("-1"), -1.0);
  EXPECT_EQ(two.label_of("+1"), 1.0);
  // The same number in other words.
  EXPECT_EQ(two.label_of("1"), 1.0);
  EXPECT_EQ(two.label_of("1.0"), 1.0);
  EXPECT_EQ(two.label_of(-1.0), -1.0);
  EXPECT_EQ(two.label_of("0"), std::nullopt);
  EXPECT_EQ(two.label_of(""), std::nullopt);
  EXPECT_EQ(two.label_of("one"), std::nullopt);
  EXPECT_EQ(two.label_of(kNan), std::nullopt);
  EXPECT_EQ(two.largest(), 1.0);
  const LabelColumn three{.name = "y", .classes = {"a", "b", "7"}};
  EXPECT_EQ(three.label_of("a"), 0.0);
  EXPECT_EQ(three.label_of("b"), 1.0);
  EXPECT_EQ(three.label_of("7e0"), 2.0);
  EXPECT_EQ(three.label_of("A"), std::nullopt);
  EXPECT_EQ(three.largest(), 2.0);
  EXPECT_EQ((LabelColumn{.name = "y", .bounds = Bounds{-3.0, 2.0}}).largest(), 3.0);
}

RC_GTEST_PROP(Encoding, NormBoundIsAtLeastTheExactNorm, ()) {
  Encoding encoding = valid();
  encoding.norm = test::log_uniform(1e-100, 1e100);
  encoding.intercept = *rc::gen::element(0, 1) == 0 ? test::log_uniform(1e-300, 1e100) : encoding.norm;
  const Rational squares =
      Rational(encoding.norm) * Rational(encoding.norm) + Rational(encoding.intercept) * Rational(encoding.intercept);
  const double bound = encoding.norm_bound();
  RC_ASSERT(Rational(bound) * Rational(bound) >= squares);
  const double less = bound * (1.0 - 1e-15);
  RC_ASSERT(Rational(less) * Rational(less) < squares);
}

TEST(Encoding, NormBoundIsExactWhereItCanBe) {
  Encoding encoding = valid();
  encoding.norm = 0.1;
  EXPECT_EQ(encoding.norm_bound(), 0.1);
  encoding.norm = 3.0;
  encoding.intercept = 4.0;
  EXPECT_EQ(encoding.norm_bound(), 5.0);
}

TEST(Encoding, RefusesWhatIsNotValid) {
  EXPECT_EQ(refusal([](Encoding&) {}), "nothing was thrown");
  EXPECT_EQ(refusal([](Encoding& e) { e.norm = 0.0; }), "norm = 0, need 1e-100 <= norm <= 1e100");
  EXPECT_EQ(refusal([](Encoding& e) { e.norm = kNan; }), "norm = nan, need 1e-100 <= norm <= 1e100");
  EXPECT_EQ(refusal([](Encoding& e) { e.norm = kInfinite; }), "norm = inf, need 1e-100 <= norm <= 1e100");
  EXPECT_EQ(refusal([](Encoding& e) { e.intercept = -1.0; }), "intercept = -1, need 0 <= intercept <= 1e100");
  EXPECT_EQ(refusal([](Encoding& e) { e.intercept = kNan; }), "intercept = nan, need 0 <= intercept <= 1e100");
  EXPECT_EQ(refusal([](Encoding& e) { e.columns.clear(); }),
            "columns = 0 with and 0 without names, need either the one or the other");
  EXPECT_EQ(refusal([](Encoding& e) { e.numbered = {{.count = 3}}; }),
            "columns = 2 with and 1 without names, need either the one or the other");
  EXPECT_EQ(refusal([](Encoding& e) { e.columns[1].name = "age"; }),
            "column = 'age', need a name that no other column has");
  EXPECT_EQ(refusal([](Encoding& e) { e.columns[1].name = "ill"; }),
            "column = 'ill', need a name that no other column has");
  EXPECT_EQ(refusal([](Encoding& e) { e.columns[1].name = ""; }), "column = '', need a name that no other column has");
  for (const Bounds bounds : {Bounds{5.0, 5.0}, Bounds{6.0, 5.0}})
    EXPECT_NE(refusal([&](Encoding& e) { e.columns[0].bounds = bounds; }).find("5, need low < high, both finite"),
              std::string::npos);
  EXPECT_EQ(refusal([](Encoding& e) {
              e.columns[0].bounds = Bounds{kNan, 1.0};
            }),
            "bounds of column 'age' = nan:1, need low < high, both finite");
  EXPECT_EQ(refusal([](Encoding& e) {
              e.columns[0].bounds = Bounds{-1e308, 1e308};
            }),
            "bounds of column 'age' = -1e+308:1e+308, need low < high, both finite");
  EXPECT_EQ(refusal([](Encoding& e) {
              e.columns[0].bounds = Bounds{0.0, kInfinite};
            }),
            "bounds of column 'age' = 0:inf, need low < high, both finite");
  EXPECT_EQ(refusal([](Encoding& e) {
              e.columns[1].bounds = Bounds{0.0, 1.0};
            }),
            "column 'city' = bounds and levels, need one of the two");
  EXPECT_EQ(refusal([](Encoding& e) {
              e.columns[1].levels = {"a", "b", "a"};
            }),
            "levels of column 'city' = 'a' twice, need every level once");
  EXPECT_EQ(refusal([](Encoding& e) { e.label.name = ""; }), "label = '', need a name");
  EXPECT_EQ(refusal([](Encoding& e) { e.label.classes.clear(); }), "label = 'ill', need either classes or bounds");
  EXPECT_EQ(refusal([](Encoding& e) {
              e.label.bounds = Bounds{0.0, 1.0};
            }),
            "label = 'ill', need either classes or bounds");
  EXPECT_EQ(refusal([](Encoding& e) { e.label.classes = {"a"}; }), "classes = 'a', need at least two");
  EXPECT_EQ(refusal([](Encoding& e) { e.label.classes = {"a", ""}; }), "classes = '', need a text for every class");
  EXPECT_EQ(refusal([](Encoding& e) {
              e.label.classes = {"a", "b", "a"};
            }),
            "classes = 'a' twice, need every class once");
  EXPECT_EQ(refusal([](Encoding& e) {
              e.label.classes = {"1", "1.0"};
            }),
            "classes = '1.0' twice, need every class once");
  EXPECT_EQ(refusal([](Encoding& e) {
              e.label = {.name = "y", .bounds = Bounds{1.0, 0.0}};
            }),
            "bounds of label 'y' = 1:0, need low < high, both finite");
  const auto numbered = [](const NumberedColumns& run) {
    return refusal([&](Encoding& e) {
      e.columns.clear();
      e.numbered = {{.count = 2}, run};
    });
  };
  EXPECT_EQ(numbered({.count = 0}), "count of numbered columns = 0, need count >= 1");
  EXPECT_EQ(numbered({.count = 1, .bounds = Bounds{-1.0, 1.0}}),
            "low bound of numbered columns = -1, need 0, since what is not written is 0");
  EXPECT_EQ(numbered({.count = 1, .bounds = Bounds{0.0, 0.0}}),
            "bounds of numbered columns = 0:0, need low < high, both finite");
  EXPECT_EQ(numbered({.count = 1u << 27}), "features = 134217730, need at most 2^27 coordinates");
}

}  // namespace
}  // namespace doeblin::training
