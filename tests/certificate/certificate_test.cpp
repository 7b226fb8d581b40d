// SPDX-License-Identifier: Apache-2.0
#include "doeblin/certificate/certificate.hpp"

#include <gtest/gtest.h>

#include "doeblin/certificate/issue.hpp"
#include "doeblin/pipeline/expression.hpp"

namespace doeblin::certificate {
namespace {

TEST(Certificate, SentencesAreOnTheSafeSide) {
  const pipeline::Pipeline pipeline = pipeline::parse("gaussian(sigma=1)");
  Subject subject{pipeline, pipeline::program_of("gaussian(sigma=1)")};
  subject.claims = {{true, 1e-5, Bracket(0.5, 0.693)}};
  Certificate certificate = issue(Kind::kAnalysis, subject);
  EXPECT_NE(sentence_of(certificate).find("factor 2 (epsilon = 0.693)"), std::string::npos) << sentence_of(certificate);
  certificate.claims[0].value = Bracket(0.0, rounding::kInfinity);
  EXPECT_NE(sentence_of(certificate).find("No finite guarantee"), std::string::npos);
  certificate.void_because = "a seed";
  EXPECT_EQ(sentence_of(certificate), "VOID, no guarantee: a seed.");
}

}  // namespace
}  // namespace doeblin::certificate
