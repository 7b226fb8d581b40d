// SPDX-License-Identifier: Apache-2.0
#include "training/norm_clip.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

#include "support/generators.hpp"

namespace doeblin::training {
namespace {

using Rational = boost::multiprecision::cpp_rational;

// Without any rounding.
Rational square_norm(const std::vector<double>& x) {
  Rational sum = 0;
  for (const double value : x) sum += Rational(value) * Rational(value);
  return sum;
}

bool is_within(const std::vector<double>& x, double norm) { return square_norm(x) <= Rational(norm) * Rational(norm); }

std::vector<double> clipped(std::vector<double> x, double norm) {
  clip_to_norm(x, norm);
  return x;
}

// What the function promises, against exact arithmetic.
void expect_clipped(const std::vector<double>& x, double norm) {
  const std::vector<double> y = clipped(x, norm);
  EXPECT_TRUE(is_within(y, norm)) << "norm " << norm;
  if (is_within(x, norm)) {
    EXPECT_EQ(y, x);
    return;
  }
  // Shortened by no more than needed, and in the same direction.
  const double width = 1e-14 + 1e-15 * static_cast<double>(x.size());
  const double least = norm * (1.0 - width);
  EXPECT_FALSE(is_within(y, least)) << "norm " << norm;
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::fabs(value));
  long double squares = 0.0L;
  for (const double value : x) squares += std::pow(static_cast<long double>(value) / largest, 2);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(y[i], static_cast<double>(norm * (x[i] / static_cast<long double>(largest)) / std::sqrt(squares)),
                width * norm);
  EXPECT_EQ(clipped(y, norm), y);
}

RC_GTEST_PROP(NormClip, IsExactlyWithinTheNorm, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  std::normal_distribution<double> normal;
  const auto d = *rc::gen::inRange<std::size_t>(1, 30);
  const double norm = test::log_uniform(1e-3, 1e3);
  std::vector<double> x(d);
  for (double& value : x) value = normal(random);
  // Anywhere, and as close to the norm as doubles are.
  const long double length = std::sqrt(static_cast<long double>(square_norm(x)));
  const double part = *rc::gen::element(1.0, 1.0, 1.0 + 0x1p-52, 1.0 - 0x1p-53, 0.5, 3.0, 1e6);
  for (double& value : x) value = static_cast<double>(value / length * norm * part);
  expect_clipped(x, norm);
}

RC_GTEST_PROP(NormClip, IsExactlyWithinTheNormAtAllScales, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  std::uniform_real_distribution<double> exponent(-1074.0, 1024.0);
  std::vector<double> x(*rc::gen::inRange<std::size_t>(1, 10));
  for (double& value : x) {
    value = std::min(std::exp2(exponent(random)), std::numeric_limits<double>::max());
    if (random() % 4 == 0) value = std::exp2(std::floor(exponent(random) / 100.0));
    if (random() % 5 == 0) value = 0.0;
    if (random() % 2 == 0) value = -value;
  }
  expect_clipped(x, test::log_uniform(kLeastNorm, kMostNorm));
}

TEST(NormClip, KeepsWhatIsWithin) {
  expect_clipped({}, 1.0);
  expect_clipped({0.0, -0.0}, 1.0);
  expect_clipped({1.0}, 1.0);
  expect_clipped({0.0, 0.0, -1.0}, 1.0);
  expect_clipped({3.0, 4.0}, 5.0);
  expect_clipped({0.5, -0.5, 0.5, 0.5}, 1.0);
  expect_clipped({5e-324, -5e-324}, 1.0);
  expect_clipped({5e-324, 1e-310}, kLeastNorm);
  // The square underflows, but counts.
  expect_clipped({1.0 - 0x1p-53, 1e-200}, 1.0);
  expect_clipped({1.0, 1e-200}, 1.0);
  EXPECT_NE(clipped({1.0, 1e-200}, 1.0)[0], 1.0);
  EXPECT_NE(clipped({1.0, 5e-324}, 1.0)[0], 1.0);
}

TEST(NormClip, ShortensWhateverItIs) {
  const double largest = std::numeric_limits<double>::max();
  expect_clipped({1.0 + 0x1p-52}, 1.0);
  expect_clipped({3.0, 4.0 + 0x1p-51}, 5.0);
  expect_clipped({1e200, 1e200}, 1.0);
  expect_clipped({1e200, -1.0}, 1.0);
  expect_clipped({largest, largest, -largest}, 1.0);
  expect_clipped({largest, 5e-324}, kMostNorm);
  expect_clipped({largest}, kLeastNorm);
  expect_clipped({1e-99, 1e-320}, kLeastNorm);
  expect_clipped(std::vector<double>(1000, largest), 2.0);
  expect_clipped(std::vector<double>(100'000, 0.1), 1.0);
  EXPECT_EQ(clipped({0.0, -2.0}, 1.0)[0], 0.0);
}

// Sums of many squares that are not exact in any order: the edge of the norm, from both sides.
TEST(NormClip, DecidesExactlyAtTheEdge) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  int within = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> x(50);
    for (double& value : x) value = normal(random);
    const double length = static_cast<double>(std::sqrt(static_cast<long double>(square_norm(x))));
    within += is_within(x, length) ? 1 : 0;
    expect_clipped(x, length);
  }
  EXPECT_GT(within, 700);
  EXPECT_LT(within, 1300);
}

}  // namespace
}  // namespace doeblin::training
