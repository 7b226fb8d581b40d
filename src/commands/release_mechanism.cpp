// SPDX-License-Identifier: Apache-2.0
#include "commands/release_mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/diffusion/diffusion.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin::commands {
namespace {

using language::Call;
using language::Hole;
using language::Parameter;
using language::Schema;

constexpr const char* kMechanisms[] = {"gaussian", "laplace", "brownian", "ornstein_uhlenbeck"};

// The mechanism as `release` takes it: columns have sensitivities of their own, and tiers take the place of the time.
Schema schema_of(const char* name, bool has_tiers) {
  Schema schema = *language::find_schema(name);
  std::erase_if(schema.parameters, [&](const Parameter& parameter) {
    return parameter.name == "sensitivity" || (has_tiers && parameter.name == "time");
  });
  return schema;
}

bool has_time(const std::string& name) { return name == "brownian" || name == "ornstein_uhlenbeck"; }

std::string text_of(const Call& call) { return call.arguments.empty() ? call.name : language::text_of({.call = call}); }

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

ReleaseMechanism mechanism_of(const Call& call, std::vector<double> times) {
  ReleaseMechanism mechanism{.name = call.name, .text = text_of(call), .law = LatticeLaw::kGaussian};
  if (!has_time(call.name)) {
    const bool is_laplace = call.name == "laplace";
    const char* parameter = is_laplace ? "scale" : "sigma";
    require_noise(parameter, call.number(parameter));
    mechanism.law = is_laplace ? LatticeLaw::kLaplace : LatticeLaw::kGaussian;
    mechanism.path = {{.deviation = call.number(parameter)}};
    mechanism.source = is_laplace ? "P2, D6" : "P1, D6";
    return mechanism;
  }
  if (times.empty()) times = {call.number("time")};
  const bool is_brownian = call.name == "brownian";
  const DiffusionProcess process =
      is_brownian ? DiffusionProcess{} : DiffusionProcess{call.number("theta"), call.number("rho")};
  process.validate();
  mechanism.path = path_of(process, times);
  mechanism.times = times;
  mechanism.source = is_brownian ? "D1, D5, D6" : "D2, D5, D6, I2";
  return mechanism;
}

}  // namespace

OpenMechanism parse_mechanism(const std::string& expression, const std::vector<double>& tiers) {
  const auto made = [tiers](const Call& call) {
    try {
      return mechanism_of(call, tiers);
    } catch (const InvalidArgument& error) {
      throw error.within(call.name);
    }
  };
  for (const char* name : kMechanisms) {
    const auto call = language::parse_call(expression, schema_of(name, !tiers.empty()));
    if (!call) continue;
    if (!tiers.empty() && !has_time(name))
      throw InvalidArgument(Option{"tiers"}, fmt::format("'{}'", name),
                            "brownian or ornstein_uhlenbeck, which run in time");
    const language::Program program{.call = *call};
    const std::vector<language::ArgumentPlace> open = holes_of(program);
    if (open.size() > 1) break;
    if (open.empty()) return {false, "", [mechanism = made(*call)](double) { return mechanism; }};
    return {true, open[0].parameter, [made, program](double value) { return made(filled(program, value).call); }};
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
