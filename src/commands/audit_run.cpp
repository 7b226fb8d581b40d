// SPDX-License-Identifier: Apache-2.0
#include "commands/audit_run.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "commands/certified_files.hpp"
#include "commands/process_guard.hpp"
#include "commands/progress.hpp"
#include "commands/train_plan.hpp"
#include "doeblin/audit/canary.hpp"
#include "doeblin/audit/command.hpp"
#include "doeblin/audit/mechanism.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/language/plan.hpp"
#include "doeblin/numerics/wide.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/training/certified_run.hpp"

namespace doeblin::commands {
namespace {

using audit::Claim;
using audit::Subject;

// What a black box can reach with a million runs.
constexpr double kDelta = 0.01;

void validate(const AuditQuestion& question) {
  if (question.delta)
    require(*question.delta >= 0.0 && *question.delta < 1.0, "--delta", *question.delta, "0 <= delta < 1");
  require(question.runs >= 8 && question.runs <= 1'000'000'000, "--runs", static_cast<double>(question.runs),
          "8 <= runs <= 1e9");
  require(question.confidence > 0.0 && question.confidence <= 1.0 - 1e-12, "--confidence", question.confidence,
          "0 < confidence <= 1 - 1e-12");
}

sampling::RandomSource source_of(const AuditQuestion& question) {
  return question.insecure_seed ? sampling::RandomSource::insecure(*question.insecure_seed)
                                : sampling::RandomSource::secure();
}

std::optional<double> level_of(const pipeline::Guarantee& guarantee) {
  const std::optional<Gdp>& gdp = guarantee.gdp ? guarantee.gdp : guarantee.dominating_gdp;
  return gdp ? std::optional(enclose(gdp->mu).upper()) : std::nullopt;
}

// What the pipeline itself promises at delta; pure DP at 0.
Claim claim_of(const pipeline::Pipeline& pipeline, double delta) {
  const Bracket epsilon = delta > 0.0 ? pipeline.epsilon(Delta(delta)) : pipeline.rdp(Alpha(rounding::kInfinity));
  return {epsilon.upper(), delta, delta > 0.0 ? level_of(pipeline.guarantee()) : std::nullopt};
}

// The claim of a certificate about the delta asked for, or the first one.
Claim claim_of(const certificate::Certificate& certificate, const AuditQuestion& question) {
  if (!certificate.void_because.empty())
    throw InvalidArgument("--certificate", fmt::format("'{}'", printable(question.certificate)),
                          "one that is not void: " + certificate.void_because);
  for (const certificate::Claim& claim : certificate.claims) {
    const Claim found = claim.is_epsilon ? Claim{claim.value.upper(), claim.at} : Claim{claim.at, claim.value.upper()};
    if (!question.delta || *question.delta == found.delta) return found;
  }
  if (question.delta) throw InvalidArgument("--delta", *question.delta, "one that the certificate has a claim about");
  throw InvalidArgument("--certificate", fmt::format("'{}'", printable(question.certificate)), "a claim");
}

certificate::Certificate certificate_of(const AuditQuestion& question) {
  return question.certificate_text.empty()
             ? certificate::read_certificate_file(question.certificate)
             : certificate::read_certificate(question.certificate, question.certificate_text);
}

// What the options claim, if they do.
std::optional<Claim> stated_claim(const AuditQuestion& question) {
  if (!question.epsilon) return std::nullopt;
  require(*question.epsilon >= 0.0, "--epsilon", *question.epsilon, "epsilon >= 0");
  return Claim{*question.epsilon, question.delta.value_or(kDelta)};
}

// What is written, with the claim that comes with it if it is not its own.
struct Written {
  std::string expression = {};
  language::Program program = {};
  std::optional<Claim> claim;
  std::string claimed_by;
  std::optional<double> delta;
};

Written written(const AuditQuestion& question) {
  Written result{.claim = stated_claim(question), .claimed_by = "--epsilon", .delta = question.delta};
  if (!result.claim) result.claimed_by = "the expression";
  if (!question.expression.empty() && language::is_plan(question.expression)) {
    const language::Plan plan = language::read_plan(question.expression);
    result.program = plan.program;
    result.expression = brief_text(plan.program);
    if (!result.delta) result.delta = plan.delta;
  } else if (!question.expression.empty() || question.certificate.empty()) {
    result.program = language::parse(question.expression);
    result.expression = question.expression;
  }
  if (question.certificate.empty()) return result;
  const certificate::Certificate certificate = certificate_of(question);
  result.claim = claim_of(certificate, question);
  result.claimed_by = "the certificate";
  if (!result.expression.empty()) return result;
  require_certified_files(certificate);
  result.program = certificate.program;
  result.expression = has_words(certificate.program) ? text_of(certificate.program) : brief_text(certificate.program);
  return result;
}

AuditCase expression_case(const AuditQuestion& question) {
  auto [expression, program, claim, claimed_by, delta] = written(question);
  const pipeline::Pipeline pipeline = pipeline::evaluate(program, question.settings);
  // A mechanism that is exactly Gaussian makes every claim about it one of Gaussian DP.
  const bool is_exact = pipeline.guarantee().gdp.has_value();
  if (!claim) claim = claim_of(pipeline, delta.value_or(kDelta));
  const bool is_gaussian = question.is_gaussian || (claim->delta > 0.0 && (is_exact || claim->mu_upper));
  Subject subject = audit::mechanism_subject(
      program, {.source = source_of(question), .noise_factor = question.noise_factor, .delta = claim->delta});
  // As it was written.
  subject.name = expression;
  return {subject, *claim, claimed_by, is_gaussian};
}

AuditCase command_case(const AuditQuestion& question, const std::atomic<bool>& stop) {
  if (question.inputs.size() != 2)
    throw InvalidArgument("--inputs: two neighbouring inputs are needed, as in --inputs a.csv b.csv");
  return claimed_case(question, audit::command_subject({.command = question.command,
                                                        .first = question.inputs[0],
                                                        .second = question.inputs[1],
                                                        .runs_per_call = question.runs_per_call,
                                                        .timeout = question.timeout,
                                                        .is_categorical = question.has_labels,
                                                        .source = source_of(question),
                                                        .stop = &stop}));
}

AuditCase train_case(const AuditQuestion& question, const std::atomic<bool>& stop) {
  const TrainQuestion& asked = *question.train;
  training::DataFile file = data_file(asked);
  const training::Encoding encoding = resolve(asked.encoding, file);
  const training::LabelledData data = read_records(file, encoding, {.limits = asked.limits});
  const training::DescentPlan plan = plan_of(asked, request_of(asked, encoding, data.train));
  Claim claim = claim_of(certified_run(plan, asked.settings), asked.delta);
  if (asked.epsilon) claim.epsilon_upper = std::min(claim.epsilon_upper, *asked.epsilon);
  const bool is_gaussian = question.is_gaussian || claim.mu_upper;
  return {audit::canary_subject(plan, data.train,
                                {.record = question.canary, .source = source_of(question), .stop = &stop}),
          claim, "the run's own certificate", is_gaussian};
}

AuditCase case_of(const AuditQuestion& question, const std::atomic<bool>& stop) {
  if (question.train) return train_case(question, stop);
  return question.command.empty() ? expression_case(question) : command_case(question, stop);
}

}  // namespace

AuditCase claimed_case(const AuditQuestion& question, const audit::Subject& subject) {
  std::optional<Claim> claim = stated_claim(question);
  if (!question.certificate.empty()) claim = claim_of(certificate_of(question), question);
  if (!claim) throw InvalidArgument("--epsilon: missing; what is claimed, or --certificate FILE");
  return {subject, *claim, question.certificate.empty() ? "--epsilon" : "the certificate", question.is_gaussian};
}

std::optional<AuditReport> audit_run(const AuditQuestion& question) {
  const StopsOnSignals signals;
  return audit_run(question, StopsOnSignals::asked());
}

std::optional<AuditReport> audit_run(const AuditQuestion& question, const std::atomic<bool>& stop) {
  validate(question);
  return audit_run(question, case_of(question, stop), stop);
}

std::optional<AuditReport> audit_run(const AuditQuestion& question, const AuditCase& one,
                                     const std::atomic<bool>& stop) {
  validate(question);
  if (one.is_gaussian) require(one.claim.delta > 0.0, "--delta", one.claim.delta, "delta > 0 for Gaussian DP");
  Progress progress(question.runs, "runs");
  const auto result = audit::audit(one.subject, {.runs = question.runs,
                                                 .delta = one.claim.delta,
                                                 .failure = 1.0 - question.confidence,
                                                 .is_gaussian = one.is_gaussian,
                                                 .progress = [&](std::uint64_t done) { progress.finished(done); },
                                                 .stop = &stop});
  if (!result) return std::nullopt;
  return AuditReport{.question = question,
                     .subject = one.subject.name,
                     .claim = one.claim,
                     .claimed_by = one.claimed_by,
                     .result = *result,
                     .verdict = verdict_of(*result, one.claim),
                     .event = text_of(result->black_box.event, one.subject.category)};
}

}  // namespace doeblin::commands
