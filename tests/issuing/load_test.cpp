// SPDX-License-Identifier: Apache-2.0
#include "doeblin/issuing/load.hpp"

#include <string>

#include <gtest/gtest.h>

#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/composition/stages.hpp"
#include "doeblin/issuing/issue.hpp"
#include "doeblin/issuing/reproduction.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::certificate {
namespace {

using test::message_of;
using test::TemporaryFile;

Certificate certificate_for(const std::string& expression) {
  const pipeline::Pipeline pipeline = pipeline::parse(expression);
  const Claim claim{true, 1e-6, pipeline.epsilon(Delta(1e-6))};
  return issue(Kind::kAnalysis, {pipeline, pipeline.program(), {}, {claim}});
}

std::string refusal(const std::string& path) {
  return message_of<InvalidArgument>([&] { static_cast<void>(program_in(path)); });
}

TEST(Load, WhatWasCertifiedIsAPipelineLikeAnyOther) {
  const std::string text = "gaussian(sigma=3) | poisson(rate=0.1) | compose(20)";
  const TemporaryFile file("a.json", text_of(certificate_for(text)));
  EXPECT_EQ(program_in(file.path()), language::parse(text));
  EXPECT_EQ(load(file.path()).epsilon(Delta(1e-5)), pipeline::parse(text).epsilon(Delta(1e-5)));
  EXPECT_EQ(load(file.path()).relation(), Relation::kAddRemove);
  const pipeline::Pipeline again = load(file.path()) | pipeline::compose(12);
  EXPECT_EQ(again.epsilon(Delta(1e-5)), pipeline::parse(text + " | compose(12)").epsilon(Delta(1e-5)));
}

TEST(Load, AnExpressionMayNameIt) {
  const TemporaryFile a("a.json", text_of(certificate_for("gaussian(sigma=3)")));
  const TemporaryFile b("b.json", text_of(certificate_for("laplace(scale=2) | compose(3)")));
  const auto parsed = [](const std::string& text) { return language::parse(text, program_in); };
  EXPECT_EQ(parsed("'" + a.path() + "'"), language::parse("gaussian(sigma=3)"));
  EXPECT_EQ(parsed("'" + a.path() + "' | compose(12)"), language::parse("gaussian(sigma=3) | compose(12)"));
  EXPECT_EQ(parsed("'" + a.path() + "' + '" + b.path() + "'"),
            language::parse("gaussian(sigma=3) + (laplace(scale=2) | compose(3))"));
  EXPECT_EQ(parsed("('" + b.path() + "' | group(2)) + gdp(1)"),
            language::parse("(laplace(scale=2) | compose(3) | group(2)) + gdp(1)"));
  // Where nobody said how it is read, and where a stage is needed.
  EXPECT_THROW(static_cast<void>(language::parse("'" + a.path() + "'")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(parsed("gdp(1) | '" + a.path() + "'")), InvalidArgument);
}

TEST(Load, ACertificateOfItIsReproduced) {
  const TemporaryFile a("a.json", text_of(certificate_for("gaussian(sigma=3) | compose(2)")));
  const language::Program program = language::parse("'" + a.path() + "' + laplace(scale=5)", program_in);
  const pipeline::Pipeline pipeline = pipeline::evaluate(program);
  const Certificate both =
      issue(Kind::kAnalysis, {pipeline, program, {}, {{true, 1e-6, pipeline.epsilon(Delta(1e-6))}}});
  const Certificate read = read_certificate("both.json", text_of(both));
  EXPECT_TRUE(differences(read, pipeline::evaluate(read.program, read.settings)).empty());
}

TEST(Load, WhatIsNoGuaranteeIsRefused) {
  std::string changed = text_of(certificate_for("gaussian(sigma=3)"));
  changed.replace(changed.find("\"sha256\": \"", changed.find("\"seal\"")) + 11, 4, "....");
  const TemporaryFile broken("broken.json", changed);
  EXPECT_NE(refusal(broken.path()).find("/seal: does not fit"), std::string::npos) << refusal(broken.path());

  Certificate seeded = certificate_for("gaussian(sigma=3)");
  seeded.void_because = kSeeded;
  seeded.claims.clear();
  seeded.curve.clear();
  const TemporaryFile nothing("void.json", text_of(seeded));
  EXPECT_NE(refusal(nothing.path()).find("void, no guarantee: the noise was drawn from a seed"), std::string::npos);
  EXPECT_NE(refusal("/nowhere/a.json").find("a.json"), std::string::npos);
}

TEST(Load, FilesAreThoseThatWereCertified) {
  std::string path;
  std::string text;
  {
    const TemporaryFile matrix("m.csv", "0.5,0.5\n0.25,0.75\n");
    path = matrix.path();
    text = text_of(certificate_for("finite('" + path + "')"));
    const TemporaryFile file("a.json", text);
    EXPECT_EQ(program_in(file.path()), language::parse("finite('" + path + "')"));
  }
  const TemporaryFile file("a.json", text);
  EXPECT_NE(refusal(file.path()).find(path), std::string::npos) << refusal(file.path());
}

TEST(Load, RecordsThatWereHeldOutAreNotForgotten) {
  Certificate run = certificate_for("noisy_sgd(n=10, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=1)");
  run.kind = Kind::kTraining;
  run.details = {{kHeldOutShare, 0.2}};
  const TemporaryFile some("some.json", text_of(run));
  EXPECT_NE(refusal(some.path()).find("write its expression instead: noisy_sgd(n=10"), std::string::npos);
  run.details = {{kHeldOutShare, 0.0}};
  const TemporaryFile none("none.json", text_of(run));
  EXPECT_EQ(program_in(none.path()), run.program);
}

}  // namespace
}  // namespace doeblin::certificate
