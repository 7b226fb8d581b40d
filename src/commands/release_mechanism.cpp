// SPDX-License-Identifier: Apache-2.0
#include "commands/release_mechanism.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/diffusion/diffusion.hpp"
#include "doeblin/language/schema.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin::commands {
namespace {

using language::Call;
using language::Parameter;
using language::Role;
using language::Schema;

bool has_time(const Schema& schema) { return schema.role == Role::kDiffusion; }

bool is_scale(const Parameter& parameter) { return parameter.type == language::Type::kScale; }

// One noise of a scale, or a diffusion.
bool can_be_released(const Schema& schema) {
  if (schema.role != Role::kGaussianNoise && schema.role != Role::kLaplaceNoise) return has_time(schema);
  return schema.parameter("sensitivity")->type != language::Type::kCount &&
         std::count_if(schema.parameters.begin(), schema.parameters.end(), is_scale) == 1;
}

// The mechanism as `release` takes it: columns have sensitivities of their own, and tiers take the place of the time.
Schema released(Schema schema, bool has_tiers) {
  std::erase_if(schema.parameters, [&](const Parameter& parameter) {
    return parameter.name == "sensitivity" || (has_tiers && parameter.name == "time");
  });
  return schema;
}

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
  const Schema& schema = *language::find_schema(call.name);
  if (!has_time(schema)) {
    const bool is_laplace = schema.role == Role::kLaplaceNoise;
    const std::string& parameter = std::find_if(schema.parameters.begin(), schema.parameters.end(), is_scale)->name;
    require_noise(parameter, call.number(parameter));
    mechanism.law = is_laplace ? LatticeLaw::kLaplace : LatticeLaw::kGaussian;
    mechanism.path = {{.deviation = call.number(parameter)}};
    mechanism.source = is_laplace ? "P2, D6" : "P1, D6";
    return mechanism;
  }
  if (times.empty()) times = {call.number("time")};
  const bool is_pulled = schema.parameter("theta") != nullptr;
  const DiffusionProcess process =
      is_pulled ? DiffusionProcess{call.number("theta"), call.number("rho")} : DiffusionProcess{};
  process.validate();
  mechanism.path = path_of(process, times);
  mechanism.times = times;
  mechanism.source = is_pulled ? "D2, D5, D6, I2" : "D1, D5, D6";
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
  for (const Schema& schema : language::schemas()) {
    if (!can_be_released(schema)) continue;
    const auto call = language::parse_call(expression, released(schema, !tiers.empty()));
    if (!call) continue;
    if (!tiers.empty() && !has_time(schema))
      throw InvalidArgument(Option{"tiers"}, fmt::format("'{}'", schema.name),
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
  const std::string_view rest = std::string_view(expression).substr(begin);
  const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_of_name);
  const std::string_view name(rest.begin(), end);
  return language::role_of(name) == Role::kLaplaceNoise ? 0.0 : 1e-6;
}

}  // namespace doeblin::commands
