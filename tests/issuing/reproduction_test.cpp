// SPDX-License-Identifier: Apache-2.0
#include "doeblin/issuing/reproduction.hpp"

#include <gtest/gtest.h>

#include "doeblin/issuing/issue.hpp"
#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::certificate {
namespace {

constexpr const char* kExpression = "laplace(scale=2) | group(2)";

struct Issued {
  pipeline::Pipeline pipeline = pipeline::parse(kExpression);
  Certificate certificate = {};

  Issued() {
    Subject subject{pipeline, language::parse(kExpression)};
    subject.claims = {{true, 1e-3, pipeline.epsilon(Delta(1e-3))}, {true, 0.0, Bracket(1.0)}};
    certificate = issue(Kind::kAnalysis, subject);
  }
};

TEST(Reproduction, NothingDiffersFromItself) {
  const Issued issued;
  EXPECT_TRUE(differences(issued.certificate, issued.pipeline).empty());
}

TEST(Reproduction, LastDigitsMayDiffer) {
  Issued issued;
  Bracket& value = issued.certificate.claims[0].value;
  value = Bracket(value.lower(), value.upper() * (1.0 + 1e-12));
  EXPECT_TRUE(differences(issued.certificate, issued.pipeline).empty());
  value = Bracket(value.lower() * (1.0 - 1e-6), value.upper() * (1.0 - 1e-6));
  ASSERT_FALSE(differences(issued.certificate, issued.pipeline).empty());
  EXPECT_NE(differences(issued.certificate, issued.pipeline)[0].find("upper end"), std::string::npos);
}

TEST(Reproduction, LowerEndsMayBeGivenAway) {
  Issued issued;
  for (Claim& claim : issued.certificate.claims) claim.value = Bracket(0.0, claim.value.upper());
  EXPECT_TRUE(differences(issued.certificate, issued.pipeline).empty());
}

TEST(Reproduction, AtDeltaZeroTheLargestLossDecides) {
  Issued issued;
  issued.certificate.claims[1].value = Bracket(0.9, 0.999);
  EXPECT_FALSE(differences(issued.certificate, issued.pipeline).empty());
  issued.certificate.claims[1].value = Bracket(1.5, 2.0);
  EXPECT_FALSE(differences(issued.certificate, issued.pipeline).empty());
}

TEST(Reproduction, AnotherPipelineIsSeen) {
  const Issued issued;
  EXPECT_GT(differences(issued.certificate, pipeline::parse("laplace(scale=3) | group(2)")).size(), 5u);
}

}  // namespace
}  // namespace doeblin::certificate
