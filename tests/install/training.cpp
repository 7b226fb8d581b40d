// SPDX-License-Identifier: Apache-2.0
// Trains, says what that guarantees, and audits a mechanism.
#include <array>
#include <cstdio>

#include <doeblin/audit/mechanism.hpp>
#include <doeblin/audit/verdict.hpp>
#include <doeblin/doeblin.hpp>
#include <doeblin/training/certified_run.hpp>
#include <doeblin/training/train.hpp>

int main() {
  using namespace doeblin;
  training::Records records({.dimension = 2});
  for (std::uint64_t i = 0; i < 100; ++i)
    records.append(std::array{0.5, i % 2 ? 0.5 : -0.5}, i % 2 ? 1.0 : -1.0, i + 1);
  training::DescentRequest request;
  request.domain = {training::DomainKind::kBall, 5.0};
  request.dimension = 2;
  request.records = 100;
  request.learning_rate = 0.5;
  const training::DescentPlan plan = training::plan_descent(request, 1.0);
  std::printf("parameters %zu\n", training::train(plan, records)->front().size());
  std::printf("epsilon <= %s\n", format_up(training::certified_run(plan).epsilon(Delta(1e-5)).upper()).c_str());

  const audit::Subject subject = audit::mechanism_subject(language::parse("gaussian(sigma=1)"), {.delta = 1e-5});
  const std::optional<audit::AuditResult> result = audit::audit(subject, {.runs = 10'000, .delta = 1e-5});
  const audit::Claim claim{pipeline::parse("gaussian(sigma=1)").epsilon(Delta(1e-5)).upper(), 1e-5};
  std::printf("%s\n", std::string(audit::name(audit::verdict_of(*result, claim))).c_str());
}
