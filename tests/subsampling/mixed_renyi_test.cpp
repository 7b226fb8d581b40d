// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/mixed_renyi.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/randomized_response.hpp"
#include "doeblin/profile/renyi_point.hpp"

namespace doeblin {
namespace {

constexpr double kOrders[] = {1.1, 1.5, 2.0, 3.0, 4.5, 16.0};

// D_alpha of two laws on two points.
double divergence(double p, double q, double alpha) {
  const double moment =
      std::pow(p, alpha) * std::pow(q, 1.0 - alpha) + std::pow(1.0 - p, alpha) * std::pow(1.0 - q, 1.0 - alpha);
  return std::log(moment) / (alpha - 1.0);
}

// Everybody's membership, told by randomised response: all laws have two points.
TEST(MixedRenyi, PoissonHoldsInBothDirections) {
  const double p = 0.8;
  const RenyiCurve base = renyi_of(RandomizedResponse{p});
  for (const double q : {1e-6, 0.01, 0.3, 0.9})
    for (const double alpha : kOrders) {
      const double mixed = q * p + (1.0 - q) * (1.0 - p);
      const double removed = divergence(mixed, 1.0 - p, alpha), added = divergence(1.0 - p, mixed, alpha);
      const double bound = poisson_renyi_bound(base, Bracket(q)).at(Alpha(alpha)).upper();
      EXPECT_GE(bound, std::max(removed, added) * (1.0 - 1e-9) - 1e-15) << q << " " << alpha;
      EXPECT_LE(bound, std::max(removed * 1.0001, -std::log1p(-q) * (1.0 + 1e-12)) + 0.5 * q) << q << " " << alpha;
      EXPECT_LE(bound, base.at(Alpha(alpha)).upper());
    }
}

// Exchanging the person that is told about: the laws of both sides are mixtures with the same weights.
TEST(MixedRenyi, HoldsForExchanges) {
  const double p = 0.8, q = 0.2;
  const RenyiCurve apart([&](Alpha alpha) { return Bracket(divergence(p, 1.0 - p, alpha.value()) * (1.0 + 1e-12)); });
  const CountWeights coin{{Bracket(1.0) - q, Bracket(q)}, 0.0, Bracket(q)};
  const RenyiCurve bound = mixed_renyi([&](double) { return apart; }, coin);
  for (const double alpha : kOrders) {
    const double moment = 1.0 - q + q * std::exp((alpha - 1.0) * divergence(p, 1.0 - p, alpha));
    EXPECT_NEAR(bound.at(Alpha(alpha)).upper(), std::log(moment) / (alpha - 1.0), 1e-9);
    for (const double others : {0.5, 0.2, 0.8})
      EXPECT_GE(bound.at(Alpha(alpha)).upper(),
                divergence((1.0 - q) * others + q * p, (1.0 - q) * others + q * (1.0 - p), alpha));
  }
}

// sum_k w_k N(k mu) against N(0), by the trapezoidal rule, in both directions.
TEST(MixedRenyi, EnclosesTheMixtureThatIsRemoved) {
  const double mu = 0.7;
  const CountWeights counts = binomial_weights(Bracket(0.1), 4.0, 0.0);
  const RenyiCurve bound = removed_renyi([&](double k) { return renyi_of(Gdp{numerics::Wide(mu) * k}); }, counts);
  for (const double alpha : {1.5, 2.0, 3.0, 6.0}) {
    double removing = 0.0, adding = 0.0;
    for (double z = -30.0; z < 40.0; z += 0.001) {
      double ratio = 0.0;
      for (std::size_t k = 0; k < counts.weights.size(); ++k) {
        const double shift = mu * static_cast<double>(k);
        ratio += counts.weights[k].upper() * std::exp(shift * z - 0.5 * shift * shift);
      }
      const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * M_PI) * 0.001;
      removing += density * std::pow(ratio, alpha);
      adding += density * std::pow(ratio, 1.0 - alpha);
    }
    const double truth = std::max(std::log(removing), std::log(adding)) / (alpha - 1.0);
    const Bracket found = bound.at(Alpha(alpha));
    EXPECT_LE(found.lower(), truth);
    EXPECT_GE(found.upper(), truth);
    EXPECT_LE(found.upper(), 12.0 * truth);
  }
  // Far out one number of draws decides: both ends say so.
  const Bracket far = bound.at(Alpha(40.0));
  EXPECT_LE(far.upper(), 1.05 * far.lower());
}

TEST(MixedRenyi, Edges) {
  const RenyiCurve base = renyi_of(Gdp::level(1.0));
  EXPECT_EQ(poisson_renyi_bound(base, Bracket(1.0)).at(Alpha(2.0)).upper(), base.at(Alpha(2.0)).upper());
  EXPECT_EQ(poisson_renyi_bound(renyi_of(Gdp::level(0.0)), Bracket(0.5)).at(Alpha(2.0)).upper(), 0.0);
  EXPECT_TRUE(std::isinf(poisson_renyi_bound(base, Bracket(0.5)).at(Alpha(rounding::kInfinity)).upper()));
  // Nothing is known above the order of a point, or about what was left out.
  const RenyiPoint point{8.0, 0.5};
  EXPECT_TRUE(std::isinf(poisson_renyi_bound(renyi_of(point), Bracket(0.5)).at(Alpha(9.0)).upper()));
  EXPECT_TRUE(std::isfinite(poisson_renyi_bound(renyi_of(point), Bracket(0.5)).at(Alpha(8.0)).upper()));
  const CountWeights cut = binomial_weights(Bracket(0.1), 400.0, 1e-30);
  EXPECT_TRUE(std::isinf(mixed_renyi([&](double) { return base; }, cut).at(Alpha(2.0)).upper()));
}

}  // namespace
}  // namespace doeblin
