// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/settings.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::pipeline {
namespace {

constexpr const char* kRun = "gaussian(sigma=2) | poisson(rate=0.05) | compose(100)";

Bracket epsilon_with(const Settings& settings) { return parse(kRun, settings).epsilon(Delta(1e-6)); }

// Settings change how tight an answer is, never whether it holds: all brackets share the truth.
TEST(Settings, EveryAccountantEnclosesTheSameNumber) {
  const Bracket best = epsilon_with({});
  for (const Accountant accountant : {Accountant::kPld, Accountant::kRenyi, Accountant::kBasic}) {
    const Bracket other = epsilon_with({.accountant = accountant});
    EXPECT_LE(other.lower(), best.upper());
    EXPECT_GE(other.upper(), best.lower());
  }
  EXPECT_LE(best.upper(), epsilon_with({.accountant = Accountant::kRenyi}).upper());
  EXPECT_LE(epsilon_with({.accountant = Accountant::kRenyi}).upper(),
            epsilon_with({.accountant = Accountant::kBasic}).upper());
}

TEST(Settings, RenyiRulesAreOrdered) {
  const auto upper = [](RenyiRule rule) {
    return epsilon_with({.accountant = Accountant::kRenyi, .renyi_rule = rule}).upper();
  };
  EXPECT_LE(upper(RenyiRule::kOptimal), upper(RenyiRule::kCanonneKamathSteinke) * (1.0 + 1e-6));
  EXPECT_LE(upper(RenyiRule::kCanonneKamathSteinke), upper(RenyiRule::kTextbook));
}

TEST(Settings, TheGoalIsMet) {
  Settings settings;
  settings.goal.epsilon_width = 1e-4;
  EXPECT_LE(epsilon_with(settings).width(), 1e-4);
  settings.goal.epsilon_width = 0.1;
  EXPECT_LE(epsilon_with(settings).width(), 0.1);
}

TEST(Settings, ClosedFormsAreUsedUnlessAnAccountantIsNamed) {
  const char* run = "gaussian(sigma=10) | compose(100)";
  EXPECT_LE(parse(run).epsilon(Delta(1e-6)).width(), 1e-10);
  const Bracket forced = parse(run, {.accountant = Accountant::kPld}).epsilon(Delta(1e-6));
  EXPECT_GT(forced.width(), 1e-10);
  EXPECT_LE(forced.lower(), parse(run).epsilon(Delta(1e-6)).upper());
  EXPECT_GE(forced.upper(), parse(run).epsilon(Delta(1e-6)).lower());
}

TEST(Settings, DistributionsOfWhatIsKnownByItsProfile) {
  const Delta at(1e-6);
  const double upper = parse("zcdp(0.1) + laplace(1)").epsilon(at).upper();
  EXPECT_LE(upper, parse("zcdp(0.1) + laplace(1)", {.accountant = Accountant::kPld}).epsilon(at).upper());
  EXPECT_LT(upper, parse("zcdp(0.1) + laplace(1)", {.accountant = Accountant::kBasic}).epsilon(at).upper());
}

}  // namespace
}  // namespace doeblin::pipeline
