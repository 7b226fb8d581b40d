// SPDX-License-Identifier: Apache-2.0
#include "commands/release_mechanism.hpp"

#include <algorithm>
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

[[noreturn]] void fail_as_mechanism(const std::string& written, bool has_tiers) {
  throw InvalidArgument(
      Option{"mechanism"}, fmt::format("'{}'", written.substr(0, 60)),
      has_tiers ? "brownian or ornstein_uhlenbeck(theta, rho), whose times are the tiers, with at most one '?'"
                : "gaussian(sigma), laplace(scale), brownian(time) or ornstein_uhlenbeck(theta, rho, time), "
                  "with at most one '?'");
}

// A call of what can be released, if it can be solved for and has tiers if they are asked for.
Call accepted(Call call, const Schema& schema, const std::string& written, bool has_tiers) {
  if (has_tiers && !has_time(schema))
    throw InvalidArgument(Option{"tiers"}, fmt::format("'{}'", schema.name),
                          "brownian or ornstein_uhlenbeck, which run in time");
  if (language::holes_of({.call = call}).size() > 1) fail_as_mechanism(written, has_tiers);
  return call;
}

}  // namespace

Call parse_mechanism(const std::string& expression, bool has_tiers) {
  for (const Schema& schema : language::schemas()) {
    if (!can_be_released(schema)) continue;
    if (auto call = language::parse_call(expression, released(schema, has_tiers)))
      return accepted(std::move(*call), schema, expression, has_tiers);
  }
  fail_as_mechanism(expression, has_tiers);
}

Call mechanism_call(const language::Program& source, bool has_tiers) {
  const std::string written = brief_text(source);
  const Schema* const schema =
      source.kind == language::Program::Kind::kCall ? language::find_schema(source.call.name) : nullptr;
  if (schema == nullptr)
    throw InvalidArgument(Option{"mechanism"}, fmt::format("'{}'", written), "one source, such as gaussian(sigma=2)");
  if (!can_be_released(*schema)) fail_as_mechanism(written, has_tiers);
  Call call = accepted(source.call, *schema, written, has_tiers);
  if (call.argument("sensitivity") != language::Argument(1.0))
    throw InvalidArgument(Option{"mechanism"}, fmt::format("'{}'", written),
                          "a sensitivity of 1; columns have sensitivities of their own");
  if (has_tiers)
    throw InvalidArgument(Option{"mechanism"}, fmt::format("'{}'", written),
                          "a text without a time, such as 'brownian': the tiers are its times");
  std::erase_if(call.arguments, [](const auto& argument) { return argument.first == "sensitivity"; });
  return call;
}

OpenMechanism open_mechanism(const Call& call, const std::vector<double>& tiers) {
  const auto made = [tiers](const Call& closed) {
    try {
      return mechanism_of(closed, tiers);
    } catch (const InvalidArgument& error) {
      throw error.within(closed.name);
    }
  };
  const language::Program program{.call = call};
  const std::vector<language::ArgumentPlace> open = holes_of(program);
  if (open.empty()) return {false, "", [mechanism = made(call)](double) { return mechanism; }};
  return {true, open[0].parameter, [made, program](double value) { return made(filled(program, value).call); }};
}

double standard_delta(const Call& mechanism) {
  return language::role_of(mechanism.name) == Role::kLaplaceNoise ? 0.0 : 1e-6;
}

}  // namespace doeblin::commands
