// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/certified_run.hpp"

#include <string>

#include <gtest/gtest.h>

namespace doeblin::training {
namespace {

DescentRequest one_pass_request() {
  DescentRequest request;
  request.domain = {DomainKind::kBall, 5.0};
  request.dimension = 10;
  request.records = 1000;
  request.learning_rate = 0.5;
  return request;
}

// What the run does by construction is checked; what only people can know is asserted.
TEST(CertifiedRun, SaysWhatItRestsOn) {
  const pipeline::Pipeline guarantee = certified_run(plan_descent(one_pass_request(), 0.1));
  std::string checked, asserted;
  for (const auto& one : guarantee.steps()[0].step.assumptions) (one.checked ? checked : asserted) += one.text + "\n";
  for (const char* text : {"gradients of at most", "projects onto the ball", "drawn exactly", "in doubles"})
    EXPECT_NE(checked.find(text), std::string::npos) << text;
  for (const char* text : {"every person has one record", "without looking at private records", "no secret"})
    EXPECT_NE(asserted.find(text), std::string::npos) << text;
  EXPECT_EQ(asserted.find("convex"), std::string::npos);
}

TEST(CertifiedRun, ClaimsWhatTheExpressionClaims) {
  const DescentPlan plan = plan_descent(one_pass_request(), 0.1);
  EXPECT_EQ(certified_run(plan).delta(Epsilon(1.0)), pipeline::noisy_sgd(plan.privacy).delta(Epsilon(1.0)));
}

}  // namespace
}  // namespace doeblin::training
