// SPDX-License-Identifier: Apache-2.0
// What several people have who are sampled from randomised response or a matrix, against every coin, subset and draw.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "doeblin/pipeline/stages.hpp"
#include "support/generators.hpp"

namespace doeblin::pipeline {
namespace {

using Law = std::vector<double>;
// Records are 0 (one of the people), 1 (somebody whom such a one is exchanged for) and 2 (everybody else).
using Data = std::vector<int>;
using Described = std::function<Law(const Data&)>;

double count(const Data& data, int letter) { return static_cast<double>(std::count(data.begin(), data.end(), letter)); }

// Bits, each reported truthfully with probability p; exchanged people may also go, which is another kind of bit.
Described bits(double p, int ahead, int behind) {
  return [=](const Data& data) {
    Law law = {1.0};
    for (int bit = 0; bit < ahead + behind; ++bit) {
      const bool is_one = bit < ahead ? count(data, 0) > bit : count(data, 1) <= bit - ahead;
      Law longer;
      for (const double chance : law) {
        longer.push_back(chance * (is_one ? p : 1.0 - p));
        longer.push_back(chance * (is_one ? 1.0 - p : p));
      }
      law = longer;
    }
    return law;
  };
}

Law mixed(const std::vector<Data>& samples, const std::vector<double>& weights, const Described& mechanism) {
  Law law;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Law part = mechanism(samples[i]);
    law.resize(part.size(), 0.0);
    for (std::size_t y = 0; y < part.size(); ++y) law[y] += weights[i] * part[y];
  }
  return law;
}

Law with_coins(const Data& data, double rate, const Described& mechanism) {
  std::vector<Data> samples;
  std::vector<double> weights;
  for (unsigned coins = 0; coins < 1u << data.size(); ++coins) {
    Data sample;
    double weight = 1.0;
    for (std::size_t i = 0; i < data.size(); ++i) {
      const bool is_in = (coins >> i & 1u) != 0;
      if (is_in) sample.push_back(data[i]);
      weight *= is_in ? rate : 1.0 - rate;
    }
    samples.push_back(sample);
    weights.push_back(weight);
  }
  return mixed(samples, weights, mechanism);
}

Law with_subsets(const Data& data, std::size_t m, const Described& mechanism) {
  std::vector<Data> samples;
  for (unsigned chosen = 0; chosen < 1u << data.size(); ++chosen) {
    Data sample;
    for (std::size_t i = 0; i < data.size(); ++i)
      if ((chosen >> i & 1u) != 0) sample.push_back(data[i]);
    if (sample.size() == m) samples.push_back(sample);
  }
  return mixed(samples, std::vector<double>(samples.size(), 1.0 / static_cast<double>(samples.size())), mechanism);
}

Law with_draws(const Data& data, int m, const Described& mechanism) {
  std::vector<Data> samples = {{}};
  for (int draw = 0; draw < m; ++draw) {
    std::vector<Data> longer;
    for (const Data& sample : samples)
      for (const int record : data) {
        longer.push_back(sample);
        longer.back().push_back(record);
      }
    samples = longer;
  }
  return mixed(samples, std::vector<double>(samples.size(), 1.0 / static_cast<double>(samples.size())), mechanism);
}

double divergence(const Law& p, const Law& q, double epsilon) {
  double sum = 0.0;
  for (std::size_t y = 0; y < p.size(); ++y) sum += std::max(0.0, p[y] - std::exp(epsilon) * q[y]);
  return sum;
}

double worse(const Law& p, const Law& q, double epsilon) {
  return std::max(divergence(p, q, epsilon), divergence(q, p, epsilon));
}

constexpr double kEpsilons[] = {0.0, 0.1, 0.3, 0.8, 1.5};

// What the described mechanism has is the lower end, and below the upper one.
void expect_reached(const Pipeline& pipeline, const Law& p, const Law& q) {
  for (const double epsilon : kEpsilons) {
    const double truth = worse(p, q, epsilon);
    const Bracket got = pipeline.delta(Epsilon(epsilon));
    RC_ASSERT(got.lower() <= truth * (1.0 + 1e-9) + 1e-15);
    RC_ASSERT(got.lower() >= truth * (1.0 - 1e-9) - 1e-13);
    RC_ASSERT(got.upper() >= truth * (1.0 - 1e-9) - 1e-15);
  }
}

RC_GTEST_PROP(SampledPeople, BitsWithCoins, ()) {
  const double p = test::uniform(0.5, 1.0), rate = test::uniform(0.01, 0.99);
  for (const int k : {1, 2, 3}) {
    const Described mechanism = bits(p, k, 0);
    const Law all = with_coins(Data(static_cast<std::size_t>(k), 0), rate, mechanism);
    const Law none = with_coins({}, rate, mechanism);
    expect_reached(randomized_response(p) | poisson(rate) | group(k), all, none);
    expect_reached(randomized_response(p) | group(k) | poisson(rate), all, none);
  }
}

RC_GTEST_PROP(SampledPeople, BitsWithoutSampling, ()) {
  const double p = test::uniform(0.5, 1.0);
  for (const int k : {2, 3}) {
    const Described mechanism = bits(p, k, 0);
    expect_reached(randomized_response(p) | group(k), mechanism(Data(static_cast<std::size_t>(k), 0)), mechanism({}));
  }
}

RC_GTEST_PROP(SampledPeople, BitsWithCoinsTwice, ()) {
  const double p = test::uniform(0.5, 1.0), first = test::uniform(0.1, 0.9), second = test::uniform(0.1, 0.9);
  const Described mechanism = bits(p, 2, 0);
  const auto twice = [&](const Data& data) { return with_coins(data, first * second, mechanism); };
  expect_reached(randomized_response(p) | poisson(first) | poisson(second) | group(2), twice({0, 0}), twice({}));
}

RC_GTEST_PROP(SampledPeople, BitsOfThoseWhoAreExchanged, ()) {
  const double p = test::uniform(0.5, 1.0), rate = test::uniform(0.01, 0.99);
  for (const int k : {1, 2}) {
    const Described mechanism = bits(p, k, k);
    const auto size = static_cast<std::size_t>(k);
    expect_reached(randomized_response(p) | poisson(rate, Relation::kSubstitute) | group(k),
                   with_coins(Data(size, 0), rate, mechanism), with_coins(Data(size, 1), rate, mechanism));
  }
}

RC_GTEST_PROP(SampledPeople, BitsOfSubsets, ()) {
  const double p = test::uniform(0.5, 1.0);
  for (const std::size_t m : {1u, 2u, 4u, 5u})
    for (const int k : {2, 3}) {
      const Described mechanism = bits(p, k, 0);
      Data before(5, 2), after(5, 2);
      std::fill_n(before.begin(), k, 0);
      std::fill_n(after.begin(), k, 1);
      expect_reached(randomized_response(p) | without_replacement(5.0, static_cast<double>(m)) | group(k),
                     with_subsets(before, m, mechanism), with_subsets(after, m, mechanism));
    }
}

RC_GTEST_PROP(SampledPeople, BitsOfDraws, ()) {
  const double p = test::uniform(0.5, 1.0);
  for (const int k : {1, 2}) {
    const Described mechanism = bits(p, 3, 0);
    Data before(4, 2);
    std::fill_n(before.begin(), k, 0);
    const Law some = with_draws(before, 3, mechanism);
    const Law none = with_draws(Data(4, 2), 3, mechanism);
    expect_reached(randomized_response(p) | with_replacement(4.0, 3.0) | group(k), some, none);
    expect_reached(randomized_response(p) | with_replacement(4.0, 3.0, Relation::kAddRemove) | group(k), some, none);
  }
}

// Rows that are next to each other are neighbours, and so are those of each list of pairs.
FiniteMechanism random_matrix(std::size_t rows, bool is_path) {
  std::vector<Law> laws;
  for (std::size_t i = 0; i < rows; ++i) {
    Law law;
    double sum = 0.0;
    for (int y = 0; y < 3; ++y) law.push_back(*rc::gen::inRange(0, 8) == 0 ? 0.0 : test::uniform(0.02, 1.0));
    law[0] += 0.01;
    for (const double chance : law) sum += chance;
    for (double& chance : law) chance /= sum;
    laws.push_back(law);
  }
  std::vector<FiniteMechanism::Pair> pairs;
  for (std::size_t i = 0; i + 1 < rows && is_path; ++i) pairs.emplace_back(i, i + 1);
  return FiniteMechanism(laws, pairs);
}

// Every way to go through the rows, from -behind to ahead, with or without moving.
std::vector<std::vector<std::size_t>> all_walks(const FiniteMechanism& matrix, std::size_t steps) {
  std::vector<std::vector<std::size_t>> walks;
  for (std::size_t row = 0; row < matrix.rows().size(); ++row) walks.push_back({row});
  for (std::size_t step = 0; step < steps; ++step) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& walk : walks) {
      const auto extend = [&](std::size_t next) {
        longer.push_back(walk);
        longer.back().push_back(next);
      };
      extend(walk.back());
      for (const auto& [i, j] : matrix.adjacent()) {
        if (i == walk.back()) extend(j);
        if (j == walk.back()) extend(i);
      }
    }
    walks = longer;
  }
  return walks;
}

// The lower end is at most what the best walk has, and for two rows, where there is nothing to search, nearly that; the upper
// end is at least what every walk has.
void expect_walks(const Pipeline& pipeline, const FiniteMechanism& matrix, int ahead, int behind,
                  const std::function<Law(const Described&)>& first,
                  const std::function<Law(const Described&)>& second) {
  std::map<double, double> best;
  for (const auto& walk : all_walks(matrix, static_cast<std::size_t>(ahead + behind))) {
    const Described mechanism = [&](const Data& data) {
      const double place = behind + std::min<double>(ahead, count(data, 0)) - std::min<double>(behind, count(data, 1));
      Law law;
      for (const Bracket& chance : matrix.rows()[walk[static_cast<std::size_t>(std::max(0.0, place))]])
        law.push_back(chance.middle());
      return law;
    };
    const Law p = first(mechanism), q = second(mechanism);
    for (const double epsilon : kEpsilons) best[epsilon] = std::max(best[epsilon], worse(p, q, epsilon));
  }
  for (const double epsilon : kEpsilons) {
    const Bracket got = pipeline.delta(Epsilon(epsilon));
    RC_ASSERT(got.lower() <= best[epsilon] * (1.0 + 1e-9) + 1e-13);
    RC_ASSERT(got.upper() >= best[epsilon] * (1.0 - 1e-9) - 1e-13);
  }
  if (matrix.rows().size() == 2) RC_ASSERT(pipeline.delta(Epsilon(0.0)).lower() >= 0.999 * best[0.0] - 1e-13);
}

RC_GTEST_PROP(SampledPeople, RowsWithCoins, ()) {
  const FiniteMechanism matrix = random_matrix(*rc::gen::inRange<std::size_t>(2, 5), *rc::gen::arbitrary<bool>());
  const double rate = test::uniform(0.05, 0.95);
  for (const int k : {1, 2, 3}) {
    const auto all = [=](const Described& m) { return with_coins(Data(static_cast<std::size_t>(k), 0), rate, m); };
    const auto none = [=](const Described& m) { return with_coins({}, rate, m); };
    expect_walks(finite(matrix, "m") | poisson(rate) | group(k), matrix, k, 0, all, none);
  }
}

RC_GTEST_PROP(SampledPeople, RowsOfThoseWhoAreExchanged, ()) {
  const FiniteMechanism matrix = random_matrix(*rc::gen::inRange<std::size_t>(2, 5), *rc::gen::arbitrary<bool>());
  const double rate = test::uniform(0.05, 0.95);
  for (const int k : {1, 2}) {
    const auto some = [=](int letter) {
      return [=](const Described& m) { return with_coins(Data(static_cast<std::size_t>(k), letter), rate, m); };
    };
    expect_walks(finite(matrix, "m") | poisson(rate, Relation::kSubstitute) | group(k), matrix, k, k, some(0), some(1));
  }
}

RC_GTEST_PROP(SampledPeople, RowsOfSubsetsAndDraws, ()) {
  const FiniteMechanism matrix = random_matrix(*rc::gen::inRange<std::size_t>(2, 4), *rc::gen::arbitrary<bool>());
  const Data before = {0, 0, 2, 2}, after = {2, 2, 2, 2};
  const auto subsets = [](const Data& data) { return [=](const Described& m) { return with_subsets(data, 3, m); }; };
  expect_walks(finite(matrix, "m") | without_replacement(4.0, 3.0) | group(2), matrix, 2, 0, subsets(before),
               subsets(after));
  const auto draws = [](const Data& data) { return [=](const Described& m) { return with_draws(data, 3, m); }; };
  expect_walks(finite(matrix, "m") | with_replacement(4.0, 3.0) | group(2), matrix, 3, 0, draws(before), draws(after));
}

// The same people in several releases.
RC_GTEST_PROP(SampledPeople, Composed, ()) {
  const double p = test::uniform(0.55, 0.9), rate = test::uniform(0.1, 0.9);
  const auto squared = [](const Law& law) {
    Law product;
    for (const double a : law)
      for (const double b : law) product.push_back(a * b);
    return product;
  };
  const Described two = bits(p, 2, 0);
  const Law all = squared(with_coins({0, 0}, rate, two)), none = squared(with_coins({}, rate, two));
  const Described mirror = bits(p, 1, 1);
  const Law here = squared(with_coins({0}, rate, mirror)), there = squared(with_coins({1}, rate, mirror));
  const Pipeline grouped = randomized_response(p) | poisson(rate) | compose(2) | group(2);
  const Pipeline plain = randomized_response(p) | compose(2) | group(2);
  const Pipeline exchanged = randomized_response(p) | poisson(rate, Relation::kSubstitute) | compose(2);
  for (const double epsilon : {0.0, 0.3, 0.9}) {
    const auto check = [&](const Pipeline& pipeline, double truth) {
      const Bracket got = pipeline.delta(Epsilon(epsilon));
      RC_ASSERT(got.lower() <= truth * (1.0 + 1e-9) + 1e-13);
      RC_ASSERT(got.lower() >= 0.95 * truth - 1e-3);
      RC_ASSERT(got.upper() >= truth * (1.0 - 1e-9) - 1e-13);
    };
    check(grouped, worse(all, none, epsilon));
    check(plain, worse(squared(two({0, 0})), squared(two({})), epsilon));
    check(exchanged, worse(here, there, epsilon));
  }
}

// Narrow enough to be of use: the questions of docs/reference/support.md.
TEST(SampledPeople, LowerEndsAreNear) {
  const Delta at(1e-6);
  const auto share = [&](const Pipeline& pipeline) {
    const Bracket got = pipeline.epsilon(at);
    return got.lower() / got.upper();
  };
  const Pipeline response = randomized_response(0.7);
  const Pipeline matrix = finite(FiniteMechanism({{0.4, 0.3, 0.2, 0.1}, {0.1, 0.2, 0.3, 0.4}}), "m");
  for (const Pipeline& source : {response, matrix}) {
    EXPECT_GT(share(source | group(3)), 0.99);
    EXPECT_GT(share(source | poisson(0.05) | group(3)), 0.99);
    EXPECT_GT(share(source | without_replacement(1000.0, 50.0) | group(2)), 0.99);
    EXPECT_GT(share(source | with_replacement(1000.0, 50.0) | group(2)), 0.99);
    EXPECT_GT(share(source | poisson(0.05, Relation::kSubstitute)), 0.99);
    EXPECT_GT(share(source | poisson(0.05) | compose(100) | group(2)), 0.85);
    EXPECT_GT(share(source | poisson(0.05, Relation::kSubstitute) | compose(100)), 0.8);
    EXPECT_GT(share(source | without_replacement(1000.0, 50.0) | compose(100)), 0.85);
    EXPECT_GT(share(source | compose(10) | group(2)), 0.99);
  }
}

// Those whom a pair is known of are all on one side: with people on both sides of another part they are not the same.
TEST(SampledPeople, OneSideOnlyInASum) {
  const Pipeline sum =
      (gaussian({.sigma = 1.0}) | poisson(0.3) | group(2)) + (randomized_response(0.7) | poisson(0.3) | group(2));
  const Bracket got = sum.epsilon(Delta(1e-3));
  EXPECT_LT(got.lower(), got.upper());
  const Bracket without = (gaussian({.sigma = 1.0}) | poisson(0.3) | group(2)).epsilon(Delta(1e-3));
  EXPECT_GT(got.lower(), without.upper());
}

}  // namespace
}  // namespace doeblin::pipeline
