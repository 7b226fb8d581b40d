// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/hidden_run.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "doeblin/iteration/published_iteration.hpp"
#include "doeblin/numerics/theta.hpp"
#include "support/chain.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

using test::Chain;

struct NamedMap {
  const char* name;
  double lipschitz;
  Chain::Map map;
};

// On [low, high]; every one is Lipschitz with the stated constant.
std::vector<NamedMap> maps_on(double low, double high) {
  const double middle = 0.5 * (low + high);
  const double width = high - low;
  const auto clip = [=](double x) { return std::min(high, std::max(low, x)); };
  return {
      {"identity", 1.0, [](double x) { return x; }},
      {"contraction to the middle", 0.5, [=](double x) { return middle + 0.5 * (x - middle); }},
      {"contraction to an end", 0.9, [=](double x) { return low + 0.9 * (x - low); }},
      {"reflection", 0.8, [=](double x) { return middle - 0.8 * (x - middle); }},
      {"clipped drift up", 1.0, [=](double x) { return clip(x + 0.2 * width); }},
      {"clipped drift down", 1.0, [=](double x) { return clip(x - 0.3 * width); }},
      {"drift out of the domain", 1.0, [=](double x) { return x + 0.4 * width; }},
      {"expansion", 1.3, [=](double x) { return middle + 1.3 * (x - middle); }},
      {"kink", 1.0, [=](double x) { return middle + std::fabs(x - middle); }},
  };
}

// The discretised chain is off by about (cell/noise)^2 z^2/24, z the number of deviations that matter.
constexpr double kChainError = 0.01;
constexpr double kChainNoise = 1e-13;

// Checks every analysis against one exact divergence; returns how many comparisons that was.
int check_all(const std::shared_ptr<const HiddenRun>& run, const std::vector<Use>& uses, std::size_t released,
              double epsilon, double exact, const std::string& text) {
  const double least = exact * (1.0 - kChainError) - kChainNoise;
  int checks = 0;
  for (const IterationAnalysis analysis :
       {IterationAnalysis::kBest, IterationAnalysis::kShift, IterationAnalysis::kContraction}) {
    EXPECT_GE(HiddenRelease(run, uses, released, analysis).delta(Epsilon(epsilon)).upper(), least) << text;
    ++checks;
  }
  if (uses.size() > 1) return checks;
  const NoisyStep& step = run->steps.at(1);
  const PublishedRun published{.ratio = uses[0].shift / step.noise,
                               .lipschitz = step.lipschitz.upper(),
                               .later = static_cast<double>(released - uses[0].step)};
  const double by_product = asoodeh_log_delta(published, Bracket(run->diameter) / step.noise, Epsilon(epsilon));
  EXPECT_GE(std::exp(by_product) * (1.0 + 1e-12), least) << text;
  return checks + 1;
}

TEST(HiddenRun, NoAnalysisIsBelowTheExactDivergenceOfAChain) {
  int checks = 0;
  for (const auto& [low, high] : {std::pair{0.0, 1.0}, std::pair{-1.0, 1.0}}) {
    const double width = high - low;
    const Chain chain(low, high);
    for (const NamedMap& map : maps_on(low, high))
      for (const double noise : {0.1 * width, 0.35 * width, 1.0 * width}) {
        const Chain::Kernel plain = chain.kernel(map.map, noise);
        for (const double shift : {0.15 * width, 0.6 * width})
          for (const double sign : {1.0, -1.0}) {
            const Chain::Kernel moved = chain.kernel([&](double x) { return map.map(x) + sign * shift; }, noise);
            for (const double start : {low, 0.5 * (low + high)}) {
              const Chain::Law first = chain.point(start);
              Chain::Law p = moved(first), q = plain(first);
              for (std::size_t later = 0; later <= 6; ++later) {
                if (later > 0) p = plain(p), q = plain(q);
                const auto run = std::make_shared<const HiddenRun>(
                    HiddenRun{NoisySteps({Bracket(map.lipschitz), Bracket(noise)}, later + 1), width});
                for (const double epsilon : {0.0, 0.1, 0.7, 2.0}) {
                  const double exact = std::max(Chain::divergence(p, q, epsilon), Chain::divergence(q, p, epsilon));
                  checks += check_all(run, {{1, Bracket(shift)}}, later + 1, epsilon, exact,
                                      std::string(map.name) + " noise " + std::to_string(noise) + " shift " +
                                          std::to_string(sign * shift) + " later " + std::to_string(later) +
                                          " epsilon " + std::to_string(epsilon));
                }
              }
            }
          }
      }
  }
  EXPECT_GT(checks, 20'000);
}

TEST(HiddenRun, SeveralUsesInABoundedDomain) {
  const Chain chain(0.0, 1.0);
  int checks = 0;
  for (const NamedMap& map : maps_on(0.0, 1.0))
    for (const double noise : {0.15, 0.5}) {
      const Chain::Kernel plain = chain.kernel(map.map, noise);
      const double shift = 0.3;
      const Chain::Kernel up = chain.kernel([&](double x) { return map.map(x) + 0.5 * shift; }, noise);
      const Chain::Kernel down = chain.kernel([&](double x) { return map.map(x) - 0.5 * shift; }, noise);
      for (const std::size_t gap : {1u, 2u, 5u})
        for (const std::size_t count : {2u, 4u}) {
          Chain::Law p = chain.point(0.5), q = p;
          std::vector<Use> uses;
          const std::size_t last = 1 + (count - 1) * gap;
          for (std::size_t t = 1; t <= last + 4; ++t) {
            const bool is_used = t <= last && (t - 1) % gap == 0;
            if (is_used) uses.push_back({t, Bracket(shift)});
            p = (is_used ? up : plain)(p);
            q = (is_used ? down : plain)(q);
            if (t < last) continue;
            const auto run = std::make_shared<const HiddenRun>(
                HiddenRun{NoisySteps({Bracket(map.lipschitz), Bracket(noise)}, t), 1.0});
            for (const double epsilon : {0.0, 0.5, 2.0})
              checks += check_all(run, uses, t, epsilon, Chain::divergence(p, q, epsilon), map.name);
          }
        }
    }
  EXPECT_GT(checks, 1500);
}

TEST(HiddenRun, LowerEndsAreAttainedByChains) {
  // The process that the lower end describes, on the line: linear maps around the middle of the interval.
  for (const double noise : {0.05, 0.1, 0.3})
    for (const std::size_t later : {0u, 1u, 3u}) {
      const double shift = 0.1, c = 0.9;
      const Chain chain(-0.5, 0.5, 800);
      Chain::Law p = chain.kernel([&](double) { return 0.5 * shift; }, noise)(chain.point(0.0));
      Chain::Law q = chain.kernel([&](double) { return -0.5 * shift; }, noise)(chain.point(0.0));
      const Chain::Kernel plain = chain.kernel([&](double x) { return c * x; }, noise);
      for (std::size_t t = 0; t < later; ++t) p = plain(p), q = plain(q);
      const auto run =
          std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(c), Bracket(noise)}, later + 1), 1.0});
      const HiddenRelease release(run, {{1, Bracket(shift)}}, later + 1);
      for (const double epsilon : {0.0, 0.3, 1.0}) {
        const double exact = Chain::divergence(p, q, epsilon);
        EXPECT_LE(release.delta(Epsilon(epsilon)).lower(), exact * (1.0 + kChainError) + kChainNoise);
      }
      // And says something where the domain is wide.
      if (noise == 0.05) EXPECT_GT(release.delta(Epsilon(0.3)).lower(), 0.5 * Chain::divergence(p, q, 0.3));
    }
}

// The best half-space after a projection onto a small ball in d dimensions: the square of what is across has d - 1 degrees of
// freedom, near d - 1 with a deviation of sqrt(2 d). In quantiles of a normal law, which is close enough for these d.
double divergence_on_a_small_ball(double level, double epsilon, double d) {
  double best = 0.0;
  for (double c = 0.0; c < 6.0; c += 0.01) {
    double p = 0.0, q = 0.0;
    constexpr int kCells = 200;
    for (int i = 0; i < kCells; ++i) {
      const double z = -5.0 + 10.0 * (i + 0.5) / kCells;
      const double weight = std::exp(-z * z / 2.0) / std::sqrt(2.0 * std::numbers::pi) * 10.0 / kCells;
      const double threshold = c * std::sqrt((d - 1.0 + z * std::sqrt(2.0 * d)) / (d - c * c));
      p += weight * std::erfc((threshold - level / 2.0) / std::numbers::sqrt2) / 2.0;
      q += weight * std::erfc((threshold + level / 2.0) / std::numbers::sqrt2) / 2.0;
    }
    best = std::max(best, p - std::exp(epsilon) * q);
  }
  return best;
}

TEST(HiddenRun, TheReleasedStepIsSeenInManyDimensions) {
  const std::vector<Use> uses = {{3, Bracket(1.5)}};
  const auto run = [](double share) {
    return std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(1.0), Bracket(1.0)}, 4), 0.01, share});
  };
  for (const double epsilon : {0.5, 2.0, 4.0}) {
    const Bracket delta = HiddenRelease(run(1.0), uses, 3).delta(Epsilon(epsilon));
    double last = 0.0;
    for (const double d : {1e3, 1e4, 1e6}) {
      const double value = divergence_on_a_small_ball(1.5, epsilon, d);
      EXPECT_LT(value, delta.upper()) << d;
      EXPECT_GT(value, last) << d;
      last = value;
    }
    EXPECT_NEAR(last, delta.lower(), 1e-3 * delta.lower());
    // On an interval less is seen; a later step hides everything.
    EXPECT_LT(HiddenRelease(run(0.0), uses, 3).delta(Epsilon(epsilon)).lower(), delta.lower());
    EXPECT_EQ(HiddenRelease(run(1.0), uses, 4).delta(Epsilon(epsilon)).lower(), 0.0);
    // A share of the shift.
    EXPECT_LT(HiddenRelease(run(0.5), uses, 3).delta(Epsilon(epsilon)).lower(), delta.lower());
  }
}

TEST(HiddenRun, WithoutADomainItIsExactlyGaussian) {
  const auto run = std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(0.9), Bracket(2.0)}, 5)});
  const HiddenRelease release(run, {{2, Bracket(1.0)}}, 5);
  EXPECT_TRUE(release.is_gaussian());
  const double mu = release.level().middle();
  const Bracket delta = release.delta(Epsilon(0.2));
  const Bracket truth = numerics::theta(0.2, numerics::Wide(mu));
  EXPECT_LE(delta.lower(), truth.upper());
  EXPECT_GE(delta.upper(), truth.lower());
  EXPECT_LE(delta.relative_width(), 1e-11);
  const Bracket epsilon = release.epsilon(Delta(1e-6));
  EXPECT_LE(release.delta(Epsilon(epsilon.upper())).upper(), 1e-6);
}

RC_GTEST_PROP(HiddenRun, BestIsNeverWorseThanTheOthers, ()) {
  const double c = *rc::gen::element(0.0, 0.3, 0.7, 0.95, 0.999, 1.0, 1.05);
  const double noise = test::log_uniform(0.05, 5.0);
  const double shift = test::log_uniform(0.01, 5.0);
  const double diameter = test::log_uniform(0.1, 20.0);
  const auto later = static_cast<std::size_t>(*rc::gen::inRange(0, 150));
  const auto count = static_cast<std::size_t>(*rc::gen::inRange(1, 4));
  const auto gap = static_cast<std::size_t>(*rc::gen::inRange(1, 30));
  std::vector<Use> uses;
  for (std::size_t k = 0; k < count; ++k) uses.push_back({1 + k * gap, Bracket(shift)});
  const std::size_t released = uses.back().step + later;
  const auto run =
      std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(c), Bracket(noise)}, released), diameter});
  const HiddenRelease best(run, uses, released);
  const Epsilon epsilon(*rc::gen::element(0, 1) == 0 ? 0.0 : test::log_uniform(1e-6, 5.0));
  const Delta delta(test::log_uniform(1e-20, 0.5));
  for (const IterationAnalysis other : {IterationAnalysis::kShift, IterationAnalysis::kContraction}) {
    const HiddenRelease release(run, uses, released, other);
    RC_ASSERT(best.delta(epsilon).upper() <= release.delta(epsilon).upper() * (1.0 + 1e-9));
    RC_ASSERT(best.epsilon(delta).upper() <= release.epsilon(delta).upper() * (1.0 + 1e-6));
  }
  if (count == 1 && c <= 1.0) {
    const PublishedRun published{.ratio = Bracket(shift) / noise, .lipschitz = c, .later = static_cast<double>(later)};
    const double product = asoodeh_log_delta(published, Bracket(diameter) / noise, epsilon);
    RC_ASSERT(best.log_delta(epsilon) <= product + 1e-9 * std::fabs(product) + 1e-12 || product < -745.0);
  }
}

RC_GTEST_PROP(HiddenRun, MoreStepsAndSmallerDomainsHelp, ()) {
  const double noise = test::log_uniform(0.05, 2.0);
  const double diameter = test::log_uniform(0.2, 5.0);
  const auto later = static_cast<std::size_t>(*rc::gen::inRange(0, 60));
  const Epsilon epsilon(test::log_uniform(1e-3, 3.0));
  const auto delta = [&](std::size_t steps, double width) {
    const auto run =
        std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(1.0), Bracket(noise)}, steps + 1), width});
    return HiddenRelease(run, {{1, Bracket(0.5)}}, steps + 1).delta(epsilon).upper();
  };
  const double base = delta(later, diameter);
  RC_ASSERT(delta(later + 1, diameter) <= base * (1.0 + 1e-9));
  RC_ASSERT(delta(later, 0.9 * diameter) <= base * (1.0 + 1e-9));
  RC_ASSERT(base <= delta(later, rounding::kInfinity) * (1.0 + 1e-9));
}

TEST(HiddenRun, Edges) {
  const auto run = std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(0.5), Bracket(1.0)}, 1), 1.0});
  EXPECT_EQ(HiddenRelease(run, {}, 1).delta(Epsilon(0.0)), Bracket(0.0));
  EXPECT_EQ(HiddenRelease(run, {{1, Bracket(1.0)}}, 1).delta(Epsilon(rounding::kInfinity)), Bracket(0.0));
  EXPECT_EQ(HiddenRelease(run, {{1, Bracket(0.0)}}, 1).delta(Epsilon(0.0)).upper(), 0.0);
  const auto unbounded = std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(0.5), Bracket(1.0)}, 1)});
  EXPECT_THROW(HiddenRelease(unbounded, {{1, Bracket(1.0)}}, 1, IterationAnalysis::kContraction), InvalidArgument);
  // A delta that no double can hold is never reported as 0.
  const auto deep = std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(0.5), Bracket(1.0)}, 50), 1.0});
  EXPECT_EQ(HiddenRelease(deep, {{1, Bracket(1.0)}}, 50).delta(Epsilon(1.0)).upper(), rounding::kSmallest);
}

}  // namespace
}  // namespace doeblin
