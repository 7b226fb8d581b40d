// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/fft.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/generators.hpp"

namespace doeblin::numerics {
namespace {

using Exact = std::complex<long double>;

// The definition, in long double: its own error is 2000 times smaller than what is tested.
std::vector<Exact> exact_transform(const std::vector<double>& x) {
  const std::size_t n = x.size();
  std::vector<Exact> roots(n);
  for (std::size_t k = 0; k < n; ++k) {
    const long double phase =
        -2.0L * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n);
    roots[k] = {std::cos(phase), std::sin(phase)};
  }
  std::vector<Exact> spectrum(n / 2 + 1);
  for (std::size_t w = 0; w < spectrum.size(); ++w)
    for (std::size_t j = 0; j < n; ++j) spectrum[w] += static_cast<long double>(x[j]) * roots[j * w % n];
  return spectrum;
}

std::vector<double> random_input(std::size_t size) {
  std::vector<double> x(size);
  const bool spiky = *rc::gen::arbitrary<bool>();
  for (double& v : x) v = spiky ? std::exp(test::uniform(-40.0, 0.0)) : test::uniform(-1.0, 1.0);
  return x;
}

std::size_t random_size() {
  const std::size_t power = std::size_t{4} << *rc::gen::inRange(0, 8);
  return *rc::gen::arbitrary<bool>() && power >= 4 ? power * 3 : power;
}

RC_GTEST_PROP(RealFft, ErrorIsWithinItsBound, ()) {
  const std::vector<double> x = random_input(random_size());
  const auto fft = RealFft::of_size(x.size());
  std::vector<RealFft::Complex> spectrum;
  fft->forward(x, spectrum);
  const std::vector<Exact> exact = exact_transform(x);
  long double error = 0.0L;
  long double size = 0.0L;
  for (std::size_t w = 0; w < exact.size(); ++w) {
    const long double times = w == 0 || w + 1 == exact.size() ? 1.0L : 2.0L;
    error += times * std::norm(Exact(spectrum[w]) - exact[w]);
    size += times * std::norm(exact[w]);
  }
  RC_ASSERT(std::sqrt(error) <= static_cast<long double>(fft->relative_error()) * std::sqrt(size));
  // The bound is not so loose that it says nothing.
  RC_ASSERT(fft->relative_error() < 1e-13);
}

RC_GTEST_PROP(RealFft, InverseUndoesTheTransform, ()) {
  const std::vector<double> x = random_input(random_size());
  const auto fft = RealFft::of_size(x.size());
  std::vector<RealFft::Complex> spectrum;
  fft->forward(x, spectrum);
  std::vector<double> back;
  fft->inverse(spectrum, back);
  double error = 0.0;
  double size = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    error += (back[j] - x[j]) * (back[j] - x[j]);
    size += x[j] * x[j];
  }
  RC_ASSERT(std::sqrt(error) <= 2.0 * fft->relative_error() * std::sqrt(size));
}

// The inverse by itself: one frequency is a cosine.
TEST(RealFft, InverseOfOneFrequency) {
  for (const std::size_t size : {4u, 12u, 64u, 96u}) {
    const auto fft = RealFft::of_size(size);
    for (std::size_t w = 0; w <= size / 2; ++w) {
      std::vector<RealFft::Complex> spectrum(size / 2 + 1);
      spectrum[w] = static_cast<double>(size);
      std::vector<double> x;
      fft->inverse(spectrum, x);
      const double times = w == 0 || w == size / 2 ? 1.0 : 2.0;
      for (std::size_t j = 0; j < size; ++j)
        EXPECT_NEAR(x[j],
                    times * std::cos(2.0 * std::numbers::pi * static_cast<double>(j * w) / static_cast<double>(size)),
                    1e-13);
    }
  }
}

TEST(RealFft, GoodSizes) {
  EXPECT_EQ(RealFft::good_size(0), 4u);
  EXPECT_EQ(RealFft::good_size(5), 8u);
  EXPECT_EQ(RealFft::good_size(9), 12u);
  EXPECT_EQ(RealFft::good_size(13), 16u);
  EXPECT_EQ(RealFft::good_size(1025), 1536u);
  EXPECT_EQ(RealFft::good_size(1537), 2048u);
}

TEST(RealFft, OtherSizesAreRefused) {
  EXPECT_THROW(static_cast<void>(RealFft::of_size(10)), InternalError);
  EXPECT_THROW(static_cast<void>(RealFft::of_size(std::size_t{1} << 28)), InternalError);
}

}  // namespace
}  // namespace doeblin::numerics
