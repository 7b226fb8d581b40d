// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/certified_run.hpp"

#include <fmt/format.h>

#include "doeblin/core/format.hpp"

namespace doeblin::training {
namespace {

using pipeline::RecordSequence;
using pipeline::RunOutput;

std::string domain_text(const DescentRequest& request) {
  const Domain& domain = request.domain;
  switch (domain.kind) {
    case DomainKind::kBall: return fmt::format("the ball of radius {}", format_exact(domain.size));
    case DomainKind::kBox:
      return fmt::format("the box from {} to {}", format_exact(domain.low), format_exact(domain.high));
    case DomainKind::kSimplex: return fmt::format("the simplex of total {}", format_exact(domain.size));
    case DomainKind::kL1Ball: return fmt::format("the L1 ball of radius {}", format_exact(domain.size));
  }
  return "";
}

std::vector<Assumption> assumptions_of(const DescentPlan& plan, const std::vector<Assumption>& of_expression) {
  const DescentRequest& request = plan.request;
  const pipeline::NoisySgd& run = plan.privacy;
  std::vector<Assumption> all;
  for (const Assumption& one : of_expression)
    if (one.checked) all.push_back(one);
  all.push_back(checked(fmt::format(
      "the {} loss is convex, {}-smooth and has gradients of at most {}: derived from features of norm at most {}, "
      "labels of at most {}, and the domain",
      name(request.loss.kind), format_up(plan.constants.smoothness), format_up(plan.constants.lipschitz),
      format_exact(request.bounds.feature_norm), format_exact(request.bounds.label))));
  if (request.regularisation > 0.0)
    all.push_back(checked(fmt::format("the regulariser {}|w|^2/2 is part of every step and does not depend on the data",
                                      format_exact(request.regularisation))));
  all.push_back(checked(
      fmt::format("every step projects onto {}, of diameter {}", domain_text(request), format_up(run.diameter))));
  all.push_back(checked(fmt::format(
      "every step adds fresh discrete {} noise, drawn exactly, of {} steps of a grid of 2^{}: at least sigma (D6)",
      request.noise == pipeline::NoiseLaw::kGaussian ? "Gaussian" : "Laplace", format_exact(plan.grid.noise),
      plan.grid.exponent)));
  all.push_back(checked(fmt::format("computing a step in doubles moves two runs apart by at most {} of its noise",
                                    format_exact(run.rounding))));
  all.push_back(
      checked("states before the end are written nowhere but to an encrypted checkpoint, if one is asked for"));
  if (request.tasks > 1.0)
    all.push_back(checked(fmt::format(
        "{} parameter vectors with the same batches and noise of their own are one run: gradients of all of them "
        "together are at most {}",
        format_exact(request.tasks), format_up(run.lipschitz))));
  if (run.order == RecordSequence::kPermuted)
    all.push_back(checked("the order of the records is drawn uniformly, once for all epochs, and shown nowhere"));
  if (run.order == RecordSequence::kPoisson)
    all.push_back(
        checked("every batch takes each record independently and is shown nowhere; sums of gradients are "
                "divided by `batch`, whatever its size"));
  if (run.output != RunOutput::kLast)
    all.push_back(checked("the random number of steps is shown nowhere, and every step is made whatever it is"));
  all.push_back(asserted("every person has one record"));
  all.push_back(asserted("what was declared (bounds, classes, options) was chosen without looking at private records"));
  all.push_back(asserted("how many records there are, and which are held out or public, is no secret"));
  all.push_back(asserted("nobody sees the memory of the process, or more than one result of the same checkpoint"));
  return all;
}

}  // namespace

pipeline::Pipeline certified_run(const DescentPlan& plan, const Settings& settings) {
  const pipeline::Pipeline asserted = pipeline::noisy_sgd(plan.privacy, settings);
  pipeline::Derived run = asserted.steps()[0];
  run.step.assumptions = assumptions_of(plan, run.step.assumptions);
  return {asserted.program(), std::move(run)};
}

}  // namespace doeblin::training
