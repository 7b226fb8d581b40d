// SPDX-License-Identifier: Apache-2.0
#include "commands/diffusion_report.hpp"

#include <fmt/format.h>

#include "commands/json_output.hpp"
#include "commands/text_output.hpp"
#include "doeblin/core/format.hpp"

namespace doeblin::commands {
namespace {

using pipeline::CalibratedDiffusion;
using pipeline::DiffusionChoice;
using pipeline::DiffusionTarget;

constexpr int kParameterDigits = 9;

// Rounded up, parameters of the process only gain privacy.
std::string process_text(const DiffusionChoice& choice) {
  return fmt::format("theta={}, rho={}", format_up(choice.mechanism.process.theta, kParameterDigits),
                     format_up(choice.mechanism.process.rho, kParameterDigits));
}

Json json_choice(const DiffusionChoice& choice) {
  const DiffusionTransition law = transition(choice.mechanism.process, choice.mechanism.time);
  return {{"theta", choice.mechanism.process.theta}, {"rho", choice.mechanism.process.rho},
          {"time", choice.mechanism.time.middle()},  {"decay", law.decay.middle()},
          {"deviation", law.deviation.middle()},     {"error", choice.error}};
}

}  // namespace

std::string text_diffusion(const DiffusionTarget& target, const CalibratedDiffusion& found) {
  const DiffusionTransition law = transition(found.published.mechanism.process, found.published.mechanism.time);
  std::string text = fmt::format(
      "ornstein_uhlenbeck({}, time={}, sensitivity={}) meets epsilon = {} at {} = {}\n", process_text(found.published),
      format_exact(target.time), format_exact(target.sensitivity), format_exact(target.epsilon),
      target.delta ? "delta" : "alpha", format_exact(target.delta.value_or(target.alpha.value_or(0.0))));
  text += fmt::format("  {}-GDP; Renyi divergence at most alpha {}\n", format_up(found.mu),
                      format_up(renyi_level(found.published.mechanism).upper()));
  text += fmt::format("  releases {:.6g} times the value, with normal noise of standard deviation {:.6g}\n\n",
                      law.decay.middle(), law.deviation.middle());
  text += fmt::format("  mean squared error at most, in {} dimension{} within {}\n", target.value.dimension,
                      target.value.dimension == 1.0 ? "" : "s", format_exact(target.value.radius));
  const auto line = [&](const char* name, double error, const std::string& parameters) {
    text += fmt::format("    {:<34}  {:>12.6g}  {}\n", name, error, parameters);
  };
  line("Ornstein-Uhlenbeck, Theorem 8", found.published.error, process_text(found.published));
  line("Ornstein-Uhlenbeck, least found", found.least.error, process_text(found.least));
  line("Gaussian, shrunk as well as can be", found.shrunk_error,
       fmt::format("sigma={}, times {:.6g}", format_up(found.gaussian_sigma, kParameterDigits), found.shrinkage));
  line("Gaussian", found.gaussian_error, fmt::format("sigma={}", format_up(found.gaussian_sigma, kParameterDigits)));
  return text + pipeline_summary(found.pipeline);
}

std::string json_diffusion(const DiffusionTarget& target, const CalibratedDiffusion& found) {
  Json json;
  json["target"] = {{"epsilon", target.epsilon}};
  if (target.delta) json["target"]["delta"] = *target.delta;
  if (target.alpha) json["target"]["alpha"] = *target.alpha;
  json["dimension"] = target.value.dimension;
  json["radius"] = target.value.radius;
  json["sensitivity"] = target.sensitivity;
  json["mu"] = {{"upper", found.mu}};
  json["renyi_level"] = json_bracket(renyi_level(found.published.mechanism));
  json["ornstein_uhlenbeck"] = json_choice(found.published);
  json["least_error"] = json_choice(found.least);
  json["gaussian"] = {{"sigma", found.gaussian_sigma}, {"error", found.gaussian_error}};
  json["shrunk_gaussian"] = {
      {"sigma", found.gaussian_sigma}, {"shrinkage", found.shrinkage}, {"error", found.shrunk_error}};
  add_pipeline(json, found.pipeline, found.pipeline.steps()[0].step.stage);
  return dumped(json);
}

}  // namespace doeblin::commands
