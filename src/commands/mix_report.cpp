// SPDX-License-Identifier: Apache-2.0
#include "commands/mix_report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "commands/json_output.hpp"
#include "commands/progress.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/language/schema.hpp"
#include "doeblin/mechanism/stages.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/pipeline/comparison.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/report/line_chart.hpp"

namespace doeblin::commands {
namespace {

// The search for a number of steps ends here.
constexpr double kMostSteps = 0x1p30;
constexpr double kMostTabulated = 10000.0;
// Entries of the minorising law that are shown to people, and in JSON.
constexpr std::size_t kShownEntries = 5;
constexpr std::size_t kMostJsonEntries = 10000;

// A file name stands for the kernel in it.
pipeline::Kernel kernel_from(const std::string& text) {
  std::error_code error;
  if (text.find('(') == std::string::npos &&
      (std::filesystem::exists(text, error) || text.find('.') != std::string::npos))
    return pipeline::evaluate_kernels({.call = call_of(schema_with(language::Role::kMatrixKernel), {{"file", text}})});
  return pipeline::evaluate_kernels(language::parse_kernels(text));
}

MixCoefficient coefficient(const pipeline::Kernel& kernel, double epsilon) {
  if (kernel.finite) return {epsilon, hockey_stick(*kernel.finite, Epsilon(epsilon))};
  return {epsilon, {.value = kernel.bound.profile.delta(Epsilon(epsilon))}};
}

std::vector<MixEffect> effects_of(const MixQuestion& question, const pipeline::Pipeline& mechanism,
                                  const pipeline::Kernel& kernel) {
  std::vector<MixEffect> effects;
  for (const pipeline::Analysis& analysis : pipeline::all_mixing_analyses({})) {
    MixEffect effect{.name = analysis.name};
    try {
      const pipeline::Pipeline after = mechanism | pipeline::mixing(kernel, analysis.settings);
      effect.source = after.steps().back().step.source;
      effect.delta = after.delta(Epsilon(question.epsilon));
      effect.epsilon = after.epsilon(Delta(question.delta));
    } catch (const InvalidArgument& error) {
      if (effects.empty()) throw;
      effect.reason = error.what();
    }
    effects.push_back(std::move(effect));
  }
  return effects;
}

MixSteps after_steps(const MixQuestion& question, const pipeline::Pipeline& mechanism, const pipeline::Kernel& kernel,
                     double steps, const Bracket& gamma, double first_gamma, double delta_before) {
  const pipeline::Pipeline after = mechanism | kernel;
  return {.steps = steps,
          .dobrushin = gamma,
          .delta = after.delta(Epsilon(question.epsilon)),
          .epsilon = after.epsilon(Delta(question.delta)),
          .delta_by_power = std::pow(first_gamma, steps) * delta_before};
}

bool meets_target(const MixQuestion& question, const pipeline::Pipeline& mechanism, const pipeline::Kernel& kernel,
                  double steps) {
  const pipeline::Pipeline after = mechanism | pipeline::repeated(kernel, steps);
  return after.delta(Epsilon(question.target_epsilon.value_or(question.epsilon))).upper() <=
         question.target_delta.value_or(question.delta);
}

// Doubling, then halving the gap.
double steps_to_target(const MixQuestion& question, const pipeline::Pipeline& mechanism,
                       const pipeline::Kernel& kernel) {
  Progress progress(0, "evaluations");
  std::size_t tried = 0;
  const auto meets = [&](double steps) {
    const bool met = meets_target(question, mechanism, kernel, steps);
    progress.finished(++tried);
    return met;
  };
  const auto found = numerics::grown(1.0, 2.0, kMostSteps, meets);
  return found ? numerics::narrowed(*found, meets, numerics::WholeHalving{}).safe : rounding::kInfinity;
}

std::string between(const Bracket& value) {
  if (value.is_exact()) return format_exact(value.upper());
  return fmt::format("{} .. {}", format_down(value.lower()), format_up(value.upper()));
}

std::string pair_text(const PairCoefficient& found) {
  if (found.first == found.second) return "";
  return fmt::format("states {} and {}", found.first + 1, found.second + 1);
}

// The largest entries of the minorising law.
std::string minorising_text(const std::vector<double>& law) {
  std::vector<std::size_t> order(law.size());
  for (std::size_t y = 0; y < law.size(); ++y) order[y] = y;
  const std::size_t shown = std::min(kShownEntries, law.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](std::size_t a, std::size_t b) { return law[a] != law[b] ? law[a] > law[b] : a < b; });
  std::string text = "omega:";
  for (std::size_t k = 0; k < shown; ++k)
    text += fmt::format(" {} at {}{}", fmt::format("{:.4g}", law[order[k]]), order[k] + 1, k + 1 < shown ? "," : "");
  return text + (law.size() > shown ? ", ..." : "");
}

std::string kernel_text(const pipeline::Kernel& kernel) {
  return kernel.program ? line_text(*kernel.program) : "kernel";
}

std::string kernel_size(const pipeline::Kernel& kernel) {
  if (!kernel.finite) return "";
  const FiniteKernel& matrix = *kernel.finite;
  return matrix.is_dense()
             ? fmt::format("{} x {} states, dense\n", matrix.states(), matrix.outputs())
             : fmt::format("{} x {} states, {} entries\n", matrix.states(), matrix.outputs(), matrix.size());
}

std::string coefficients_text(const MixReport& report) {
  std::string text = fmt::format("  {:<24}  {:<26}  {}\n", "coefficient", "gamma", "attained by");
  const auto line = [&](const std::string& name, const std::string& gamma, const std::string& where) {
    text += fmt::format("  {:<24}  {:<26}  {}", name, gamma, where);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  };
  for (const MixCoefficient& one : report.curve)
    line(one.epsilon == 0.0 ? "Dobrushin" : fmt::format("  at epsilon = {}", format_exact(one.epsilon)),
         between(one.found.value), pair_text(one.found));
  if (report.doeblin)
    line("Doeblin", between(report.doeblin->gamma),
         report.doeblin->minorising.empty() ? "" : minorising_text(report.doeblin->minorising));
  else if (report.kernel.doeblin)
    line("Doeblin", between(*report.kernel.doeblin), "");
  else
    line("Doeblin", "not known", "");
  const Bracket gamma = report.ultra ? report.ultra->gamma : Bracket(0.0);
  const std::string level = fmt::format("epsilon {}", between(report.ultra_level));
  line("ultra-mixing", report.ultra ? between(gamma) : level,
       report.ultra ? fmt::format("{}; output {}, states {} and {}", level, report.ultra->output + 1,
                                  report.ultra->smaller + 1, report.ultra->larger + 1)
                    : "");
  return text;
}

// What comes before the kernel, as it was written; the black box as its derivation has it.
std::string mechanism_text(const MixReport& report) {
  const std::string& written = report.question.mechanism;
  return written.empty() ? report.mechanism.steps().front().step.stage : written;
}

std::string effects_text(const MixReport& report) {
  const MixQuestion& question = report.question;
  std::string text =
      fmt::format("\n{} and then the kernel\n\n  {:<18}  {:<6}  {:>18}  {:>18}\n", mechanism_text(report), "rule", "",
                  fmt::format("delta at {}", format_exact(question.epsilon)),
                  fmt::format("epsilon at {}", format_exact(question.delta)));
  for (const MixEffect& effect : report.effects)
    text += effect.delta
                ? fmt::format("  {:<18}  {:<6}  {:>18}  {:>18}\n", effect.name, effect.source,
                              "<= " + format_up(effect.delta->upper()), "<= " + format_up(effect.epsilon->upper()))
                : fmt::format("  {:<18}  {:<6}  {}\n", effect.name, "", effect.reason);
  return text;
}

std::string steps_text(const MixReport& report) {
  std::string text;
  if (report.steps.size() > 1) {
    text += fmt::format("\n  {:>8}  {:>14}  {:>18}  {:>18}\n", "steps",
                        "Dobrushin <=", fmt::format("delta at {}", format_exact(report.question.epsilon)),
                        fmt::format("epsilon at {}", format_exact(report.question.delta)));
    for (const MixSteps& one : report.steps)
      text += fmt::format("  {:>8}  {:>14}  {:>18}  {:>18}\n", one.steps, format_up(one.dobrushin.upper()),
                          "<= " + format_up(one.delta.upper()), "<= " + format_up(one.epsilon.upper()));
  }
  if (report.steps_to_target) {
    const double epsilon = report.question.target_epsilon.value_or(report.question.epsilon);
    const double delta = report.question.target_delta.value_or(report.question.delta);
    text += std::isinf(*report.steps_to_target)
                ? fmt::format("\nno number of steps up to 2^30 was found to reach ({}, {})\n", format_exact(epsilon),
                              format_exact(delta))
                : fmt::format("\n{} step{} reach{} epsilon = {}, delta = {}\n", *report.steps_to_target,
                              *report.steps_to_target == 1.0 ? "" : "s", *report.steps_to_target == 1.0 ? "es" : "",
                              format_exact(epsilon), format_exact(delta));
  }
  return text;
}

}  // namespace

pipeline::Pipeline mechanism_before(const MixQuestion& question) {
  if (!question.mechanism.empty()) return pipeline::parse(question.mechanism);
  return pipeline::black_box({.epsilon = question.epsilon, .delta = question.delta});
}

void MixQuestion::validate() const {
  require(epsilon >= 0.0 && std::isfinite(epsilon), Option{"epsilon"}, epsilon, "0 <= epsilon < infinity");
  require(delta > 0.0 && delta <= 1.0, Option{"delta"}, delta, "0 < delta <= 1");
  require_whole(Option{"steps"}, steps, 1.0, kMostTabulated, "an integer, 1 <= steps <= 10000");
  for (const double at : curve) require(at >= 0.0, Option{"at"}, at, "epsilon >= 0");
  if (target_epsilon) require(*target_epsilon >= 0.0, Option{"target_epsilon"}, *target_epsilon, "epsilon >= 0");
  if (target_delta)
    require(*target_delta >= 0.0 && *target_delta <= 1.0, Option{"target_delta"}, *target_delta, "0 <= delta <= 1");
}

MixReport mix_report(const MixQuestion& question) {
  question.validate();
  return mix_report(question, kernel_from(question.kernel), mechanism_before(question));
}

MixReport mix_report(const MixQuestion& question, const pipeline::Kernel& kernel, const pipeline::Pipeline& mechanism) {
  question.validate();
  MixReport report{.question = question, .kernel = kernel, .mechanism = mechanism};
  const bool can_repeat = !kernel.finite || kernel.finite->is_square();
  const double rows = can_repeat ? question.steps : 1.0;
  Progress progress(question.curve.size() + 1 + static_cast<std::size_t>(rows));
  std::size_t done = 0;
  report.curve.push_back(coefficient(kernel, 0.0));
  progress.finished(++done);
  for (const double epsilon : question.curve) {
    if (epsilon > 0.0) report.curve.push_back(coefficient(kernel, epsilon));
    progress.finished(++done);
  }
  if (kernel.finite) {
    report.doeblin = doeblin_coefficient(*kernel.finite);
    report.ultra = ultra_mixing_coefficient(*kernel.finite);
  }
  report.ultra_level = pipeline::ultra_mixing_level(kernel);
  report.delta_before = report.mechanism.delta(Epsilon(question.epsilon));
  report.epsilon_before = report.mechanism.epsilon(Delta(question.delta));
  report.effects = effects_of(question, report.mechanism, kernel);
  const double gamma = report.curve[0].found.value.upper();
  pipeline::Kernel power = kernel;
  // Nobody reads how its powers would be written.
  power.program.reset();
  for (double steps = 1.0; steps <= rows; ++steps) {
    // One product a step for matrices; formulas know their powers.
    if (steps > 1.0) power = kernel.finite ? pipeline::followed_by(power, kernel) : pipeline::repeated(kernel, steps);
    const Bracket now = steps > 1.0 ? pipeline::dobrushin_gamma(power) : report.curve[0].found.value;
    report.steps.push_back(
        after_steps(question, report.mechanism, power, steps, now, gamma, report.delta_before.upper()));
    progress.finished(++done);
  }
  if (question.target_epsilon || question.target_delta) {
    require(can_repeat, "kernel", static_cast<double>(kernel.finite ? kernel.finite->outputs() : 0),
            "as many outputs as states, to be applied several times");
    report.steps_to_target = steps_to_target(question, report.mechanism, kernel);
  }
  return report;
}

std::string text_mix(const MixReport& report) {
  return kernel_text(report.kernel) + "\n" + kernel_size(report.kernel) + "\n" + coefficients_text(report) +
         effects_text(report) + steps_text(report);
}

std::string json_mix(const MixReport& report) {
  Json json;
  json["kernel"] = kernel_text(report.kernel);
  if (report.kernel.finite) {
    json["states"] = report.kernel.finite->states();
    json["outputs"] = report.kernel.finite->outputs();
    json["entries"] = report.kernel.finite->size();
  }
  json["coefficients"] = Json::array();
  for (const MixCoefficient& one : report.curve) {
    Json entry{{"epsilon", json_number(one.epsilon)}, {"gamma", json_bracket(one.found.value)}};
    if (one.found.first != one.found.second) entry["states"] = {one.found.first + 1, one.found.second + 1};
    json["coefficients"].push_back(entry);
  }
  json["dobrushin"] = json["coefficients"][0];
  if (report.doeblin) {
    json["doeblin"] = {{"gamma", json_bracket(report.doeblin->gamma)}};
    if (report.doeblin->minorising.size() <= kMostJsonEntries)
      json["doeblin"]["minorising"] = report.doeblin->minorising;
  } else if (report.kernel.doeblin) {
    json["doeblin"] = {{"gamma", json_bracket(*report.kernel.doeblin)}};
  }
  json["ultra_mixing"] = {{"level", json_bracket(report.ultra_level)}};
  if (report.ultra) {
    json["ultra_mixing"]["gamma"] = json_bracket(report.ultra->gamma);
    json["ultra_mixing"]["output"] = report.ultra->output + 1;
    json["ultra_mixing"]["states"] = {report.ultra->smaller + 1, report.ultra->larger + 1};
  }
  json["mechanism"] = mechanism_text(report);
  json["epsilon"] = json_number(report.question.epsilon);
  json["delta"] = json_number(report.question.delta);
  json["before"] = {{"delta", json_bracket(report.delta_before)}, {"epsilon", json_bracket(report.epsilon_before)}};
  json["effects"] = Json::array();
  for (const MixEffect& effect : report.effects) {
    Json entry{{"name", effect.name}};
    if (effect.delta) {
      entry["source"] = effect.source;
      entry["delta"] = json_bracket(*effect.delta);
      entry["epsilon"] = json_bracket(*effect.epsilon);
    } else {
      entry["reason"] = effect.reason;
    }
    json["effects"].push_back(entry);
  }
  json["steps"] = Json::array();
  for (const MixSteps& one : report.steps)
    json["steps"].push_back({{"steps", static_cast<std::uint64_t>(one.steps)},
                             {"dobrushin", json_bracket(one.dobrushin)},
                             {"delta", json_bracket(one.delta)},
                             {"epsilon", json_bracket(one.epsilon)}});
  if (report.steps_to_target)
    json["target"] = {
        {"epsilon", json_number(report.question.target_epsilon.value_or(report.question.epsilon))},
        {"delta", json_number(report.question.target_delta.value_or(report.question.delta))},
        {"steps", std::isinf(*report.steps_to_target) ? json_number(*report.steps_to_target)
                                                      : Json(static_cast<std::uint64_t>(*report.steps_to_target))}};
  json["version"] = DOEBLIN_VERSION;
  return dumped(json);
}

std::string mix_svg(const MixReport& report) {
  report::ChartLine epsilon{"", {{0.0, report.epsilon_before.upper()}}};
  report::ChartLine delta{"the power of the kernel (M2)", {{0.0, report.delta_before.upper()}}};
  report::ChartLine by_power{"gamma^steps delta (M1)", {{0.0, report.delta_before.upper()}}};
  for (const MixSteps& one : report.steps) {
    epsilon.points.emplace_back(one.steps, one.epsilon.upper());
    delta.points.emplace_back(one.steps, one.delta.upper());
    by_power.points.emplace_back(one.steps, one.delta_by_power);
  }
  return report::svg_chart(
      fmt::format("{} after {}: epsilon and delta against steps", kernel_text(report.kernel), mechanism_text(report)),
      {{fmt::format("epsilon at delta = {}", format_exact(report.question.delta)), "steps", {epsilon}},
       {fmt::format("delta at epsilon = {}", format_exact(report.question.epsilon)), "steps", {delta, by_power}}});
}

}  // namespace doeblin::commands
