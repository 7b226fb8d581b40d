// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/shift.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

std::vector<Use> regular_uses(double shift, std::size_t uses, std::size_t gap) {
  std::vector<Use> all;
  for (std::size_t k = 0; k < uses; ++k) all.push_back({1 + k * gap, Bracket(shift)});
  return all;
}

TEST(ShiftLevel, EnclosesTheTruth) {
  for (const test::Row& row : test::read_table("iteration_shift_mu.csv")) {
    const auto uses = static_cast<std::size_t>(row["uses"]);
    const auto gap = static_cast<std::size_t>(row["gap"]);
    const std::size_t released = 1 + (uses - 1) * gap + static_cast<std::size_t>(row["later"]);
    const NoisySteps steps({Bracket(row["lipschitz"]), Bracket(row["noise"])}, released);
    const Bracket level = shift_level(steps, regular_uses(row["shift"], uses, gap), row["diameter"], released);
    EXPECT_GE(level.upper(), row["truth_up"]) << row.text << level;
    EXPECT_LE(level.lower(), row["truth_down"]) << row.text << level;
    // Restarts are tried next to uses only, which is optimal unless the maps expand.
    if (row["lipschitz"] <= 1.0 || std::isinf(row["diameter"]))
      EXPECT_LE(level.upper(), row["truth_up"] * (1.0 + 1e-10)) << row.text << level;
    if (std::isinf(row["diameter"])) EXPECT_GE(level.lower(), row["truth_down"] * (1.0 - 1e-10)) << row.text << level;
  }
}

TEST(ShiftLevel, CouplingOfTwoGaussians) {
  // I16: Gaussian after Gaussian with an L-Lipschitz map in between, sigma_*^2 = sigma_1^2 + sigma_2^2/L^2.
  const NoisySteps steps(std::vector<NoisyStep>{{Bracket(1.0), Bracket(2.0)}, {Bracket(0.5), Bracket(3.0)}});
  const Bracket level = shift_level(steps, {{1, Bracket(1.0)}}, rounding::kInfinity, 2);
  EXPECT_NEAR(level.middle(), 1.0 / std::sqrt(4.0 + 9.0 / 0.25), 1e-15);
}

// A linear process in the plane that attains the minorant (docs/theory/iteration.md): each time the slope rises, from
// l1 to l2, the plane is mapped onto the sufficient direction and the new uses point at an angle arccos(l1/l2) to it.
struct Plane {
  double m1 = 0.0, m2 = 0.0;               // difference of the means
  double v11 = 0.0, v12 = 0.0, v22 = 0.0;  // covariance

  [[nodiscard]] double information() const {
    const double det = v11 * v22 - v12 * v12;
    return (m1 * m1 * v22 - 2.0 * m1 * m2 * v12 + m2 * m2 * v11) / det;
  }
};

struct Minorant {
  std::vector<std::size_t> vertices;  // steps, 0 and the last included
  std::vector<double> slopes;
};

// By its definition: from each vertex to the later point with the smallest slope, the last of equals.
Minorant minorant_of(const std::vector<double>& tau, const std::vector<double>& staircase) {
  Minorant result{{0}, {}};
  while (result.vertices.back() + 1 < tau.size()) {
    const std::size_t from = result.vertices.back();
    std::size_t best = from + 1;
    double least = rounding::kInfinity;
    for (std::size_t to = from + 1; to < tau.size(); ++to) {
      const double slope = (staircase[to] - staircase[from]) / (tau[to] - tau[from]);
      if (slope <= least) least = slope, best = to;
    }
    result.vertices.push_back(best);
    result.slopes.push_back(least);
  }
  return result;
}

double attained_information(const std::vector<double>& c, const std::vector<double>& s,
                            const std::vector<double>& shift) {
  const std::size_t count = c.size();
  std::vector<double> tau{0.0}, staircase{0.0};
  double product = 1.0;
  for (std::size_t t = 0; t < count; ++t) {
    product *= c[t];
    tau.push_back(tau.back() + s[t] * s[t] / (product * product));
    staircase.push_back(staircase.back() + shift[t] / product);
  }
  const Minorant minorant = minorant_of(tau, staircase);
  Plane law;
  double cosine = 1.0;
  std::size_t segment = 0;
  for (std::size_t t = 0; t < count; ++t) {
    double keep = 1.0;
    if (segment + 1 < minorant.vertices.size() && t == minorant.vertices[segment + 1]) {
      ++segment;
      // Onto the sufficient direction Sigma^{-1} m, which becomes the first axis.
      const double det = law.v11 * law.v22 - law.v12 * law.v12;
      double b1 = (law.v22 * law.m1 - law.v12 * law.m2) / det;
      double b2 = (law.v11 * law.m2 - law.v12 * law.m1) / det;
      const double norm = std::hypot(b1, b2);
      if (norm > 0.0) {
        b1 /= norm, b2 /= norm;
        law = {b1 * law.m1 + b2 * law.m2, 0.0, b1 * b1 * law.v11 + 2.0 * b1 * b2 * law.v12 + b2 * b2 * law.v22, 0.0,
               0.0};
      }
      keep = 0.0;
      cosine = minorant.slopes[segment - 1] / minorant.slopes[segment];
    }
    const double sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
    law.m1 = c[t] * law.m1 + shift[t] * cosine;
    law.m2 = c[t] * law.m2 * keep + shift[t] * sine;
    law.v11 = c[t] * c[t] * law.v11 + s[t] * s[t];
    law.v12 = c[t] * c[t] * law.v12 * keep;
    law.v22 = c[t] * c[t] * law.v22 * keep + s[t] * s[t];
  }
  return law.information();
}

RC_GTEST_PROP(ShiftLevel, LinearProcessesInThePlaneAttainIt, ()) {
  const int count = *rc::gen::inRange(1, 25);
  std::vector<double> c, s, shift;
  std::vector<NoisyStep> list;
  std::vector<Use> uses;
  for (int t = 0; t < count; ++t) {
    c.push_back(test::uniform(0.5, 1.4));
    s.push_back(test::log_uniform(0.2, 5.0));
    const bool is_used = *rc::gen::inRange(0, 3) == 0 || (t + 1 == count && uses.empty());
    shift.push_back(is_used ? test::log_uniform(0.1, 10.0) : 0.0);
    list.push_back({Bracket(c.back()), Bracket(s.back())});
    if (is_used) uses.push_back({static_cast<std::size_t>(t) + 1, Bracket(shift.back())});
  }
  const auto released = static_cast<std::size_t>(count);
  const double level = shift_level(NoisySteps(list), uses, rounding::kInfinity, released).middle();
  RC_ASSERT(std::fabs(attained_information(c, s, shift) - level * level) <= 1e-10 * level * level);
}

RC_GTEST_PROP(ShiftLevel, NeverBelowOneLinearProcess, ()) {
  // psi(x) = c x on the line, every use in the same direction.
  const double c = test::uniform(0.3, 1.3);
  const double s = test::log_uniform(0.1, 10.0);
  const auto gap = static_cast<std::size_t>(*rc::gen::inRange(1, 10));
  const auto uses = static_cast<std::size_t>(*rc::gen::inRange(1, 10));
  const auto later = static_cast<std::size_t>(*rc::gen::inRange(0, 20));
  const std::size_t released = 1 + (uses - 1) * gap + later;
  double mean = 0.0, variance = 0.0;
  for (std::size_t t = 1; t <= released; ++t) {
    mean = c * mean + ((t - 1) % gap == 0 && (t - 1) / gap < uses ? 1.0 : 0.0);
    variance = c * c * variance + s * s;
  }
  const NoisySteps steps({Bracket(c), Bracket(s)}, released);
  const Bracket level = shift_level(steps, regular_uses(1.0, uses, gap), rounding::kInfinity, released);
  RC_ASSERT(level.upper() >= mean / std::sqrt(variance) * (1.0 - 1e-12));
  if (uses == 1) RC_ASSERT(level.lower() <= mean / std::sqrt(variance) * (1.0 + 1e-12));
}

RC_GTEST_PROP(ShiftLevel, MonotoneInEveryArgument, ()) {
  const double c = test::uniform(0.5, 1.0);
  const double s = test::log_uniform(0.1, 10.0);
  const double diameter = test::log_uniform(0.1, 100.0);
  const auto gap = static_cast<std::size_t>(*rc::gen::inRange(1, 20));
  const auto uses = static_cast<std::size_t>(*rc::gen::inRange(1, 12));
  const auto later = static_cast<std::size_t>(*rc::gen::inRange(0, 20));
  const auto level = [&](double lipschitz, double noise, double shift, double d, std::size_t more_later,
                         std::size_t more_uses) {
    const std::size_t released = 1 + (uses + more_uses - 1) * gap + later + more_later;
    return shift_level(NoisySteps({Bracket(lipschitz), Bracket(noise)}, released),
                       regular_uses(shift, uses + more_uses, gap), d, released)
        .upper();
  };
  const double base = level(c, s, 1.0, diameter, 0, 0);
  const double slack = 1.0 + 1e-12;
  RC_ASSERT(level(0.9 * c, s, 1.0, diameter, 0, 0) <= base * slack);
  RC_ASSERT(level(c, 1.1 * s, 1.0, diameter, 0, 0) <= base * slack);
  RC_ASSERT(level(c, s, 0.9, diameter, 0, 0) <= base * slack);
  RC_ASSERT(level(c, s, 1.0, 0.9 * diameter, 0, 0) <= base * slack);
  RC_ASSERT(level(c, s, 1.0, diameter, 3, 0) <= base * slack);
  RC_ASSERT(level(c, s, 1.0, diameter, 0, 1) >= base / slack);
}

TEST(ShiftLevel, EpochsStopCountingWhenTheDomainIsBounded) {
  const auto level = [](std::size_t epochs, double diameter) {
    const std::size_t released = epochs * 100;
    return shift_level(NoisySteps({Bracket(1.0), Bracket(1.0)}, released), regular_uses(1.0, epochs, 100), diameter,
                       released)
        .upper();
  };
  EXPECT_GT(level(1000, rounding::kInfinity), 3.0 * level(100, rounding::kInfinity));
  EXPECT_EQ(level(100'000, 20.0), level(1000, 20.0));
}

TEST(ShiftLevel, Edges) {
  const auto at = [](double c, double s, std::size_t later, double diameter = rounding::kInfinity) {
    return shift_level(NoisySteps({Bracket(c), Bracket(s)}, later + 1), {{1, Bracket(1.0)}}, diameter, later + 1);
  };
  EXPECT_EQ(at(0.0, 1.0, 1), Bracket(0.0));  // a constant map forgets
  EXPECT_NEAR(at(0.0, 2.0, 0).upper(), 0.5, 1e-14);
  // Maps that expand: the sum of c^{-2j} converges, so the level does.
  EXPECT_NEAR(at(1.5, 1.0, 100'000).middle(), std::sqrt(1.0 - 1.0 / 2.25), 1e-12);
  // Far below what a square could hold.
  const Bracket tiny = at(0.5, 1.0, 900);
  EXPECT_NEAR(std::log2(tiny.upper()), -900.0 + 0.5 * std::log2(0.75), 1e-9);
  EXPECT_GT(at(0.5, 1.0, 100'000).upper(), 0.0);
  EXPECT_THROW(static_cast<void>(at(1.0, 1.0, 1, 0.0)), InvalidArgument);
  const NoisySteps steps({Bracket(2.0), Bracket(1.0)}, 100'000);
  EXPECT_TRUE(std::isinf(kernel_level(steps, 5, 5, 1.0).upper()));
  // D/sqrt(1/4 + 1/16 + ...)
  EXPECT_NEAR(kernel_level(steps, 0, 100'000, 2.0).upper(), 2.0 * std::sqrt(3.0), 1e-12);
}

// Rounding is as if every step from the first use on moved the runs apart by a little more.
RC_GTEST_PROP(ShiftLevel, RoundingCoversARunThatIsMovedInEveryStep, ()) {
  const double c = test::uniform(0.5, 1.1), s = test::log_uniform(0.1, 10.0), r = test::log_uniform(1e-9, 1e-1);
  const auto steps = static_cast<std::size_t>(*rc::gen::inRange(1, 30));
  const auto first = static_cast<std::size_t>(*rc::gen::inRange(1, static_cast<int>(steps) + 1));
  const double shift = test::log_uniform(1e-3, 10.0);
  const double diameter = *rc::gen::arbitrary<bool>() ? rounding::kInfinity : test::log_uniform(0.1, 100.0);
  std::vector<Use> moved;
  for (std::size_t t = first; t <= steps; ++t) moved.push_back({t, Bracket(r * s + (t == first ? shift : 0.0))});
  const NoisyStep step{Bracket(c), Bracket(s)};
  const Bracket exact = shift_level(NoisySteps(step, steps), moved, diameter, steps);
  const Bracket rounded = shift_level(NoisySteps(step, steps, r), {{first, Bracket(shift)}}, diameter, steps);
  RC_ASSERT(rounded.upper() * (1.0 + 1e-12) >= exact.upper());
  // And it is no more than r sqrt(T) above a run without.
  const Bracket plain = shift_level(NoisySteps(step, steps), {{first, Bracket(shift)}}, diameter, steps);
  RC_ASSERT(rounded.lower() == plain.lower());
  RC_ASSERT(rounded.upper() <= (plain.upper() + r * std::sqrt(static_cast<double>(steps))) * (1.0 + 1e-12));
  // As a kernel: both ends of a linear process that is moved in every step.
  const double distance = test::log_uniform(0.1, 10.0);
  double mean = distance, variance = 0.0;
  for (std::size_t t = 0; t < steps; ++t) mean = c * mean + r * s, variance = c * c * variance + s * s;
  RC_ASSERT(kernel_level(NoisySteps(step, steps, r), 0, steps, distance).upper() * (1.0 + 1e-12) >=
            mean / std::sqrt(variance));
}

TEST(ShiftLevel, RunsThatNeverDifferAreRoundedAlike) {
  const NoisySteps steps({Bracket(0.5), Bracket(1.0)}, 5, 0.1);
  EXPECT_EQ(shift_level(steps, {{2, Bracket(0.0)}}, 1.0, 5), Bracket(0.0));
  // A constant map forgets, but what is computed of it need not be constant.
  EXPECT_GE(shift_level(NoisySteps({Bracket(0.0), Bracket(1.0)}, 5, 0.1), {{2, Bracket(1.0)}}, 1.0, 5).upper(), 0.1);
  EXPECT_THROW(NoisySteps({Bracket(0.5), Bracket(1.0)}, 5, -1e-9), InvalidArgument);
  EXPECT_THROW(NoisySteps({Bracket(0.5), Bracket(1.0)}, 5, std::nan("")), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
