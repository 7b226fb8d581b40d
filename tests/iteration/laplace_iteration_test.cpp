// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/laplace_iteration.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/renyi_to_profile.hpp"
#include "support/chain.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

using test::Chain;

HiddenRun run_of(double c, double scale, double diameter, std::size_t steps) {
  return {NoisySteps({Bracket(c), Bracket(scale)}, steps), diameter};
}

TEST(LaplaceIteration, ContractionIsNeverAboveTheTable) {
  // The table has the chain alone; paying everything in the last step can be better still.
  for (const test::Row& row : test::read_table("iteration_laplace_logdelta.csv")) {
    const auto later = static_cast<std::size_t>(row["later"]);
    const HiddenRun run = run_of(row["lipschitz"], row["scale"], row["diameter"], later + 1);
    const double got = laplace_log_delta(run, {{1, Bracket(row["shift"])}}, later + 1, Epsilon(row["epsilon"]));
    const double truth = row["truth_up"];
    // Below what a double can hold the chain is not followed.
    if (got < -745.0) continue;
    EXPECT_LE(got, truth + 1e-9 * std::fabs(truth) + 1e-11) << row.text;
    const double last_step = row["shift"] * std::pow(row["lipschitz"], row["later"]) / row["scale"];
    if (last_step >= row["shift"] / row["scale"]) EXPECT_GE(got, row["truth_down"]) << row.text;
  }
}

TEST(LaplaceIteration, NoBoundIsBelowTheChain) {
  const Chain chain(0.0, 1.0);
  int checks = 0;
  for (const double c : {0.5, 1.0})
    for (const double scale : {0.1, 0.4})
      for (const double shift : {0.2, 0.5})
        for (const double sign : {1.0, -1.0}) {
          const auto map = [c](double x) { return 0.5 + c * (x - 0.5); };
          const Chain::Kernel plain = chain.kernel(map, scale, Chain::Noise::kLaplace);
          const Chain::Kernel moved =
              chain.kernel([&](double x) { return map(x) + sign * shift; }, scale, Chain::Noise::kLaplace);
          for (const bool twice : {false, true}) {
            Chain::Law p = moved(chain.point(0.5)), q = plain(chain.point(0.5));
            std::vector<Use> uses{{1, Bracket(shift)}};
            std::size_t t = 1;
            if (twice) {
              p = moved(plain(p)), q = plain(plain(q));
              t = 3;
              uses.push_back({t, Bracket(shift)});
            }
            for (int later = 0; later < 5; ++later, ++t) {
              if (later > 0) p = plain(p), q = plain(q);
              const HiddenRun run = run_of(c, scale, 1.0, t);
              const auto shared = std::make_shared<const HiddenRun>(run);
              const RenyiCurve curve = shifted_renyi(shared, uses, t, laplace_divergence);
              const Profile nothing([](Epsilon) { return Bracket(0.0); });
              const Profile by_renyi = profile_from_renyi(curve, nothing);
              for (const double epsilon : {0.0, 0.3, 1.0, 2.5}) {
                const double exact = std::max(Chain::divergence(p, q, epsilon), Chain::divergence(q, p, epsilon));
                const double least = exact * 0.98 - 1e-12;
                EXPECT_GE(std::exp(laplace_log_delta(run, uses, t, Epsilon(epsilon))), least) << c << " " << scale;
                EXPECT_GE(by_renyi.delta(Epsilon(epsilon)).upper(), least) << c << " " << scale;
                checks += 2;
              }
            }
          }
        }
  EXPECT_GT(checks, 1000);
}

RC_GTEST_PROP(LaplaceIteration, DivergenceIsThatOfTheMechanism, ()) {
  const double t = test::log_uniform(1e-6, 50.0);
  const Alpha alpha(1.0 + test::log_uniform(1e-3, 1e3));
  const Bracket ours = laplace_divergence(alpha, Bracket(t));
  const Bracket known = rdp(Laplace{1.0, t}, alpha);
  RC_ASSERT(ours.lower() <= known.upper());
  RC_ASSERT(known.lower() <= ours.upper());
}

TEST(LaplaceIteration, IteratedLaplace) {
  // [BBGG19] Example 2: two steps share the shift, g_alpha(z/2)^2 in place of g_alpha(z).
  const auto run = std::make_shared<const HiddenRun>(run_of(1.0, 1.0, rounding::kInfinity, 2));
  const Bracket two = shifted_renyi(run, {{1, Bracket(1.0)}}, 2, laplace_divergence).at(Alpha(2.0));
  EXPECT_NEAR(two.upper(), 2.0 * rdp(Laplace{1.0, 0.5}, Alpha(2.0)).upper(), 1e-12);
  EXPECT_LT(two.upper(), rdp(Laplace{1.0, 1.0}, Alpha(2.0)).upper());
  // At order infinity nothing is gained by splitting, but contraction is.
  const auto shrinking = std::make_shared<const HiddenRun>(run_of(0.5, 1.0, rounding::kInfinity, 3));
  const RenyiCurve pure = shifted_renyi(shrinking, {{1, Bracket(1.0)}}, 3, laplace_divergence);
  EXPECT_NEAR(pure.at(Alpha(rounding::kInfinity)).upper(), 0.25, 1e-12);
}

TEST(LaplaceIteration, AnyNoiseByItsDivergence) {
  // Gaussian noise through the same door gives alpha mu^2/2 with mu^2 = 1/(r+1).
  const auto gaussian = [](Alpha alpha, const Bracket& moved) { return moved * moved * alpha.value() / 2.0; };
  const auto run = std::make_shared<const HiddenRun>(run_of(1.0, 1.0, rounding::kInfinity, 10));
  EXPECT_NEAR(shifted_renyi(run, {{1, Bracket(1.0)}}, 10, gaussian).at(Alpha(3.0)).upper(), 1.5 / 10.0, 1e-14);
}

TEST(LaplaceIteration, RefusesSchedules) {
  const HiddenRun run{NoisySteps(std::vector<NoisyStep>{{Bracket(1.0), Bracket(1.0)}, {Bracket(1.0), Bracket(2.0)}})};
  EXPECT_THROW(static_cast<void>(laplace_log_delta(run, {{1, Bracket(1.0)}}, 2, Epsilon(1.0))), InvalidArgument);
}

TEST(LaplaceIteration, RoundingMovesEveryStep) {
  const double r = 0.05;
  const std::vector<Use> uses{{1, Bracket(1.0)}};
  // One step: Laplace noise moved by 1 + r.
  const HiddenRun once{NoisySteps({Bracket(1.0), Bracket(1.0)}, 1, r), rounding::kInfinity};
  const double truth = std::log(-std::expm1((0.5 - (1.0 + r)) / 2.0));
  EXPECT_GE(laplace_log_delta(once, uses, 1, Epsilon(0.5)), truth - 1e-14);
  EXPECT_NEAR(laplace_log_delta(once, uses, 1, Epsilon(0.5)), truth, 1e-12);
  // Everything in the last step: 0.9^3 and what the roundings add up to, at most 4 r.
  const HiddenRun four{NoisySteps({Bracket(0.9), Bracket(1.0)}, 4, r), rounding::kInfinity};
  const double carried = 0.9 * 0.9 * 0.9 + r * (1.0 + 0.9 + 0.81 + 0.729);
  EXPECT_GE(laplace_log_delta(four, uses, 4, Epsilon(0.1)), std::log(-std::expm1((0.1 - carried) / 2.0)) - 1e-14);
  // Renyi divergences: equal shifts of 1/4 + r in four steps, and no less than the pure loss of what is moved.
  const auto flat =
      std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(1.0), Bracket(1.0)}, 4, r), rounding::kInfinity});
  const double all = shifted_renyi(flat, uses, 4, laplace_divergence).at(Alpha(3.0)).upper();
  EXPECT_NEAR(all, 4.0 * laplace_divergence(Alpha(3.0), Bracket(0.25 + r)).upper(), 1e-12);
}

}  // namespace
}  // namespace doeblin
