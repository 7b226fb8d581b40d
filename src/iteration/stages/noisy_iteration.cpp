// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/noisy_sgd.hpp"

#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/profile/parameters.hpp"
#include "iteration/hidden_release.hpp"
#include "iteration/stages/run_arguments.hpp"

namespace doeblin::pipeline {
namespace {

constexpr double kMostIterations = 1e9;

RunModel model_of(const NoisyIteration& iteration, const Settings& settings) {
  const NoisySteps steps({Bracket(iteration.lipschitz), Bracket(iteration.sigma)},
                         static_cast<std::size_t>(iteration.steps));
  RunModel model{.run = std::make_shared<const HiddenRun>(HiddenRun{steps, iteration.diameter, 1.0}),
                 .noise = iteration.noise,
                 .analysis = settings.run_analysis.value_or(iteration.analysis),
                 .published_lipschitz = iteration.lipschitz};
  return model;
}

Evaluated known_iteration(const Call& call, const NoisyIteration& iteration, const Settings& settings) {
  iteration.validate();
  const RunModel model = model_of(iteration, settings);
  std::vector<Use> uses;
  for (const std::size_t step : iteration.affected) uses.push_back({step, Bracket(iteration.sensitivity)});
  Mechanism mechanism = hidden_mechanism(model, uses, static_cast<std::size_t>(iteration.steps));
  // What affine maps reach: k people who shift them in the same steps shift them k times as far.
  if (mechanism.gaussian()) mechanism = Mechanism::of(*mechanism.gaussian());
  return {std::move(mechanism),
          {.stage = analysed_text(call, model.analysis),
           .source = source_of(model),
           .statement = statement_of(model),
           .assumptions = {asserted(fmt::format("every map is {}-Lipschitz", format_exact(iteration.lipschitz))),
                           asserted(fmt::format(
                               "neighbours' maps differ by at most {} in {} of the steps and not in the others",
                               format_exact(iteration.sensitivity), uses.size())),
                           asserted("no state but the last one is ever seen"),
                           asserted("every step adds fresh noise, and projects onto the domain")},
           .is_hidden_run = true}};
}

}  // namespace

void NoisyIteration::validate() const {
  require_whole("steps", steps, 1.0, kMostIterations);
  require(sigma >= 1e-150 && sigma <= 1e150, "sigma", sigma, "1e-150 <= sigma <= 1e150");
  require_sensitivity(sensitivity);
  require(sensitivity <= 1e150, "sensitivity", sensitivity, "sensitivity <= 1e150");
  require(lipschitz >= 0.0 && std::isfinite(lipschitz), "lipschitz", lipschitz, "0 <= lipschitz < infinity");
  require(diameter > 0.0, "diameter", diameter, "diameter > 0");
  require(!affected.empty(), "affected", 0.0, "at least one step");
  for (std::size_t k = 0; k < affected.size(); ++k)
    require(affected[k] >= 1 && static_cast<double>(affected[k]) <= steps && (k == 0 || affected[k] > affected[k - 1]),
            "affected", static_cast<double>(affected[k]), "increasing steps from 1 to the number of steps");
}

Pipeline noisy_iteration(const NoisyIteration& iteration, const Settings& settings) {
  const Call call = call_of("noisy_iteration", {{"steps", iteration.steps},
                                                {"sigma", iteration.sigma},
                                                {"sensitivity", iteration.sensitivity},
                                                {"lipschitz", iteration.lipschitz},
                                                {"affected", steps_text(iteration.affected)},
                                                {"diameter", iteration.diameter},
                                                {"noise", std::string(kNoiseLaws.word_of(iteration.noise))},
                                                {"analysis", std::string(name(iteration.analysis))}});
  return {{.call = call}, known_iteration(call, iteration, settings)};
}

SourceMaker noisy_iteration_maker() {
  return {[](const Call& a, const Settings& settings) {
    return known_iteration(a,
                           {.steps = a.number("steps"),
                            .sigma = a.number("sigma"),
                            .sensitivity = a.number("sensitivity"),
                            .lipschitz = a.number("lipschitz"),
                            .affected = step_list("affected", a.text("affected")),
                            .diameter = a.number("diameter"),
                            .noise = chosen("noise", kNoiseLaws, a.text("noise")),
                            .analysis = run_analysis_named(a.text("analysis"))},
                           settings);
  }};
}

}  // namespace doeblin::pipeline
