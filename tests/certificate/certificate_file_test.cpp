// SPDX-License-Identifier: Apache-2.0
#include "doeblin/certificate/certificate_file.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "doeblin/certificate/sha256.hpp"
#include "doeblin/issuing/issue.hpp"
#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::certificate {
namespace {

Certificate example() {
  const char* expression = "noisy_sgd(n=10, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1, diameter=2)";
  const pipeline::Pipeline pipeline = pipeline::parse(expression);
  Subject subject{pipeline, language::parse(expression)};
  subject.claims = {{true, 1e-6, pipeline.epsilon(Delta(1e-6))}, {false, 0.5, pipeline.delta(Epsilon(0.5))}};
  Certificate certificate = issue(Kind::kPeople, subject);
  certificate.people =
      people_claim(true, 1e-6, pipeline.mechanism().people()->epsilons(Delta(1e-6), [](std::size_t) {}));
  return certificate;
}

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(read_certificate("test", text));
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(CertificateFile, ComesBackAsItWas) {
  const Certificate certificate = example();
  const std::string text = text_of(certificate);
  const Certificate back = read_certificate("test", text);
  EXPECT_EQ(text_of(back), text);
  EXPECT_EQ(back.claims, certificate.claims);
  EXPECT_EQ(back.curve, certificate.curve);
  EXPECT_EQ(back.people, certificate.people);
  EXPECT_EQ(back.program, certificate.program);
  EXPECT_EQ(back.relation, certificate.relation);
}

TEST(CertificateFile, EverythingElseComesBackToo) {
  Certificate certificate = example();
  certificate.void_because = kSeeded;
  certificate.inputs = {{"a \"b\"\\c.csv", std::string(64, 'f')}};
  certificate.details = {{"loss", std::string("logistic")}, {"width", 0.1}, {"low", -rounding::kInfinity}};
  certificate.settings.accountant = Accountant::kRenyi;
  certificate.program =
      language::parse("noisy_sgd(n=3, learning_rate=0.1, sigma=[1, 0.1, 5e-324], lipschitz=1, smoothness=1)");
  const Certificate back = read_certificate("test", text_of(certificate));
  EXPECT_EQ(back.void_because, certificate.void_because);
  EXPECT_EQ(back.inputs, certificate.inputs);
  EXPECT_EQ(back.details, certificate.details);
  EXPECT_EQ(back.settings.accountant, certificate.settings.accountant);
  EXPECT_EQ(back.program, certificate.program);
  // Longer than an expression may be.
  certificate.program.call.arguments[2].second = std::vector<double>(100'000, 0.1);
  EXPECT_EQ(read_certificate("test", text_of(certificate)).program, certificate.program);
}

TEST(CertificateFile, VersionOneIsReadToo) {
  const Certificate old = read_certificate_file(std::string(DOEBLIN_TEST_DATA) + "/certificate_version_1.json");
  EXPECT_EQ(old.format_version, 1);
  EXPECT_EQ(old.program.kind, language::Program::Kind::kPipe);
}

// The language has no words for a release, and so no schema that its program could fit.
TEST(CertificateFile, AReleaseIsOfColumns) {
  Certificate certificate = example();
  certificate.kind = Kind::kRelease;
  EXPECT_NE(refusal(text_of(certificate)).find("noise on a grid"), std::string::npos);
  certificate.program = {.call = {.name = "gaussian", .arguments = {{"bogus", std::string("x")}}}};
  EXPECT_NE(refusal(text_of(certificate)).find("noise on a grid"), std::string::npos);
  EXPECT_TRUE(inputs_of(certificate.program).empty());
  certificate.program.call.name = "grid_gaussian";
  EXPECT_EQ(refusal(text_of(certificate)), "");
}

TEST(CertificateFile, ChangesAreSeen) {
  const std::string text = text_of(example());
  EXPECT_EQ(refusal(text), "");
  EXPECT_NE(refusal(replaced(text, "substitute", "zero_out")), "");
  EXPECT_NE(refusal(replaced(text, "\"asserted\"", "\"checked\"")).find("seal"), std::string::npos);
  EXPECT_NE(refusal(replaced(text, "0x1.0c6f7a0b5ed8dp-20", "0x1.0c6f7a0b5ed8cp-20")).find("decimal"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"decimal\": 0.5", "\"decimal\": 0.25")).find("decimal"), std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"format_version\": 2", "\"format_version\": 3")).find("version"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"kind\"", "\"extra\": 1, \"kind\"")).find("extra"), std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"kind\"", "\"kind\": \"people\", \"kind\"")).find("twice"), std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"relation\"", "\"relaton\"")).find("relation"), std::string::npos);
}

TEST(CertificateFile, WhatIsNoCertificateIsRefused) {
  for (const char* text : {"", "{", "[]", "null", "1", "{\"format\": 1}", "{\"format\": \"doeblin certificate\"}",
                           "\xff", "{\"format\": \"other\"}"})
    EXPECT_NE(refusal(text), "") << text;
  EXPECT_NE(refusal(std::string(100'000, '[')), "");
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "{\"pipe\":[";
  EXPECT_NE(refusal(deep), "");
}

TEST(CertificateFile, FilesAreReadWithLimits) {
  EXPECT_THROW(static_cast<void>(read_certificate_file("/no/such/file")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(read_certificate_file("/dev/zero")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(read_certificate_file("/tmp")), InvalidArgument);
}

TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_THROW(static_cast<void>(sha256_of_file("file", "/dev/zero")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(sha256_of_file("file", "/no/such/file")), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::certificate
