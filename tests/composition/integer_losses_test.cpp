// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/composition/loss_composition.hpp"
#include "doeblin/profile/discrete_gaussian.hpp"
#include "doeblin/profile/discrete_laplace.hpp"

// Losses that are multiples of one step: the law of their sum is counted out.
namespace doeblin {
namespace {

using Masses = std::vector<long double>;

Masses sum_of(const Masses& one, int count) {
  Masses sum{1.0L};
  for (int i = 0; i < count; ++i) {
    Masses next(sum.size() + one.size() - 1, 0.0L);
    for (std::size_t a = 0; a < sum.size(); ++a)
      for (std::size_t b = 0; b < one.size(); ++b) next[a + b] += sum[a] * one[b];
    sum = std::move(next);
  }
  return sum;
}

// Masses of the losses first, first + step, ... of one release.
struct Losses {
  Masses masses;
  long double first, step;
};

double truth(const Losses& one, const Masses& sum, int count, double epsilon) {
  long double delta = 0.0L;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const long double loss = count * one.first + one.step * static_cast<long double>(i);
    if (loss > epsilon) delta -= sum[i] * std::expm1(epsilon - loss);
  }
  return static_cast<double>(delta);
}

void check(const Profile& profile, const Losses& one, int count, const std::vector<double>& epsilons) {
  const Masses sum = sum_of(one.masses, count);
  const LossComposition composition({{LossPairs::exact(LossPair::symmetric_of(profile)), static_cast<double>(count)}});
  const auto pair =
      pair_of_composition({{LossPairs::exact(LossPair::symmetric_of(profile)), static_cast<double>(count)}});
  for (const double epsilon : epsilons) {
    const double exact = truth(one, sum, count, epsilon);
    // Next to 1 many epsilons have the same delta.
    if (!(exact > 1e-200 && exact < 1.0 - 1e-9)) continue;
    const Bracket found = composition.delta(Epsilon(epsilon));
    EXPECT_LE(found.lower(), exact * (1.0 + 1e-12)) << count << " " << epsilon;
    EXPECT_GE(found.upper(), exact * (1.0 - 1e-12)) << count << " " << epsilon;
    EXPECT_LE(found.width(), kCompositionGoal.delta_width * found.upper()) << count << " " << epsilon;
    EXPECT_GE(pair->forward.delta(Epsilon(epsilon)).upper(), exact * (1.0 - 1e-12)) << count << " " << epsilon;
    const Bracket back = composition.epsilon(Delta(exact));
    EXPECT_LE(back.lower(), epsilon * (1.0 + 1e-12)) << count << " " << epsilon;
    EXPECT_GE(back.upper(), epsilon * (1.0 - 1e-9)) << count << " " << epsilon;
  }
}

TEST(IntegerLosses, DiscreteGaussiansMatchTheirSum) {
  for (const double sigma : {0.5, 2.0, 3.3})
    for (const double D : {1.0, 2.0, 3.0}) {
      const auto reach = static_cast<int>(std::ceil(38.0 * sigma));
      const long double step = static_cast<long double>(D) / (static_cast<long double>(sigma) * sigma);
      Losses one{.masses = {}, .first = 0.5L * step * (2.0L * (D - reach) - D), .step = step};
      long double total = 0.0L;
      for (int k = -reach; k <= reach; ++k) {
        one.masses.push_back(std::exp(-static_cast<long double>(k) * k / (2.0L * sigma * sigma)));
        total += one.masses.back();
      }
      for (long double& mass : one.masses) mass /= total;
      for (const int count : {2, 10, 30}) {
        const double mean = 0.5 * count * D * D / (sigma * sigma), deviation = std::sqrt(2.0 * mean);
        check(profile_of(DiscreteGaussian{sigma, D}), one, count,
              {0.1, mean, mean + 3.0 * deviation, mean + 8.0 * deviation});
      }
    }
}

TEST(IntegerLosses, DiscreteLaplacesMatchTheirSum) {
  for (const double scale : {0.7, 1.5, 4.0})
    for (const int D : {1, 2, 5}) {
      // Under the noise around D the loss at z is (2 min(max(z, 0), D) - D)/b.
      const long double b = scale, t = std::exp(-1.0L / b);
      Losses one{.masses = {}, .first = -D / b, .step = 2.0L / b};
      for (int m = 0; m <= D; ++m)
        one.masses.push_back(m == 0   ? std::pow(t, D) / (1.0L + t)
                             : m == D ? 1.0L / (1.0L + t)
                                      : std::pow(t, D - m) * (1.0L - t) / (1.0L + t));
      for (const int count : {2, 10, 30}) {
        const double most = count * D / scale;
        check(profile_of(DiscreteLaplace{scale, static_cast<double>(D)}), one, count,
              {0.1, 0.25 * most, 0.5 * most, 0.9 * most, 0.999 * most});
      }
    }
}

}  // namespace
}  // namespace doeblin
