// SPDX-License-Identifier: Apache-2.0
#include "commands/certificate_output.hpp"

#include <filesystem>
#include <iostream>

#include "commands/progress.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::commands {
namespace {

certificate::Claim claim_of(const Answer& answer) {
  return {answer.question.quantity == Quantity::kEpsilon, answer.question.argument, answer.value};
}

}  // namespace

certificate::Certificate issued(certificate::Kind kind, const certificate::Subject& subject) {
  const auto& traits = subject.pipeline.mechanism().profile().traits();
  Progress progress(certificate::curve_epsilons(subject.claims, traits.costly).size(), "points of the curve");
  return certificate::issue(kind, subject, [&](std::size_t done) { progress.finished(done); });
}

certificate::Certificate certificate_of(const Report& report, const Settings& settings) {
  certificate::Subject subject{report.pipeline, report.expression.program, settings};
  for (const Answer& one : report.answers) subject.claims.push_back(claim_of(one));
  return issued(certificate::Kind::kAnalysis, subject);
}

certificate::PeopleClaim people_claim_of(const PeopleAnswer& answer) {
  return certificate::people_claim(answer.question.quantity == Quantity::kEpsilon, answer.question.argument,
                                   answer.values);
}

certificate::Certificate certificate_of(const PeopleReport& report, const Settings& settings) {
  certificate::Subject subject{report.pipeline, report.expression.program, settings};
  for (const PeopleAnswer& one : report.answers)
    subject.claims.push_back(claim_of(answer(report.pipeline.mechanism(), one.question)));
  certificate::Certificate certificate = issued(certificate::Kind::kPeople, subject);
  certificate.people = people_claim_of(report.answers[0]);
  return certificate;
}

void write_certificate(const std::string& path, const certificate::Certificate& certificate,
                       const FileOptions& options) {
  std::error_code ignored;
  for (const certificate::Input& input : certificate.inputs)
    if (std::filesystem::equivalent(input.path, path, ignored))
      throw InvalidArgument(Option{"certificate"}, "'" + printable_path(path) + "'",
                            "another file than those that the expression names");
  AtomicFile file(Option{"certificate"}, path, options);
  file.write(certificate::text_of(certificate));
  file.commit();
}

}  // namespace doeblin::commands
