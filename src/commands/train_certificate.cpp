// SPDX-License-Identifier: Apache-2.0
#include "commands/train_certificate.hpp"

#include "commands/certificate_output.hpp"
#include "doeblin/language/schema.hpp"
#include "doeblin/training/certified_run.hpp"

namespace doeblin::commands {
namespace {

using certificate::Certificate;
using certificate::Detail;
using training::DescentPlan;
using training::DescentRequest;

// What the plan was made from, as far as the program does not say it, and what it came to.
std::vector<Detail> details_of(const DescentPlan& plan, double held_out) {
  const DescentRequest& request = plan.request;
  std::vector<Detail> details = {{"loss", std::string(training::name(request.loss.kind))}};
  if (request.loss.has_width()) details.push_back({"loss_width", request.loss.width});
  details.push_back({"domain", std::string(training::name(request.domain.kind))});
  if (request.domain.kind == training::DomainKind::kBox) {
    details.push_back({"domain_low", request.domain.low});
    details.push_back({"domain_high", request.domain.high});
  } else {
    details.push_back({"domain_size", request.domain.size});
  }
  const std::vector<Detail> others = {{"regularisation", request.regularisation},
                                      {"feature_norm", request.bounds.feature_norm},
                                      {"label_bound", request.bounds.label},
                                      {"dimension", static_cast<double>(request.dimension)},
                                      {"sparse", request.is_sparse ? 1.0 : 0.0},
                                      {"classes_learnt", request.tasks},
                                      {certificate::kHeldOutShare, held_out},
                                      {"rounding_needed", training::rounding_of(plan)},
                                      {"grid_exponent", static_cast<double>(plan.grid.exponent)},
                                      {"grid_noise", plan.grid.noise},
                                      {"grid_reach", plan.grid.reach}};
  details.insert(details.end(), others.begin(), others.end());
  return details;
}

// A number that is there, or one that nothing depends on.
double number(const Certificate& certificate, const std::string& name,
              const std::optional<double>& otherwise = std::nullopt) {
  for (const Detail& detail : certificate.details)
    if (detail.name == name)
      if (const auto* value = std::get_if<double>(&detail.value)) return *value;
  if (otherwise) return *otherwise;
  throw InvalidArgument("details: no number '" + name + "'");
}

std::string text(const Certificate& certificate, const std::string& name) {
  for (const Detail& detail : certificate.details)
    if (detail.name == name)
      if (const auto* value = std::get_if<std::string>(&detail.value)) return *value;
  throw InvalidArgument("details: no text '" + name + "'");
}

DescentRequest request_of(const Certificate& certificate, const pipeline::NoisySgd& run) {
  const double dimension = number(certificate, "dimension");
  require(dimension >= 1.0 && dimension <= 1e9, "dimension", dimension, "1 <= dimension <= 1e9");
  return {.loss = {training::loss_named(text(certificate, "loss")),
                   number(certificate, "loss_width", training::Loss{}.width)},
          .domain = {training::domain_named(text(certificate, "domain")),
                     number(certificate, "domain_size", training::Domain{}.size),
                     number(certificate, "domain_low", training::Domain{}.low),
                     number(certificate, "domain_high", training::Domain{}.high)},
          .regularisation = number(certificate, "regularisation"),
          .bounds = {number(certificate, "feature_norm"), number(certificate, "label_bound")},
          .dimension = static_cast<std::size_t>(dimension),
          .is_sparse = number(certificate, "sparse") != 0.0,
          .records = run.n,
          .learning_rate = run.learning_rate,
          .batch = run.batch,
          .epochs = run.epochs,
          .order = run.order,
          .output = run.output,
          .noise = run.noise,
          .relation = run.relation,
          .public_tail = run.public_tail,
          .tasks = number(certificate, "classes_learnt")};
}

std::vector<certificate::Claim> claims_of(const TrainReport& report) {
  std::vector<certificate::Claim> claims;
  // The noise was solved for so that this holds.
  if (report.asked.epsilon)
    claims.push_back({false, *report.asked.epsilon, report.guarantee.delta(Epsilon(*report.asked.epsilon))});
  claims.push_back({true, report.asked.delta, report.guarantee.epsilon(Delta(report.asked.delta))});
  return claims;
}

}  // namespace

Certificate certificate_of(const TrainReport& report) {
  const bool is_void = report.asked.insecure_seed.has_value();
  const certificate::Subject subject{report.guarantee, language::Program{.call = call_of(report.plan.privacy)},
                                     report.asked.settings,
                                     is_void ? std::vector<certificate::Claim>{} : claims_of(report)};
  Certificate certificate = issued(certificate::Kind::kTraining, subject);
  certificate.details = details_of(report.plan, report.asked.split.held_out);
  if (is_void) {
    certificate.void_because = certificate::kSeeded;
    certificate.curve.clear();
  } else if (report.people) {
    certificate.people = people_claim_of(report.people->answers[0]);
  }
  return certificate;
}

pipeline::Pipeline planned_again(const Certificate& certificate) {
  if (certificate.program.kind != language::Program::Kind::kCall ||
      language::role_of(certificate.program.call.name) != language::Role::kRun)
    throw InvalidArgument("program: not a run of noisy_sgd");
  const pipeline::NoisySgd run = pipeline::noisy_sgd_of(certificate.program.call);
  DescentPlan plan = plan_descent(request_of(certificate, run), run.sigma);
  // More may be allowed for rounding than is needed.
  if (plan.privacy.rounding < run.rounding) plan.privacy.rounding = run.rounding;
  if (call_of(plan.privacy) != certificate.program.call)
    throw InvalidArgument("program: its constants are not those of the run that the details describe");
  const double held_out = number(certificate, certificate::kHeldOutShare);
  require(held_out >= 0.0 && held_out < 1.0, certificate::kHeldOutShare, held_out, "0 <= held_out_share < 1");
  if (details_of(plan, held_out) != certificate.details)
    throw InvalidArgument("details: not those of the run that the program describes");
  return certified_run(plan, certificate.settings);
}

}  // namespace doeblin::commands
