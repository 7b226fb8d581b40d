// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <doeblin/doeblin.hpp>

int main() {
  using namespace doeblin;
  using namespace doeblin::pipeline;
  const Pipeline releases = gaussian({.sigma = 100}) | compose(10000);
  std::printf("epsilon <= %s\n", format_up(releases.epsilon(Delta(1e-5)).upper()).c_str());
  const Answer delta = answer(releases.mechanism(), {Quantity::kDelta, 1.0});
  std::printf("delta <= %s\n", format_up(delta.value.upper()).c_str());
  const Calibrated found = calibrate(language::parse_with_hole("gaussian(sigma=?)"), {.epsilon = 1, .delta = 1e-6});
  std::printf("sigma %s\n", format_up(found.value).c_str());
  std::printf("analyses %zu\n", compare(language::parse("laplace(scale=10) | compose(20)")).size());
}
