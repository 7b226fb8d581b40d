// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/subsampled_renyi.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/profile_to_renyi.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "support/generators.hpp"
#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

LossPair sampled_gaussian(const Gdp& base, double rate) {
  return poisson_sampled(LossPair::symmetric_of(profile_of(base)), Bracket(rate));
}

// The table has both directions; the curve is their maximum, the forward one.
TEST(SubsampledRenyi, MatchesTheTable) {
  int narrow = 0;
  const auto rows = test::read_table("poisson_gaussian_rdp.csv");
  for (const auto& row : rows) {
    const Gdp base = gdp(Gaussian{row["sigma"]});
    const RenyiCurve curve = poisson_renyi(renyi_of(base), Bracket(row["rate"]), sampled_gaussian(base, row["rate"]));
    const Bracket got = curve.at(Alpha(row["alpha"]));
    EXPECT_GE(got.upper(), row["truth_up"]) << row.text;
    if (row["direction"] == 0.0) {
      EXPECT_LE(got.lower(), row["truth_down"]) << row.text;
      if (got.relative_width() <= 2e-6) ++narrow;
    }
  }
  EXPECT_GT(narrow, 60);
}

// Integer orders by the binomial sum, and the same by the integral C2 over the profiles.
RC_GTEST_PROP(SubsampledRenyi, TwoRoutesAgreeAtIntegers, ()) {
  const bool gaussian = *rc::gen::arbitrary<bool>();
  const double noise = test::log_uniform(0.8, 10.0);
  const double rate = test::log_uniform(1e-4, 1.0);
  const Profile profile = gaussian ? profile_of(gdp(Gaussian{noise})) : profile_of(Laplace{noise});
  const RenyiCurve base = gaussian ? renyi_of(gdp(Gaussian{noise})) : renyi_of(Laplace{noise});
  const LossPair pair = poisson_sampled(LossPair::symmetric_of(profile), Bracket(rate));
  const Alpha alpha(*rc::gen::inRange(2, 9));
  const Bracket sum = poisson_renyi(base, Bracket(rate), pair).at(alpha);
  const Bracket integral = forward_renyi_from_pair(pair).at(alpha);
  RC_ASSERT(sum.lower() <= integral.upper());
  RC_ASSERT(integral.lower() <= sum.upper());
  RC_ASSERT(sum.relative_width() <= 1e-10);
  // The other direction is smaller.
  RC_ASSERT(renyi_from_pair(pair).at(alpha).lower() <= sum.upper());
}

RC_GTEST_PROP(SubsampledRenyi, GrowsWithTheOrderAndTheRate, ()) {
  const Gdp base = gdp(Gaussian{test::log_uniform(0.8, 10.0)});
  const double rate = test::log_uniform(1e-4, 0.7);
  const RenyiCurve curve = poisson_renyi(renyi_of(base), Bracket(rate), sampled_gaussian(base, rate));
  test::check_renyi(curve, rounding::kInfinity);
  const Alpha alpha(1.0 + test::log_uniform(0.1, 30.0));
  const RenyiCurve more = poisson_renyi(renyi_of(base), Bracket(1.4 * rate), sampled_gaussian(base, 1.4 * rate));
  RC_ASSERT(curve.at(alpha).lower() <= more.at(alpha).upper());
  RC_ASSERT(curve.at(alpha).lower() <= rdp(base, alpha).upper());
}

TEST(SubsampledRenyi, SmallRatesKeepTheirDigits) {
  const Gdp base = gdp(Gaussian{1.0});
  const Bracket tiny = poisson_renyi(renyi_of(base), Bracket(1e-9), sampled_gaussian(base, 1e-9)).at(Alpha(2.0));
  // log(1 + q^2 (e - 1)).
  EXPECT_LE(tiny.lower(), 1e-18 * 1.7182818284590453);
  EXPECT_GE(tiny.upper(), 1e-18 * 1.718281828459045);
  EXPECT_LE(tiny.relative_width(), 1e-12);
}

// Mass that one neighbour alone can produce makes every order infinite, sampled or not.
TEST(SubsampledRenyi, InfiniteLossesStayInfinite) {
  const BlackBox box{1.0, 1e-3};
  const LossPair pair = poisson_sampled(LossPair::symmetric_of(profile_of(box)), Bracket(0.1));
  for (const double alpha : {1.5, 2.0, 30.0})
    EXPECT_EQ(poisson_renyi(renyi_of(box), Bracket(0.1), pair).at(Alpha(alpha)).upper(), rounding::kInfinity);
}

TEST(SubsampledRenyi, RateOneIsTheBase) {
  const Gdp base = gdp(Gaussian{1.0});
  EXPECT_EQ(poisson_renyi(renyi_of(base), Bracket(1.0), sampled_gaussian(base, 1.0)).at(Alpha(3.5)),
            rdp(base, Alpha(3.5)));
}

}  // namespace
}  // namespace doeblin
