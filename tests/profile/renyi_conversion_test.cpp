// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/renyi_conversion.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

TEST(RenyiConversion, OptimalEpsilonMatchesTheTable) {
  test::check_table("renyi_conversion.csv",
                    [](const test::Row& row) {
                      return optimal_epsilon({row["alpha"], row["rho"]}, Delta(row["delta"]));
                    },
                    {.relative_width = 1e-6});
}

TEST(RenyiConversion, TheThreeRulesOfTheCatalogue) {
  // Catalogue C3: alpha = 1.5, rho = .05, delta = .01.
  const RenyiPoint point{1.5, 0.05};
  EXPECT_NEAR(textbook_epsilon_upper(point, Delta(0.01)), 9.26, 5e-3);
  EXPECT_NEAR(canonne_kamath_steinke_epsilon_upper(point, Delta(0.01)), 7.35, 5e-3);
  EXPECT_NEAR(optimal_epsilon(point, Delta(0.01)).upper(), 1.287, 5e-4);
}

// The published rules are upper bounds of their own formulas, and no wider than rounding asks for.
RC_GTEST_PROP(RenyiConversion, PublishedRulesRoundUp, ()) {
  const RenyiPoint point{1.0 + test::log_uniform(0.05, 100.0), test::log_uniform(1e-3, 10.0)};
  const double delta = test::log_uniform(1e-30, 0.3);
  const long double alpha = point.alpha;
  const long double textbook = point.divergence - std::log(static_cast<long double>(delta)) / (alpha - 1);
  const long double sharp =
      std::max(0.0L, point.divergence + std::log1p(-1 / alpha) -
                         (std::log(static_cast<long double>(delta)) + std::log(alpha)) / (alpha - 1));
  const double got_textbook = textbook_epsilon_upper(point, Delta(delta));
  const double got_sharp = canonne_kamath_steinke_epsilon_upper(point, Delta(delta));
  RC_ASSERT(got_textbook >= textbook * (1 - 1e-17L) && got_textbook <= textbook * (1 + 1e-13L));
  RC_ASSERT(got_sharp >= sharp * (1 - 1e-17L) - 1e-18L && got_sharp <= sharp + 1e-12L * (1 + textbook));
}

RC_GTEST_PROP(RenyiConversion, PublishedRulesForDeltaRoundUp, ()) {
  const RenyiPoint point{1.0 + test::log_uniform(0.05, 100.0), test::log_uniform(1e-3, 2.0)};
  const double epsilon = test::uniform(0.0, 5.0);
  const long double alpha = point.alpha;
  const long double exponent = (alpha - 1) * (point.divergence - static_cast<long double>(epsilon));
  const long double textbook = std::min(1.0L, std::exp(exponent));
  const long double sharp = std::min(1.0L, std::exp(exponent + alpha * std::log1p(-1 / alpha)) / (alpha - 1));
  const double got_textbook = textbook_delta_upper(point, Epsilon(epsilon));
  const double got_sharp = canonne_kamath_steinke_delta_upper(point, Epsilon(epsilon));
  RC_ASSERT(got_textbook >= textbook * (1 - 1e-15L) && got_textbook <= textbook * (1 + 1e-11L));
  RC_ASSERT(got_sharp >= sharp * (1 - 1e-15L) && got_sharp <= sharp * (1 + 1e-11L));
}

// Any two-point pair (p against q) with divergence at most rho must obey the conversion.
RC_GTEST_PROP(RenyiConversion, NoTwoPointPairBeatsIt, ()) {
  const double alpha = 1.0 + test::log_uniform(0.05, 50.0);
  const double p = test::log_uniform(1e-4, 0.999);
  const double q = p * test::log_uniform(1e-4, 1.0);
  const double divergence = std::log(std::exp(alpha * std::log(p) + (1 - alpha) * std::log(q)) +
                                     std::exp(alpha * std::log1p(-p) + (1 - alpha) * std::log1p(-q))) /
                            (alpha - 1.0);
  if (!std::isfinite(divergence) || divergence <= 0.0) return;
  const RenyiPoint point{alpha, divergence * (1.0 + 1e-12)};
  const double epsilon = test::uniform(0.0, 1.0) * std::log(p / q);
  const double reached = p - std::exp(epsilon) * q;
  RC_ASSERT(optimal_delta(point, Epsilon(epsilon)).upper() >= reached * (1.0 - 1e-10));
}

RC_GTEST_PROP(RenyiConversion, OptimalIsBestAndInvertible, ()) {
  const RenyiPoint point{1.0 + test::log_uniform(0.05, 100.0), test::log_uniform(1e-3, 10.0)};
  const double delta = test::log_uniform(1e-30, 0.3);
  const Bracket epsilon = optimal_epsilon(point, Delta(delta));
  RC_ASSERT(epsilon.upper() <= canonne_kamath_steinke_epsilon_upper(point, Delta(delta)) * (1 + 1e-9) + 1e-9);
  RC_ASSERT(canonne_kamath_steinke_epsilon_upper(point, Delta(delta)) <=
            textbook_epsilon_upper(point, Delta(delta)) * (1 + 1e-12));
  RC_ASSERT(epsilon.width() <= 1e-6 * epsilon.upper() + 1e-9);
  if (epsilon.lower() <= 0.0) return;
  const Bracket back = optimal_delta(point, Epsilon(epsilon.upper()));
  RC_ASSERT(back.lower() <= delta * (1 + 1e-9));
}

TEST(RenyiConversion, Edges) {
  EXPECT_EQ(optimal_epsilon({2.0, 1.0}, Delta(1.0)), Bracket(0.0));
  EXPECT_EQ(optimal_epsilon({2.0, 0.0}, Delta(1e-9)), Bracket(0.0));
  EXPECT_EQ(optimal_epsilon({2.0, rounding::kInfinity}, Delta(1e-9)), Bracket(rounding::kInfinity));
  EXPECT_EQ(optimal_delta({2.0, 1.0}, Epsilon(rounding::kInfinity)), Bracket(0.0));
  EXPECT_EQ(optimal_delta({2.0, rounding::kInfinity}, Epsilon(1.0)), Bracket(1.0));
  EXPECT_EQ(optimal_delta({2.0, 0.0}, Epsilon(0.0)), Bracket(0.0));
  EXPECT_THROW(static_cast<void>(optimal_epsilon({1.0, 1.0}, Delta(0.1))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(optimal_epsilon({std::nan(""), 1.0}, Delta(0.1))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(optimal_epsilon({2.0, -1.0}, Delta(0.1))), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
