// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/mixing.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "doeblin/mixing/kernel_curve.hpp"
#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/gdp.hpp"
#include "support/generators.hpp"
#include "support/kernels.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

void check_mixed(const std::string& table, const std::function<Profile(const test::Row&)>& before) {
  const auto evaluate = [&](const test::Row& row) {
    return mixed(before(row), dobrushin_kernel(row["gamma"], row["e"])).delta(Epsilon(row["epsilon"]));
  };
  test::check_table(table, evaluate, {.relative_width = 1e-9, .is_sensitive = [&](const test::Row& row) {
                                        return test::is_ill_conditioned(row, "epsilon", evaluate);
                                      }});
}

TEST(Mixing, BlackBoxesMatchTheTable) {
  check_mixed("mixing_black_box_delta.csv", [](const test::Row& row) {
    return profile_of(BlackBox{row["epsilon0"], row["delta0"]});
  });
}

TEST(Mixing, GaussiansMatchTheTable) {
  check_mixed("mixing_gaussian_delta.csv",
              [](const test::Row& row) { return profile_of(Gdp{numerics::Wide(row["mu"])}); });
}

// Published rules are uppers: at least the table's number, and not much more.
void check_published(const std::string& table, Profile (*rule)(const Profile&, double)) {
  for (const test::Row& row : test::read_table(table)) {
    const Profile before = profile_of(BlackBox{row["epsilon0"], row["delta0"]});
    const double got = rule(before, row["gamma"]).delta(Epsilon(row["epsilon"])).upper();
    EXPECT_GE(got, row["truth_up"]) << row.text;
    if (row["truth_up"] > 1e-300)
      EXPECT_LE(got, row["truth_up"] * (1.0 + 1e-9) + 1e-14 * before.delta(Epsilon(0.0)).upper()) << row.text;
  }
}

TEST(Mixing, PublishedRulesMatchTheTables) {
  check_published("mixing_published_doeblin_delta.csv", published_doeblin);
  check_published("mixing_published_ultra_delta.csv", published_ultra_mixing);
}

TEST(Mixing, TheExampleOfTheCatalogue) {
  // M5 in the pure case: e^eps' = (1 + e^{eps + e0})/(e^eps + e^e0); .434 at eps = e0 = 1, and M4 gives .735.
  const Profile before = profile_of(BlackBox{1.0});
  const double gamma = -std::expm1(-1.0);
  const Bracket ours = mixed(before, ultra_mixing_kernel(gamma)).epsilon(Delta(1e-300));
  EXPECT_NEAR(ours.upper(), std::log((1.0 + std::exp(2.0)) / (2.0 * std::exp(1.0))), 1e-12);
  EXPECT_NEAR(ours.upper(), 0.434, 5e-4);
  EXPECT_NEAR(published_ultra_mixing(before, gamma).epsilon(Delta(1e-300)).upper(), 0.735, 5e-4);
}

TEST(Mixing, Edges) {
  const Profile gaussian = profile_of(Gdp{numerics::Wide(1.0)});
  const Epsilon one(1.0);
  EXPECT_EQ(mixed(gaussian, dobrushin_kernel(0.0)).delta(one).upper(), 0.0);
  EXPECT_EQ(mixed(gaussian, dobrushin_kernel(1.0)).delta(one), gaussian.delta(one));
  EXPECT_EQ(mixed(gaussian, ultra_mixing_kernel(1.0)).delta(one), gaussian.delta(one));
  EXPECT_EQ(mixed(gaussian, ultra_mixing_kernel(0.0)).delta(one).upper(), 0.0);
  EXPECT_EQ(mixed(gaussian, dobrushin_kernel(0.5)).delta(Epsilon(kInfinity)).upper(), 0.0);
  EXPECT_EQ(mixed(profile_of(BlackBox{0.0, 0.0}), dobrushin_kernel(0.5)).delta(Epsilon(0.0)).upper(), 0.0);
  EXPECT_EQ(mixed(profile_of(BlackBox{0.0, 1.0}), dobrushin_kernel(0.5)).delta(Epsilon(800.0)).upper(), 0.5);
  // Far below the doubles the smallest of them is the answer.
  const double tiny = mixed(profile_of(BlackBox{0.0, 5e-324}), dobrushin_kernel(0.5)).delta(one).upper();
  EXPECT_EQ(tiny, 5e-324);
  for (const double bad : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THROW((void)dobrushin_kernel(bad), InvalidArgument);
    EXPECT_THROW((void)ultra_mixing_kernel(bad), InvalidArgument);
    EXPECT_THROW((void)published_doeblin(gaussian, bad), InvalidArgument);
  }
  EXPECT_THROW((void)dobrushin_kernel(0.5, -1.0), InvalidArgument);
  EXPECT_THROW((void)repeated(dobrushin_kernel(0.5), 0.0), InvalidArgument);
  EXPECT_THROW((void)repeated(dobrushin_kernel(0.5), 1.5), InvalidArgument);
}

TEST(Mixing, RepeatingMultipliesDobrushinCoefficients) {
  const Bracket after = repeated(dobrushin_kernel(0.5), 10.0).profile.delta(Epsilon(0.0));
  EXPECT_TRUE(after.contains(std::pow(0.5, 10)));
  EXPECT_LT(after.relative_width(), 1e-14);
  // Steps that are not counted only make the bound larger.
  EXPECT_EQ(repeated(dobrushin_kernel(1.0), 1e9).profile.delta(Epsilon(0.0)).upper(), 1.0);
}

RC_GTEST_PROP(Mixing, IsMonotoneAndNeverHurts, ()) {
  const BlackBox box{test::log_uniform(1e-3, 10.0), test::log_uniform(1e-30, 0.5)};
  const BlackBox less{box.epsilon * test::uniform(0.0, 1.0), box.delta * test::uniform(0.0, 1.0)};
  const double gamma = test::uniform(0.0, 1.0);
  const double smaller = gamma * test::uniform(0.0, 1.0);
  const double level = test::uniform(0.0, 3.0);
  const Epsilon epsilon(test::uniform(0.0, 5.0));
  const double value = mixed(profile_of(box), dobrushin_kernel(gamma, level)).delta(epsilon).upper();
  const double slack = 1e-12 * value + 1e-15;
  RC_ASSERT(value <= delta(box, epsilon).upper());
  RC_ASSERT(mixed(profile_of(less), dobrushin_kernel(gamma, level)).delta(epsilon).upper() <= value + slack);
  RC_ASSERT(mixed(profile_of(box), dobrushin_kernel(smaller, level)).delta(epsilon).upper() <= value + slack);
  RC_ASSERT(mixed(profile_of(box), dobrushin_kernel(gamma, level * 0.9)).delta(epsilon).upper() <= value + slack);
  RC_ASSERT(mixed(profile_of(box), dobrushin_kernel(gamma, level)).delta(Epsilon(epsilon.value() + 0.1)).upper() <=
            value + slack);
}

// The order that the catalogue states: M5 <= M4, M6 <= M3, and M2 with an epsilon below M1 where it says more.
RC_GTEST_PROP(Mixing, OursIsNeverAboveThePublishedRules, ()) {
  const BlackBox box{test::log_uniform(1e-3, 5.0), *rc::gen::element(0.0, 1e-30, 1e-6, 0.01)};
  const Profile before = profile_of(box);
  const double gamma = test::uniform(0.001, 0.999);
  const Epsilon epsilon(test::uniform(0.0, 6.0));
  const auto at = [&](const Profile& profile) { return profile.delta(epsilon).upper(); };
  RC_ASSERT(at(mixed(before, ultra_mixing_kernel(gamma))) <= at(published_ultra_mixing(before, gamma)) * (1 + 1e-12));
  RC_ASSERT(at(mixed(before, dobrushin_kernel(gamma))) <= at(published_doeblin(before, gamma)) * (1 + 1e-12));
  RC_ASSERT(at(mixed(before, ultra_mixing_kernel(gamma))) <= at(mixed(before, dobrushin_kernel(gamma))) * (1 + 1e-12));
}

// P = d at x and 1 - d at x', Q at x': the mechanism that attains M2 for every kernel.
TEST(Mixing, TheConstructedWorstCaseAttainsM2) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  double widest = 0.0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t states = 2 + random() % 12;
    const test::Rows rows = test::random_rows(random, states, states);
    const auto exact = test::exact_rows(rows);
    const auto kernel = std::make_shared<const FiniteKernel>(test::dense_kernel(rows));
    const double epsilon = 3.0 * uniform(random) * uniform(random);
    const double d = std::pow(10.0, -4.0 * uniform(random));
    const double level = std::log1p(std::expm1(epsilon) / d);
    const PairCoefficient worst = hockey_stick(*kernel, Epsilon(level));
    std::vector<long double> p(states, 0.0L);
    std::vector<long double> q(states, 0.0L);
    p[worst.first] += d;
    p[worst.second] += 1.0L - static_cast<long double>(d);
    q[worst.second] = 1.0L;
    const long double attained = test::hockey_stick(test::after(p, exact), test::after(q, exact), epsilon);
    const Profile before([d](Epsilon) { return Bracket(d); });
    const double bound = mixed(before, mixing_kernel(kernel)).delta(Epsilon(epsilon)).upper();
    EXPECT_GE(bound, static_cast<double>(attained) * (1.0 - 1e-15));
    widest = std::max(widest, bound - static_cast<double>(attained));
    // It meets the premise: at most d in both directions.
    EXPECT_LE(test::hockey_stick(p, q, epsilon), d * (1.0 + 1e-15));
    EXPECT_LE(test::hockey_stick(q, p, epsilon), d * (1.0 + 1e-12));
  }
  EXPECT_LT(widest, 1e-12);
}

// A kernel on two states with rows (1, e0)/(1 + e0) and back, after the pair that a black box allows.
TEST(Mixing, TheConstructedWorstCaseAttainsM5) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int round = 0; round < 300; ++round) {
    const double gamma = 0.999 * uniform(random);
    const long double e0 = 1.0L / (1.0L - static_cast<long double>(gamma));
    // A flip with probability 1/(1 + e0) turns (a, 1 - a) into this, and so on.
    const auto flipped = [e0](long double x) {
      const long double kept = (x * e0 + (1 - x)) / (1 + e0);
      return std::vector<long double>{kept, 1 - kept};
    };
    const BlackBox box{4.0 * uniform(random), round % 2 == 0 ? 0.0 : 0.1 * uniform(random)};
    const long double g0 = std::exp(static_cast<long double>(box.epsilon));
    const long double a = box.delta + (1.0L - box.delta) * g0 / (1 + g0);
    const long double b = (1.0L - box.delta) / (1 + g0);
    const double epsilon = 2.0 * uniform(random) * box.epsilon * uniform(random);
    const long double attained = test::hockey_stick(flipped(a), flipped(b), epsilon);
    const Bracket bound = mixed(profile_of(box), ultra_mixing_kernel(gamma)).delta(Epsilon(epsilon));
    EXPECT_GE(bound.upper(), static_cast<double>(attained) - 1e-17);
    // Below box.epsilon the pair is the worst at this epsilon.
    if (epsilon < box.epsilon) EXPECT_LE(bound.upper(), static_cast<double>(attained) + 1e-9);
    if (epsilon < box.epsilon) EXPECT_LE(bound.lower(), static_cast<double>(attained) + 1e-15);
  }
}

// No mechanism on the states of a kernel does worse than the bound from its own profile, whatever the rule.
TEST(Mixing, NoMechanismFoundBySearchIsAboveTheBounds) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int round = 0; round < 400; ++round) {
    const std::size_t states = 2 + random() % 9;
    const test::Rows rows = test::random_rows(random, states, states);
    const auto exact = test::exact_rows(rows);
    const auto kernel = std::make_shared<const FiniteKernel>(test::dense_kernel(rows));
    const double epsilon = round % 5 == 0 ? 0.0 : 2.0 * uniform(random);
    const MixingKernel curve = mixing_kernel(kernel);
    const double gamma = dobrushin(*kernel).value.upper();
    const double doeblin = doeblin_coefficient(*kernel).gamma.upper();
    const double ultra = ultra_mixing_coefficient(*kernel).gamma.upper();
    // Climb from a random pair: change one entry, keep what is worse relative to its bound.
    auto laws = test::random_rows(random, 2, states);
    double closest = 0.0;
    for (int climb = 0; climb < 60; ++climb) {
      auto changed = laws;
      std::vector<double>& law = changed[random() % 2];
      law[random() % states] *= 4.0 * uniform(random) * uniform(random);
      double sum = 0.0;
      for (const double entry : law) sum += entry;
      if (!(sum > 0.0)) continue;
      for (double& entry : law) entry /= sum;
      const auto pair = test::exact_rows(changed);
      // The mechanism's own profile, both directions.
      const Profile before([pair](Epsilon at) {
        const long double level = at.value();
        const long double worst =
            std::max(test::hockey_stick(pair[0], pair[1], level), test::hockey_stick(pair[1], pair[0], level));
        const auto value = static_cast<double>(worst);
        return Bracket(value * (1.0 - 1e-15), std::min(1.0, value * (1.0 + 1e-15)));
      });
      const auto left = test::after(pair[0], exact);
      const auto right = test::after(pair[1], exact);
      const auto truth = static_cast<double>(
          std::max(test::hockey_stick(left, right, epsilon), test::hockey_stick(right, left, epsilon)));
      const double bound = mixed(before, curve).delta(Epsilon(epsilon)).upper();
      const double tolerance = 1.0 - 1e-13;  // the enumeration's own rounding
      ASSERT_GE(bound, truth * tolerance - 1e-18);
      for (const Profile& other : {mixed(before, dobrushin_kernel(gamma)), mixed(before, dobrushin_kernel(doeblin)),
                                   mixed(before, ultra_mixing_kernel(ultra)), published_doeblin(before, doeblin),
                                   published_ultra_mixing(before, ultra)})
        ASSERT_GE(other.delta(Epsilon(epsilon)).upper(), bound * (1.0 - 1e-9) - 1e-15);
      const double ratio = bound > 0.0 ? truth / bound : 0.0;
      if (ratio >= closest) closest = ratio, laws = changed;
    }
  }
}

}  // namespace
}  // namespace doeblin
