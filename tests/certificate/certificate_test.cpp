// SPDX-License-Identifier: Apache-2.0
#include "doeblin/certificate/certificate.hpp"

#include <gtest/gtest.h>

#include "doeblin/issuing/issue.hpp"
#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::certificate {
namespace {

TEST(Certificate, SentencesAreOnTheSafeSide) {
  const pipeline::Pipeline pipeline = pipeline::parse("gaussian(sigma=1)");
  Subject subject{pipeline, language::parse("gaussian(sigma=1)")};
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
  certificate.program = language::parse(run);
  EXPECT_NE(sentence_of(certificate).find("when one person's data is exchanged"), std::string::npos);
  certificate.program = language::parse(run + " | person(38)");
  EXPECT_NE(sentence_of(certificate).find("when the data of the person in place 38 is exchanged"), std::string::npos)
      << sentence_of(certificate);
  // Two tables, in which somebody has different places.
  const std::string other = "noisy_sgd(n=50, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5)";
  certificate.program = language::parse("(" + run + " | person(3)) + (" + other + " | person(5) | compose(2))");
  EXPECT_NE(sentence_of(certificate).find("in place 3 and 5 is exchanged"), std::string::npos)
      << sentence_of(certificate);
}

TEST(Certificate, TheSentenceNamesGroupsPublicRecordsAndWhatWasHeldOut) {
  Certificate certificate;
  certificate.kind = Kind::kTraining;
  certificate.relation = Relation::kSubstitute;
  certificate.claims = {{true, 1e-5, Bracket(1.0, 2.0)}};
  certificate.program = language::parse(
      "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, public_tail=5) | group(2)");
  const std::string whole = sentence_of(certificate);
  EXPECT_NE(whole.find("up to 2 people among the first 35 records (the last 5 are public)"), std::string::npos)
      << whole;
  EXPECT_EQ(whole.find("held out"), std::string::npos);
  certificate.details = {{kHeldOutShare, 0.25}};
  EXPECT_NE(sentence_of(certificate).find("held out (about 0.25 of all) are not covered"), std::string::npos);
}

}  // namespace
}  // namespace doeblin::certificate
