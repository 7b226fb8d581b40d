// SPDX-License-Identifier: Apache-2.0
#include "audit/line_runs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "audit/worst_maps.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/iteration/gradient_step.hpp"
#include "doeblin/iteration/record_order.hpp"
#include "doeblin/language/number_list.hpp"
#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::audit {
namespace {

// More steps than this would take days.
constexpr double kMostSteps = 1e7;

LatticeLaw law_of(const language::Call& call) {
  return call.text("noise") == "laplace" ? LatticeLaw::kLaplace : LatticeLaw::kGaussian;
}

// From the first step that differs on, for the steps 1, ..., steps.
std::vector<bool> from_the_first(const std::vector<std::size_t>& differing, std::size_t steps) {
  if (differing.empty()) return {false};
  std::vector<bool> differs(steps - differing[0] + 1, false);
  for (const std::size_t step : differing) differs[step - differing[0]] = true;
  return differs;
}

void require_steps(double steps) {
  require(steps >= 1.0 && steps <= kMostSteps, "steps", steps, "at most 1e7 of them to be run");
}

void require_plain(const language::Call& call) {
  const auto need = [&](const char* parameter, const std::string& text) {
    if (call.text(parameter) != text)
      throw InvalidArgument(parameter, fmt::format("'{}'", call.text(parameter).substr(0, 40)),
                            text.empty() ? "none, to be run" : fmt::format("'{}', to be run", text));
  };
  need("order", "fixed");
  need("output", "last");
  need("checkpoints", "");
  need("schedule", "");
  for (const char* parameter : {"learning_rate", "sigma", "lipschitz", "batch"})
    if (call.list(parameter) != nullptr)
      throw InvalidArgument(parameter, "a list", "the same constant at every step, to be run");
  require(call.number("tasks") == 1.0, "tasks", call.number("tasks"), "1, to be run");
}

// Where the guarantee is weakest, people that come later being better off only by accident.
double least_protected(const language::Call& call, double delta) {
  const language::Program program{.call = call};
  const auto people = pipeline::evaluate(program).mechanism().people();
  ensure(people != nullptr, "a run has people");
  const auto all = people->epsilons(Delta(std::max(delta, 1e-6)), [](std::size_t) {});
  const auto worst = std::max_element(all.begin(), all.end(), [](const ForRecords& a, const ForRecords& b) {
    return a.value.upper() < b.value.upper();
  });
  return static_cast<double>(worst->last);
}

}  // namespace

Draws iteration_draws(const language::Call& call, const MechanismOptions& options) {
  require_steps(call.number("steps"));
  std::vector<std::size_t> affected;
  for (const double step : language::parse_values("affected", {call.text("affected")}))
    affected.push_back(static_cast<std::size_t>(step));
  const std::vector<bool> differs = from_the_first(affected, static_cast<std::size_t>(call.number("steps")));
  return iterated({.factors = worst_maps(differs, call.number("lipschitz")),
                   .shift = call.number("sensitivity"),
                   .noise = {law_of(call), call.number("sigma") * options.noise_factor},
                   .diameter = call.number("diameter"),
                   .differs = differs});
}

Draws sgd_draws(const language::Call& call, std::optional<double> person, const MechanismOptions& options) {
  require_plain(call);
  const GradientStep step{call.number("learning_rate"), call.number("sigma"), call.number("lipschitz"),
                          call.number("batch")};
  const double n = call.number("n");
  const double steps = std::ceil(n * call.number("epochs") / step.batch);
  require_steps(steps);
  const Relation relation = call.text("relation") == "zero_out" ? Relation::kZeroOut : Relation::kSubstitute;
  const Bracket shift = step.shift(relation);
  const RecordOrder order(static_cast<std::size_t>(n), static_cast<std::size_t>(step.batch),
                          static_cast<std::size_t>(steps), shift);
  const double record = person ? *person : least_protected(call, options.delta);
  std::vector<std::size_t> differing;
  for (const Use& use : order.uses(static_cast<std::size_t>(record))) differing.push_back(use.step);
  const double lipschitz =
      gradient_lipschitz(step.learning_rate, call.number("smoothness"), call.number("strong_convexity")).lower();
  const std::vector<bool> differs = from_the_first(differing, static_cast<std::size_t>(steps));
  return iterated({.factors = worst_maps(differs, lipschitz),
                   .shift = shift.lower(),
                   .noise = {law_of(call), step.noise().upper() * options.noise_factor},
                   .diameter = call.number("diameter"),
                   .differs = differs});
}

}  // namespace doeblin::audit
