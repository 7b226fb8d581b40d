// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/best_levels.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/gaussian.hpp"

namespace doeblin {
namespace {

using Law = std::vector<double>;
using Groups = std::function<Profile(double)>;

constexpr double kInfinite = rounding::kInfinity;

double divergence(double g, const Law& p, const Law& q) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] > 0.0) sum += q[i] == 0.0 ? p[i] : std::max(0.0, p[i] - g * q[i]);
  return sum;
}

double largest_loss(const Law& p, const Law& q) {
  double largest = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] > 0.0 && q[i] > 0.0) largest = std::max(largest, std::log(p[i] / q[i]));
  return largest;
}

// The worst of some pairs, from above.
Profile worst_of(const std::vector<std::pair<Law, Law>>& pairs, bool is_bound_known) {
  double bound = 0.0;
  for (const auto& [p, q] : pairs) bound = std::max(bound, largest_loss(p, q) * (1.0 + 1e-15));
  return Profile(
      [pairs](Epsilon epsilon) {
        double worst = 0.0;
        for (const auto& [p, q] : pairs) worst = std::max(worst, divergence(std::exp(epsilon.value()), p, q));
        return Bracket(0.0, std::min(1.0, worst * (1.0 + 1e-15)));
      },
      {.tight = false, .loss_bound = is_bound_known ? bound : kInfinite});
}

CountWeights weights_of(const Law& weights) {
  CountWeights counts{.weights = {}, .rest = 0.0, .some = Bracket(0.0)};
  double some = 0.0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    counts.weights.emplace_back(weights[j]);
    if (j > 0) some += weights[j];
  }
  counts.some = Bracket(some * (1.0 - 1e-15), std::min(1.0, some * (1.0 + 1e-15)));
  return counts;
}

// Laws of few outcomes for 0, 1, ... people of either side; some outcomes are impossible.
struct Sampled {
  Law weights;
  std::vector<Law> first, second;
  Law nobody;
};

class Cases {
 public:
  explicit Cases(unsigned seed) : random_(seed) {}

  Sampled next() {
    const std::size_t people = 1 + random_() % 4, outcomes = 2 + random_() % 4;
    const bool may_be_impossible = random_() % 2 == 0;
    Sampled sampled{law(people + 1, false), {}, {}, law(outcomes, may_be_impossible)};
    sampled.first = sampled.second = {sampled.nobody};
    for (std::size_t j = 1; j <= people; ++j) {
      sampled.first.push_back(law(outcomes, may_be_impossible));
      sampled.second.push_back(random_() % 4 == 0 ? sampled.nobody : law(outcomes, may_be_impossible));
    }
    return sampled;
  }

  bool coin() { return random_() % 2 == 0; }

 private:
  Law law(std::size_t outcomes, bool may_be_impossible) {
    Law law(outcomes);
    const double spread = coin() ? 1.0 : 5.0;
    double sum = 0.0;
    for (double& p : law) {
      p = may_be_impossible && random_() % 4 == 0 ? 0.0 : std::exp(spread * normal_(random_));
      sum += p;
    }
    if (sum == 0.0) law[0] = sum = 1.0;
    for (double& p : law) p /= sum;
    return law;
  }

  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

Law mixture(const Law& weights, const std::vector<Law>& laws) {
  Law mixed(laws[0].size(), 0.0);
  for (std::size_t j = 0; j < laws.size(); ++j)
    for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] += weights[j] * laws[j][i];
  return mixed;
}

// For j people: any two of the three laws, of j or fewer people; or only pairs with the law of nobody.
Groups groups_of(const Sampled& sampled, bool has_pairs_of_both_sides, bool is_bound_known) {
  return [=](double people) {
    std::vector<std::pair<Law, Law>> pairs;
    for (std::size_t j = 1; j <= std::min(static_cast<std::size_t>(people), sampled.first.size() - 1); ++j) {
      const Law &p = sampled.first[j], &q = sampled.second[j], &nobody = sampled.nobody;
      pairs.insert(pairs.end(), {{p, nobody}, {nobody, p}, {q, nobody}, {nobody, q}});
      if (has_pairs_of_both_sides) pairs.insert(pairs.end(), {{p, q}, {q, p}});
    }
    return worst_of(pairs, is_bound_known);
  };
}

void expect_above(const Profile& bound, const Sampled& sampled, const std::string& what) {
  const Law p = mixture(sampled.weights, sampled.first), q = mixture(sampled.weights, sampled.second);
  for (const double epsilon :
       {0.0, 1e-6, 0.01, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.2, 1.25, 1.3, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0}) {
    const double exact = std::max(divergence(std::exp(epsilon), p, q), divergence(std::exp(epsilon), q, p));
    ASSERT_GE(bound.delta(Epsilon(epsilon)).upper(), exact * (1.0 - 1e-12) - 1e-15) << what << ", epsilon " << epsilon;
  }
}

TEST(BestCounts, HoldForFiniteLaws) {
  Cases cases(1);
  for (int i = 0; i < 150; ++i) {
    const Sampled sampled = cases.next();
    const Groups groups = groups_of(sampled, true, cases.coin());
    expect_above(best_counts(groups, weights_of(sampled.weights)), sampled, "case " + std::to_string(i));
  }
}

TEST(BestExchanges, HoldForFiniteLaws) {
  Cases cases(2);
  for (int i = 0; i < 150; ++i) {
    const Sampled sampled = cases.next();
    const Groups groups = groups_of(sampled, false, cases.coin());
    expect_above(best_exchanges(groups, weights_of(sampled.weights)), sampled, "case " + std::to_string(i));
  }
}

// Often in the sample: e^{eps} is larger than e^{theta} long before nothing is left. On an event that t of the law
// without anybody hits, one person of the second law makes it less likely by e^{-theta}, two or three of the first one
// more likely by e^{2 theta} and e^{3 theta}.
TEST(BestCounts, LevelsBelowEpsilonGainNothing) {
  const double theta = 0.8, t = 0.05, a = std::exp(theta);
  const Law nobody = {t, 1.0 - t}, less = {t / a, 1.0 - t / a}, two = {t * a * a, 1.0 - t * a * a},
            three = {t * a * a * a, 1.0 - t * a * a * a};
  const Sampled sampled{{0.2, 0.5, 0.2, 0.1}, {nobody, nobody, two, three}, {nobody, less, nobody, nobody}, nobody};
  for (std::size_t j = 1; j <= 3; ++j)
    for (const auto& [p, q] : {std::pair{sampled.first[j], sampled.second[j]}, {sampled.first[j], nobody}})
      for (const double loss : {largest_loss(p, q), largest_loss(q, p)})
        ASSERT_LE(loss, static_cast<double>(j) * theta * (1.0 + 1e-12));
  const Groups pure = [theta](double j) { return profile_of(BlackBox{j * theta, 0.0}); };
  expect_above(best_counts(pure, weights_of(sampled.weights)), sampled, "pure");
}

// One person, (1, 1e-9)-DP, rate 0.05. 1e-9 of the first law nobody else has; and 1e-9 of the law without anybody the
// second one has not, where the first has e times as much: q 1e-9 + 1e-9 (q e - (1 - q)(g - 1)).
TEST(BestExchanges, WhatIsImpossibleOnTheOtherSideCounts) {
  const double q = 0.05;
  const Profile found = best_exchanges(
      [](double) {
        return profile_of(BlackBox{1.0, 1e-9});
      },
      weights_of({1.0 - q, q}));
  for (const double epsilon : {0.12, 0.13, 0.1333, 0.1336241288544384}) {
    const double exact = q * 1e-9 + 1e-9 * (q * std::exp(1.0) - (1.0 - q) * std::expm1(epsilon));
    EXPECT_GE(found.delta(Epsilon(epsilon)).upper(), exact * (1.0 - 1e-9)) << epsilon;
  }
}

// A linear program whose pieces each have a price per unit: the dearest first.
struct Piece {
  double price, length;
};

double spent(double value, double there_is, std::vector<Piece> pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.price > b.price; });
  for (const Piece& piece : pieces) {
    const double used = std::min(there_is, piece.length);
    value -= used * piece.price;
    there_is -= used;
  }
  return value;
}

// D_g = [e^{j theta} - g]_+/(1 + e^{j theta}): one piece each.
double exact_counts(const Law& weights, double theta, double epsilon) {
  const double g = std::exp(epsilon);
  double value = 0.0;
  std::vector<Piece> pieces;
  for (std::size_t j = 1; j < weights.size(); ++j) {
    const double top = std::exp(static_cast<double>(j) * theta);
    if (top <= g) continue;
    value += weights[j] * (top - g) / (1.0 + top);
    pieces.push_back({1.0 / (1.0 + top), weights[j] * (top - g)});
  }
  return spent(value, weights[0] * (g - 1.0), pieces);
}

// From a = 0 and b = 1: D_a falls by 1 up to e^{-j theta}, then as above; b D_{1/b} falls from 1 down to e^{-j theta}.
double exact_exchanges(const Law& weights, double theta, double epsilon) {
  const double g = std::exp(epsilon);
  double value = 0.0;
  std::vector<Piece> pieces;
  for (std::size_t j = 1; j < weights.size(); ++j) {
    const double top = std::exp(static_cast<double>(j) * theta), w = weights[j];
    value += w + g * w * (top - 1.0) / (1.0 + top);
    pieces.push_back({1.0, w / top});
    pieces.push_back({1.0 / (1.0 + top), w * (top - 1.0 / top)});
    pieces.push_back({top / (1.0 + top), g * w * (1.0 - 1.0 / top)});
  }
  return spent(value, g - weights[0], pieces);
}

Groups pure_groups(double theta) {
  return [theta](double j) { return profile_of(BlackBox{j * theta, 0.0}); };
}

const std::vector<Law>& some_weights() {
  static const std::vector<Law> weights = {{0.95, 0.05},
                                           {0.857375, 0.135375, 0.007125, 0.000125},
                                           {0.2, 0.5, 0.2, 0.1},
                                           {1e-3, 0.999},
                                           {0.9999, 9e-5, 1e-5}};
  return weights;
}

double mean_power(const Law& weights, double theta) {
  double sum = 0.0;
  for (std::size_t j = 0; j < weights.size(); ++j) sum += weights[j] * std::exp(static_cast<double>(j) * theta);
  return sum;
}

// E[e^{j B}] is all that is left of e^{eps}, and half of it has the value of the linear program.
// The smallest epsilon at which every number can have its largest loss, or epsilon, as its level.
double largest_of_counts(const Law& weights, double theta) {
  double low = 0.0, high = theta * static_cast<double>(weights.size());
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    double used = -weights[0] * std::expm1(middle);
    for (std::size_t j = 1; j < weights.size(); ++j)
      used += weights[j] * std::max(0.0, std::exp(static_cast<double>(j) * theta) - std::exp(middle));
    (used <= 0.0 ? high : low) = middle;
  }
  return high;
}

TEST(BestCounts, ArePureAndTheLinearProgram) {
  for (const Law& weights : some_weights())
    for (const double theta : {0.1, 0.8, 2.5}) {
      const Profile found = best_counts(pure_groups(theta), weights_of(weights));
      const double largest = largest_of_counts(weights, theta);
      EXPECT_GE(largest, std::log(mean_power(weights, theta)) * (1.0 - 1e-9));
      EXPECT_LE(found.delta(Epsilon(largest * (1.0 + 1e-9))).upper(), 1e-14);
      EXPECT_GT(found.delta(Epsilon(largest * (1.0 - 1e-6))).upper(), 0.0);
      EXPECT_NEAR(found.traits().loss_bound / largest, 1.0, 1e-9);
      const double exact = exact_counts(weights, theta, largest / 2.0);
      const double upper = found.delta(Epsilon(largest / 2.0)).upper();
      EXPECT_GE(upper, exact * (1.0 - 1e-12));
      EXPECT_LE(upper, exact * (1.0 + 1e-6));
    }
}

TEST(BestExchanges, ArePureAndTheLinearProgram) {
  for (const Law& weights : some_weights())
    for (const double theta : {0.1, 0.8, 2.5}) {
      const Profile found = best_exchanges(pure_groups(theta), weights_of(weights));
      const double largest = std::log(mean_power(weights, theta) / mean_power(weights, -theta));
      EXPECT_LE(found.delta(Epsilon(largest * (1.0 + 1e-9))).upper(), 1e-14);
      EXPECT_GT(found.delta(Epsilon(largest * (1.0 - 1e-6))).upper(), 0.0);
      EXPECT_NEAR(found.traits().loss_bound / largest, 1.0, 1e-9);
      const double exact = exact_exchanges(weights, theta, largest / 2.0);
      const double upper = found.delta(Epsilon(largest / 2.0)).upper();
      EXPECT_GE(upper, exact * (1.0 - 1e-12));
      EXPECT_LE(upper, exact * (1.0 + 1e-6));
    }
}

const std::vector<Groups>& some_groups() {
  static const std::vector<Groups> groups = {pure_groups(0.5),
                                             [](double j) {
                                               return profile_of(BlackBox{j, j * 1e-7});
                                             },
                                             [](double j) { return profile_of(Gdp{numerics::Wide(0.6) * j}); }};
  return groups;
}

TEST(BestCounts, AreNotMuchAboveOneLevelForAll) {
  for (const Groups& groups : some_groups())
    for (const Law& weights : some_weights()) {
      const Profile best = best_counts(groups, weights_of(weights));
      const Profile equal = sampled_counts(groups, weights_of(weights));
      for (const double epsilon : {0.0, 1e-4, 0.01, 0.1, 0.3, 1.0, 2.0})
        EXPECT_LE(best.delta(Epsilon(epsilon)).upper(), equal.delta(Epsilon(epsilon)).upper() * 1.02 + 1e-11)
            << epsilon;
    }
}

TEST(BestLevels, NeverRise) {
  for (const Groups& groups : some_groups())
    for (const Law& weights : some_weights())
      for (const Profile& best :
           {best_counts(groups, weights_of(weights)), best_exchanges(groups, weights_of(weights))}) {
        double before = 1.0;
        for (double epsilon = 0.0; epsilon < 4.0; epsilon += 0.013) {
          const double upper = best.delta(Epsilon(epsilon)).upper();
          EXPECT_LE(upper, before * (1.0 + 1e-12)) << epsilon;
          before = upper;
        }
      }
}

TEST(BestLevels, Edges) {
  const Groups leaky = [](double j) { return profile_of(BlackBox{j, 0.01}); };
  // Always in the sample: the mechanism itself, and twice as far when exchanged.
  const CountWeights always = weights_of({0.0, 1.0});
  for (const double epsilon : {0.0, 0.3, 0.99, 1.5}) {
    const double one = delta(BlackBox{1.0, 0.01}, Epsilon(epsilon)).upper();
    EXPECT_GE(best_counts(leaky, always).delta(Epsilon(epsilon)).upper(), one * (1.0 - 1e-12));
    EXPECT_LE(best_counts(leaky, always).delta(Epsilon(epsilon)).upper(), one * (1.0 + 1e-6));
    EXPECT_GE(best_exchanges(leaky, always).delta(Epsilon(epsilon)).upper(), one * (1.0 - 1e-12));
  }
  // What stays at an infinite epsilon is what the records that are there leave.
  for (const Law& weights : some_weights()) {
    const double some = 1.0 - weights[0];
    const Profile counts = best_counts(leaky, weights_of(weights)), both = best_exchanges(leaky, weights_of(weights));
    EXPECT_GE(counts.delta(Epsilon(kInfinite)).upper(), 0.01 * some * (1.0 - 1e-9));
    EXPECT_GE(both.delta(Epsilon(kInfinite)).upper(), 0.01 * some * (1.0 - 1e-9));
    EXPECT_LE(counts.delta(Epsilon(kInfinite)).upper(), 0.01 * some * (1.0 + 1e-6));
    EXPECT_LE(both.delta(Epsilon(0.0)).upper(), 1.0);
    // No level is better than another at 0.
    EXPECT_NEAR(
        counts.delta(Epsilon(0.0)).upper() / sampled_counts(leaky, weights_of(weights)).delta(Epsilon(0.0)).upper(),
        1.0, 1e-6);
  }
}

}  // namespace
}  // namespace doeblin
