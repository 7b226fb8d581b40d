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
// Who claims what the caller does.
constexpr const char* kStated = "--epsilon";

void validate(const AuditRequest& asked) {
  if (asked.delta) require(*asked.delta >= 0.0 && *asked.delta < 1.0, Option{"delta"}, *asked.delta, "0 <= delta < 1");
  require(asked.runs >= 8 && asked.runs <= 1'000'000'000, Option{"runs"}, static_cast<double>(asked.runs),
          "8 <= runs <= 1e9");
  require(asked.confidence > 0.0 && asked.confidence <= 1.0 - 1e-12, Option{"confidence"}, asked.confidence,
          "0 < confidence <= 1 - 1e-12");
}

sampling::RandomSource source_of(const AuditRequest& asked) {
  return asked.insecure_seed ? sampling::RandomSource::insecure(*asked.insecure_seed)
                             : sampling::RandomSource::secure();
}

std::optional<double> level_of(const pipeline::Mechanism& mechanism) {
  const std::optional<Gdp>& gdp = mechanism.gaussian_bound();
  return gdp ? std::optional(enclose(gdp->mu).upper()) : std::nullopt;
}

// What the pipeline itself promises at delta; pure DP at 0.
Claim claim_of(const pipeline::Pipeline& pipeline, double delta) {
  const Bracket epsilon = delta > 0.0 ? pipeline.epsilon(Delta(delta)) : pipeline.rdp(Alpha(rounding::kInfinity));
  return {epsilon.upper(), delta, delta > 0.0 ? level_of(pipeline.mechanism()) : std::nullopt};
}

// The claim of a certificate about the delta asked for, or the first one.
Claim claim_of(const certificate::Certificate& certificate, const AuditRequest& asked) {
  if (!certificate.void_because.empty())
    throw InvalidArgument(Option{"certificate"}, fmt::format("'{}'", printable(asked.certificate)),
                          "one that is not void: " + certificate.void_because);
  for (const certificate::Claim& claim : certificate.claims) {
    const Claim found = claim.is_epsilon ? Claim{claim.value.upper(), claim.at} : Claim{claim.at, claim.value.upper()};
    if (!asked.delta || *asked.delta == found.delta) return found;
  }
  if (asked.delta) throw InvalidArgument(Option{"delta"}, *asked.delta, "one that the certificate has a claim about");
  throw InvalidArgument(Option{"certificate"}, fmt::format("'{}'", printable(asked.certificate)), "a claim");
}

certificate::Certificate certificate_of(const AuditRequest& asked) {
  return asked.certificate_text.empty() ? certificate::read_certificate_file(asked.certificate)
                                        : certificate::read_certificate(asked.certificate, asked.certificate_text);
}

// What the options claim, if they do.
std::optional<Claim> stated_claim(const AuditRequest& asked) {
  if (!asked.epsilon) return std::nullopt;
  require(*asked.epsilon >= 0.0, Option{"epsilon"}, *asked.epsilon, "epsilon >= 0");
  return Claim{*asked.epsilon, asked.delta.value_or(kDelta)};
}

// What is written, with the claim that comes with it if it is not its own.
struct Written {
  std::string expression = {};
  language::Program program = {};
  std::optional<Claim> claim;
  std::string claimed_by;
  std::optional<double> delta;
};

Written written(const AuditRequest& asked) {
  Written result{.claim = stated_claim(asked), .claimed_by = kStated, .delta = asked.delta};
  if (!result.claim) result.claimed_by = "the expression";
  if (asked.built) {
    result.program = asked.built->program;
    result.expression = has_words(result.program) ? text_of(result.program) : brief_text(result.program);
  } else if (!asked.expression.empty() && language::is_plan(asked.expression)) {
    const language::Plan plan = language::read_plan(asked.expression);
    result.program = plan.program;
    result.expression = brief_text(plan.program);
    if (!result.delta) result.delta = plan.delta;
  } else if (!asked.expression.empty() || asked.certificate.empty()) {
    result.program = language::parse(asked.expression);
    result.expression = asked.expression;
  }
  if (asked.certificate.empty()) return result;
  const certificate::Certificate certificate = certificate_of(asked);
  result.claim = claim_of(certificate, asked);
  result.claimed_by = "the certificate";
  if (!result.expression.empty()) return result;
  require_certified_files(certificate);
  result.program = certificate.program;
  result.expression = has_words(certificate.program) ? text_of(certificate.program) : brief_text(certificate.program);
  return result;
}

AuditCase expression_case(const AuditRequest& asked) {
  auto [expression, program, claim, claimed_by, delta] = written(asked);
  const pipeline::Pipeline pipeline = asked.built ? asked.built->pipeline : pipeline::evaluate(program, asked.settings);
  // A mechanism that is exactly Gaussian makes every claim about it one of Gaussian DP.
  const bool is_exact = pipeline.mechanism().gaussian().has_value();
  if (!claim) claim = claim_of(pipeline, delta.value_or(kDelta));
  const bool is_gaussian = asked.is_gaussian || (claim->delta > 0.0 && (is_exact || claim->mu_upper));
  Subject subject = audit::mechanism_subject(
      program, {.source = source_of(asked), .noise_factor = asked.noise_factor, .delta = claim->delta});
  // As it was written.
  subject.name = expression;
  return {subject, *claim, claimed_by, is_gaussian};
}

AuditCase command_case(const AuditRequest& asked, const std::atomic<bool>& stop) {
  if (asked.inputs.size() != 2)
    throw InvalidArgument(
        Sentence{Option{"inputs"}, ": two neighbouring inputs are needed, as in ", Option{"inputs"}, " a.csv b.csv"});
  return claimed_case(asked, audit::command_subject({.command = asked.command,
                                                     .first = asked.inputs[0],
                                                     .second = asked.inputs[1],
                                                     .runs_per_call = asked.runs_per_call,
                                                     .timeout = asked.timeout,
                                                     .is_categorical = asked.has_labels,
                                                     .source = source_of(asked),
                                                     .stop = &stop}));
}

AuditCase train_case(const AuditRequest& asked, const std::atomic<bool>& stop) {
  const TrainRequest& run = *asked.train;
  training::DataFile file = data_file(run);
  const training::Encoding encoding = resolve(run.encoding, file);
  const training::LabelledData data = read_records(file, encoding, {.limits = run.limits});
  const training::DescentPlan plan = plan_of(run, request_of(run, encoding, data.train));
  Claim claim = claim_of(certified_run(plan, run.settings), run.delta);
  if (run.epsilon) claim.epsilon_upper = std::min(claim.epsilon_upper, *run.epsilon);
  const bool is_gaussian = asked.is_gaussian || claim.mu_upper;
  return {audit::canary_subject(plan, data.train, {.record = asked.canary, .source = source_of(asked), .stop = &stop}),
          claim, "the run's own certificate", is_gaussian};
}

AuditCase case_of(const AuditRequest& asked, const std::atomic<bool>& stop) {
  if (asked.train) return train_case(asked, stop);
  return asked.command.empty() ? expression_case(asked) : command_case(asked, stop);
}

}  // namespace

AuditCase claimed_case(const AuditRequest& asked, const audit::Subject& subject) {
  std::optional<Claim> claim = stated_claim(asked);
  if (!asked.certificate.empty()) claim = claim_of(certificate_of(asked), asked);
  if (!claim)
    throw InvalidArgument(
        Sentence{Option{"epsilon"}, ": missing; what is claimed, or ", Option{"certificate"}, " FILE"});
  return {subject, *claim, asked.certificate.empty() ? kStated : "the certificate", asked.is_gaussian};
}

std::optional<AuditReport> audit_run(const AuditRequest& asked) {
  const StopsOnSignals signals;
  return audit_run(asked, StopsOnSignals::asked());
}

std::optional<AuditReport> audit_run(const AuditRequest& request, const std::atomic<bool>& stop) {
  AuditRequest asked = request;
  if (asked.train) asked.train = completed(*asked.train);
  validate(asked);
  try {
    return audit_run(asked, case_of(asked, stop), stop);
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

std::optional<AuditReport> audit_run(const AuditRequest& asked, const AuditCase& one, const std::atomic<bool>& stop) {
  validate(asked);
  if (one.is_gaussian) require(one.claim.delta > 0.0, Option{"delta"}, one.claim.delta, "delta > 0 for Gaussian DP");
  Progress progress(asked.runs, "runs");
  const auto result = audit::audit(one.subject, {.runs = asked.runs,
                                                 .delta = one.claim.delta,
                                                 .failure = 1.0 - asked.confidence,
                                                 .is_gaussian = one.is_gaussian,
                                                 .progress = [&](std::uint64_t done) { progress.finished(done); },
                                                 .stop = &stop});
  if (!result) return std::nullopt;
  return AuditReport{.asked = asked,
                     .subject = one.subject.name,
                     .claim = one.claim,
                     .claimed_by = one.claimed_by,
                     .result = *result,
                     .verdict = verdict_of(*result, one.claim),
                     .event = text_of(result->black_box.event, one.subject.category)};
}

}  // namespace doeblin::commands
