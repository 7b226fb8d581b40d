// SPDX-License-Identifier: Apache-2.0
#include "doeblin/diffusion/grid_release.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {
namespace {

GridRelease release_of(LatticeLaw law, std::size_t columns, std::vector<GridTransition> path) {
  const GridColumn column{
      .exponent = -36, .sensitivity = 0x1p36, .attained = 0x1p36, .cells = 1.0, .path = std::move(path)};
  return {law, std::vector<GridColumn>(columns, column)};
}

const GridReleaseText kText{.stage = "release()", .source = "D6", .assumptions = {}};

TEST(GridRelease, GaussianColumnsCompose) {
  const Pipeline got = released(release_of(LatticeLaw::kGaussian, 4, {{1.0, 0x1p37}}), 1, kText);
  const Pipeline exact = gaussian({.sigma = 2.0}) | compose(4);
  for (const double delta : {1e-3, 1e-6, 1e-30, 1e-200}) {
    const Bracket bracket = got.epsilon(Delta(delta));
    const Bracket truth = exact.epsilon(Delta(delta));
    EXPECT_GE(bracket.upper(), truth.lower());
    EXPECT_LE(bracket.lower(), truth.upper());
    EXPECT_LE(bracket.upper(), truth.upper() * (1.0 + 1e-9));
  }
  EXPECT_EQ(got.relation(), Relation::kSubstitute);
  EXPECT_FALSE(got.mechanism().gaussian());
}

TEST(GridRelease, LaterReleasesAreMorePrivateThanEarlierOnes) {
  const GridRelease release = release_of(LatticeLaw::kGaussian, 2, {{0.75, 0x1p36}, {0.75, 0x1p36}, {0.5, 0x1p37}});
  double before = rounding::kInfinity;
  for (std::size_t number = 1; number <= 3; ++number) {
    const Bracket epsilon = released(release, number, kText).epsilon(Delta(1e-6));
    EXPECT_LT(epsilon.upper(), before);
    EXPECT_LE(epsilon.relative_width(), 1e-3);
    EXPECT_GT(epsilon.lower(), 0.0);
    before = epsilon.lower();
  }
}

TEST(GridRelease, LaplaceColumnsCompose) {
  const Pipeline got = released(release_of(LatticeLaw::kLaplace, 3, {{1.0, 0x1p37}}), 1, kText);
  const Pipeline exact = laplace({.scale = 2.0}) | compose(3);
  const Bracket pure = got.rdp(Alpha(rounding::kInfinity));
  EXPECT_GE(pure.upper(), 1.5);
  EXPECT_LE(pure.lower(), 1.5);
  EXPECT_LE(pure.upper(), 1.5 + 1e-9);
  const Bracket bracket = got.epsilon(Delta(1e-3));
  const Bracket truth = exact.epsilon(Delta(1e-3));
  EXPECT_GE(bracket.upper(), truth.lower());
  EXPECT_LE(bracket.lower(), truth.upper());
  EXPECT_LE(bracket.upper(), truth.upper() * (1.0 + 1e-3));
}

}  // namespace
}  // namespace doeblin::pipeline
