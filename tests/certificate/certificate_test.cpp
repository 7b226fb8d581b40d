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

// A guarantee of one record says nothing about the others.
TEST(Certificate, TheSentenceNamesThePlaceThatItIsAbout) {
  const std::string run = "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5)";
  Certificate certificate;
  certificate.relation = Relation::kSubstitute;
  certificate.claims = {{true, 1e-5, Bracket(1.0, 2.0)}};
  certificate.program = pipeline::program_of(run);
  EXPECT_NE(sentence_of(certificate).find("when one person's data is exchanged"), std::string::npos);
  certificate.program = pipeline::program_of(run + " | person(38)");
  EXPECT_NE(sentence_of(certificate).find("when the data of the person in place 38 is exchanged"), std::string::npos)
      << sentence_of(certificate);
  certificate.program = pipeline::program_of("(" + run + " | person(3)) + (" + run + " | person(5) | compose(2))");
  EXPECT_NE(sentence_of(certificate).find("in place 3 and 5 is exchanged"), std::string::npos)
      << sentence_of(certificate);
}

}  // namespace
}  // namespace doeblin::certificate
