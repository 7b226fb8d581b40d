// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/tilted_lattice.hpp"

#include <map>

#include <gtest/gtest.h>

#include "support/generators.hpp"
#include "support/lattice.hpp"

namespace doeblin {
namespace {

LossLattice random_loss_lattice() {
  LossLattice lattice{.step = 0x1p-4, .first = *rc::gen::inRange(-20, 5)};
  const int points = *rc::gen::inRange(1, 30);
  double sum = 0.0;
  for (int k = 0; k < points; ++k) {
    lattice.mass.push_back(*rc::gen::inRange(0, 4) == 0 ? 0.0 : std::exp(test::uniform(-60.0, 0.0)));
    sum += lattice.mass.back();
  }
  lattice.mass[0] += 1e-3;
  for (double& mass : lattice.mass) mass /= 2.0 * (sum + 1e-3);
  lattice.infinite = *rc::gen::arbitrary<bool>() ? 0.0 : 1e-6;
  return lattice;
}

using Masses = std::map<std::int64_t, long double>;

// By definition, in long double.
Masses exact_convolution(const std::vector<std::pair<LossLattice, int>>& parts) {
  Masses total = {{0, 1.0L}};
  for (const auto& [lattice, count] : parts)
    for (int i = 0; i < count; ++i) {
      Masses next;
      for (const auto& [at, mass] : total)
        for (std::size_t k = 0; k < lattice.mass.size(); ++k)
          next[at + lattice.first + static_cast<std::int64_t>(k)] += mass * lattice.mass[k];
      total = next;
    }
  return total;
}

// A thousandth too much mass, to a power that no double holds: everything may be infinite, and nothing is known below.
TEST(TiltedLattice, ErrorsThatOverflowLeaveNothingKnown) {
  TiltedLattice lattice{.step = 0x1p-4, .first = -1, .mass = {0.25, 0.5, 0.251}};
  const LatticePart part{&lattice, 0x1p53};
  const LossWindow window{.first = -10, .last = 10, .outside_below = 1e-10, .outside_above = 1e-10};
  const TiltedLattice above = convolved({part}, window, Side::kUpper);
  EXPECT_EQ(above.infinite, 1.0);
  const TiltedLattice below = convolved({part}, window, Side::kLower);
  EXPECT_EQ(below.infinite, 0.0);
  for (const double mass : below.mass) EXPECT_EQ(mass, 0.0);
}

RC_GTEST_PROP(TiltedLattice, EveryMassIsOnItsSide, ()) {
  std::vector<std::pair<LossLattice, int>> parts;
  const int kinds = *rc::gen::inRange(1, 4);
  for (int i = 0; i < kinds; ++i) parts.emplace_back(random_loss_lattice(), *rc::gen::inRange(1, 5));
  const Masses exact = exact_convolution(parts);
  const double tilt = *rc::gen::arbitrary<bool>() ? 0.0 : test::log_uniform(1e-3, 40.0);
  for (const Side side : {Side::kLower, Side::kUpper}) {
    std::vector<TiltedLattice> lattices;
    for (const auto& [lattice, count] : parts) lattices.push_back(tilted(lattice, tilt, side));
    std::vector<LatticePart> views;
    for (std::size_t i = 0; i < parts.size(); ++i)
      views.push_back({&lattices[i], static_cast<double>(parts[i].second)});
    const LossWindow window = window_of(views, *rc::gen::arbitrary<bool>() ? 1e-14 : 1e-4);
    const TiltedLattice total = convolved(views, window, side);
    long double outside = 0.0L;
    for (const auto& [at, mass] : exact) {
      const std::int64_t k = at - total.first;
      const long double scale =
          std::exp(static_cast<long double>(total.log_scale) - tilt * static_cast<long double>(at) * total.step);
      if (k < 0 || k >= static_cast<std::int64_t>(total.mass.size())) {
        outside += mass / scale;
        continue;
      }
      const long double got = total.mass[static_cast<std::size_t>(k)];
      if (side == Side::kUpper) RC_ASSERT(got >= mass / scale * (1.0L - 1e-15L));
      if (side == Side::kLower) RC_ASSERT(got <= mass / scale * (1.0L + 1e-15L));
      // Wrapped mass may be anywhere; besides that the entries are accurate.
      RC_ASSERT(std::fabs(got - mass / scale) <= 4e-4L + 1e-12L);
    }
    if (side == Side::kUpper) RC_ASSERT(total.stray >= outside * (1.0L - 1e-12L));
  }
}

RC_GTEST_PROP(TiltedLattice, InfiniteMassAccumulates, ()) {
  LossLattice lattice = random_loss_lattice();
  lattice.infinite = test::log_uniform(1e-12, 0.5);
  const double count = std::floor(test::log_uniform(1.0, 1e6));
  const long double exact =
      -std::expm1(static_cast<long double>(count) * std::log1p(-static_cast<long double>(lattice.infinite)));
  const TiltedLattice upper = tilted(lattice, 1.0, Side::kUpper);
  const TiltedLattice lower = tilted(lattice, 1.0, Side::kLower);
  const std::vector<LatticePart> above = {{&upper, count}};
  const std::vector<LatticePart> below = {{&lower, count}};
  RC_PRE(window_of(above, 1e-6).points() < 1e6);
  RC_ASSERT(convolved(above, window_of(above, 1e-6), Side::kUpper).infinite >= exact * (1.0L - 1e-17L));
  RC_ASSERT(convolved(below, window_of(below, 1e-6), Side::kLower).infinite <= exact * (1.0L + 1e-17L));
}

// A fair coin tossed a thousand times, tilted to where one in 1e200 ends up.
TEST(TiltedLattice, ReachesFarIntoTheTail) {
  const LossLattice coin{.step = 1.0, .first = -1, .mass = {0.5, 0.0, 0.5}};
  const double n = 1000.0;
  const double tilt = 1.4;
  for (const Side side : {Side::kLower, Side::kUpper}) {
    const TiltedLattice one = tilted(coin, tilt, side);
    const std::vector<LatticePart> parts = {{&one, n}};
    const TiltedLattice total = convolved(parts, window_of(parts, 1e-14), side);
    // Pr[S = 900] = C(1000, 950) 2^-1000.
    const long double exact =
        std::lgamma(1001.0L) - std::lgamma(951.0L) - std::lgamma(51.0L) - 1000.0L * std::log(2.0L);
    const auto k = static_cast<std::size_t>(900 - total.first);
    const long double got = std::log(test::untilted_mass(total, k));
    if (side == Side::kUpper) EXPECT_GE(got, exact - 1e-15L * 600);
    if (side == Side::kLower) EXPECT_LE(got, exact + 1e-15L * 600);
    EXPECT_NEAR(static_cast<double>(got), static_cast<double>(exact), 1e-8);
  }
}

TEST(TiltedLattice, AnEmptyLatticeStaysEmpty) {
  const TiltedLattice nothing = tilted({.step = 1.0, .first = 0, .mass = {0.0}}, 2.0, Side::kLower);
  EXPECT_EQ(nothing.mass, std::vector<double>{0.0});
}

TEST(TiltedLattice, WindowsBeyondTheIndicesAreReported) {
  const LossLattice far{.step = 1.0, .first = 1000000, .mass = {0.5, 0.5}};
  const TiltedLattice one = tilted(far, 0.0, Side::kUpper);
  EXPECT_GT(window_of({{&one, 0x1p53}}, 1e-14).points(), 0x1p50);
}

}  // namespace
}  // namespace doeblin
