// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/comparison.hpp"

#include <gtest/gtest.h>

namespace doeblin::pipeline {
namespace {

TEST(Comparison, TheDefaultIsTheBest) {
  const auto compared = compare(language::parse("gaussian(sigma=2) | poisson(rate=0.05) | compose(50)"));
  ASSERT_EQ(compared[0].analysis.name, "best");
  const Bracket best = compared[0].pipeline->epsilon(Delta(1e-6));
  for (const Compared& one : compared) {
    ASSERT_TRUE(one.pipeline.has_value()) << one.analysis.name;
    const Bracket other = one.pipeline->epsilon(Delta(1e-6));
    EXPECT_LE(best.upper(), other.upper()) << one.analysis.name;
    EXPECT_LE(other.lower(), best.upper()) << one.analysis.name;
  }
}

TEST(Comparison, WhatDoesNotApplySaysWhy) {
  int refused = 0;
  for (const Compared& one : compare(language::parse(
           "noisy_sgd(n=5, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1, noise=laplace)"))) {
    EXPECT_EQ(one.pipeline.has_value(), one.reason.empty()) << one.analysis.name;
    refused += one.pipeline ? 0 : 1;
  }
  EXPECT_GT(refused, 0);
}

TEST(Comparison, DistributionsOfWhatIsKnownByItsProfile) {
  for (const Compared& one : compare(language::parse("zcdp(0.1) + laplace(1)")))
    if (one.analysis.name == "pld") EXPECT_TRUE(one.pipeline.has_value()) << one.reason;
}

TEST(Comparison, AWrongExpressionIsAnError) {
  EXPECT_THROW(static_cast<void>(compare(language::parse("gaussian("))), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::pipeline
