// SPDX-License-Identifier: Apache-2.0
#include "commands/release_mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "doeblin/amplify/diffusion.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/pipeline/expression.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin::commands {
namespace {

using pipeline::Arguments;
using pipeline::Definition;
using pipeline::Parameter;

constexpr const char* kMechanisms[] = {"gaussian", "laplace", "brownian", "ornstein_uhlenbeck"};

// The mechanism as `release` takes it: columns have sensitivities of their own, and tiers take the place of the time.
Definition definition_of(const char* name, bool has_tiers) {
  Definition definition = *pipeline::find_definition(name);
  std::erase_if(definition.parameters, [&](const Parameter& parameter) {
    return parameter.name == "sensitivity" || (has_tiers && parameter.name == "time");
  });
  return definition;
}

bool has_time(const std::string& name) { return name == "brownian" || name == "ornstein_uhlenbeck"; }

std::string call_of(const Definition& definition, const Arguments& arguments) {
  std::string text;
  for (const Parameter& parameter : definition.parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", parameter.name,
                        format_exact(arguments.number(parameter.name)));
  return text.empty() ? definition.name : fmt::format("{}({})", definition.name, text);
}

// The process from one release to the next.
std::vector<sampling::PathStep> path_of(const DiffusionProcess& process, const std::vector<double>& times) {
  std::vector<sampling::PathStep> path;
  double previous = 0.0;
  for (const double time : times) {
    require(time > previous && std::isfinite(time), "time", time, "increasing positive times");
    const DiffusionTransition law = transition(process, Bracket(time) - previous);
    path.push_back({.decay = process.theta == 0.0 ? 1.0 : std::max(law.decay.middle(), 0x1p-52),
                    .deviation = law.deviation.middle()});
    previous = time;
  }
  return path;
}

ReleaseMechanism mechanism_of(const Definition& definition, const Arguments& arguments, std::vector<double> times) {
  ReleaseMechanism mechanism{
      .name = definition.name, .text = call_of(definition, arguments), .law = LatticeLaw::kGaussian};
  if (!has_time(definition.name)) {
    const bool is_laplace = definition.name == "laplace";
    const char* parameter = is_laplace ? "scale" : "sigma";
    require_noise(parameter, arguments.number(parameter));
    mechanism.law = is_laplace ? LatticeLaw::kLaplace : LatticeLaw::kGaussian;
    mechanism.path = {{.deviation = arguments.number(parameter)}};
    mechanism.source = is_laplace ? "P2, D6" : "P1, D6";
    return mechanism;
  }
  if (times.empty()) times = {arguments.number("time")};
  const bool is_brownian = definition.name == "brownian";
  const DiffusionProcess process =
      is_brownian ? DiffusionProcess{} : DiffusionProcess{arguments.number("theta"), arguments.number("rho")};
  process.validate();
  mechanism.path = path_of(process, times);
  mechanism.times = times;
  mechanism.source = is_brownian ? "D1, D5, D6" : "D2, D5, D6, I2";
  return mechanism;
}

}  // namespace

OpenMechanism parse_mechanism(const std::string& expression, const std::vector<double>& tiers) {
  for (const char* name : kMechanisms) {
    const Definition definition = definition_of(name, !tiers.empty());
    const auto made = [definition, tiers](const Arguments& arguments) {
      try {
        return mechanism_of(definition, arguments, tiers);
      } catch (const InvalidArgument& error) {
        throw error.within(definition.name);
      }
    };
    if (!tiers.empty() && !has_time(name) && pipeline::parse_open_call(expression, definition))
      throw InvalidArgument(Option{"tiers"}, fmt::format("'{}'", name),
                            "brownian or ornstein_uhlenbeck, which run in time");
    if (const auto arguments = pipeline::parse_open_call(expression, definition))
      return {false, "", [mechanism = made(*arguments)](double) { return mechanism; }};
    for (const Parameter& parameter : definition.parameters)
      if (pipeline::parse_open_call(expression, definition, {parameter.name}))
        return {true, parameter.name, [=](double value) {
                  return made(*pipeline::parse_open_call(expression, definition, {parameter.name}, value));
                }};
  }
  if (!tiers.empty())
    throw InvalidArgument(
        Option{"mechanism"}, fmt::format("'{}'", expression.substr(0, 60)),
        "brownian or ornstein_uhlenbeck(theta, rho), whose times are the tiers, with at most one '?'");
  throw InvalidArgument(Option{"mechanism"}, fmt::format("'{}'", expression.substr(0, 60)),
                        "gaussian(sigma), laplace(scale), brownian(time) or ornstein_uhlenbeck(theta, rho, time), "
                        "with at most one '?'");
}

double standard_delta(const std::string& expression) {
  const std::size_t begin = std::min(expression.size(), expression.find_first_not_of(' '));
  return expression.substr(begin).starts_with("laplace") ? 0.0 : 1e-6;
}

}  // namespace doeblin::commands
