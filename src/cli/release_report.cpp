// SPDX-License-Identifier: Apache-2.0
#include "cli/release_report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "cli/json_output.hpp"
#include "cli/progress.hpp"
#include "cli/text_output.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/pipeline/grid_release.hpp"
#include "doeblin/pipeline/number_list.hpp"

namespace doeblin::cli {
namespace {

using pipeline::asserted;
using pipeline::checked;
using sampling::ColumnLimits;
using sampling::ColumnPlan;

double number_in(const std::string& option, const std::string& text) {
  const std::vector<double> values = pipeline::parse_values(option, {text});
  if (values.size() != 1) throw InvalidArgument(option, fmt::format("'{}'", text), "one number");
  return values[0];
}

// "column=text", cut at the last '='.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InvalidArgument(option, fmt::format("'{}'", text), "the form column=...");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

ColumnLimits& limits_of(std::vector<ColumnLimits>& all, const std::string& name) {
  for (ColumnLimits& one : all)
    if (one.name == name) return one;
  return all.emplace_back(ColumnLimits{.name = name});
}

// What is declared about each column that gets noise, with "*" replaced by the names it stands for.
std::vector<ColumnLimits> declared_columns(const ReleaseQuestion& question) {
  std::vector<ColumnLimits> all;
  for (const std::string& text : question.bounds) {
    const auto [name, range] = named("--bounds", text);
    const std::size_t colon = range.find(':');
    if (colon == std::string::npos) throw InvalidArgument("--bounds", fmt::format("'{}'", text), "column=low:high");
    ColumnLimits& one = limits_of(all, name);
    if (one.bounds) throw InvalidArgument("--bounds", fmt::format("'{}'", text), "one pair of bounds for a column");
    one.bounds = {number_in("--bounds", range.substr(0, colon)), number_in("--bounds", range.substr(colon + 1))};
  }
  for (const std::string& text : question.sensitivities) {
    const auto [name, value] = named("--sensitivity", text);
    ColumnLimits& one = limits_of(all, name);
    if (one.sensitivity) throw InvalidArgument("--sensitivity", fmt::format("'{}'", text), "one value for a column");
    one.sensitivity = number_in("--sensitivity", value);
  }
  if (all.empty()) throw InvalidArgument("release: neither --bounds nor --sensitivity, need one of them for a column");
  const auto star = std::find_if(all.begin(), all.end(), [](const ColumnLimits& one) { return one.name == "*"; });
  if (star == all.end()) return all;
  const ColumnLimits standard = *star;
  all.erase(star);
  if (question.input == "-") throw InvalidArgument("release: the column '*' needs a file, not standard input");
  const auto is_named = [&](const std::string& name) {
    const auto in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    return in(question.public_columns) || in(question.dropped_columns) ||
           std::any_of(all.begin(), all.end(), [&](const ColumnLimits& one) { return one.name == name; });
  };
  for (const std::string& name : sampling::csv_columns(question.input)) {
    if (is_named(name)) continue;
    all.push_back(standard);
    all.back().name = name;
  }
  return all;
}

std::vector<ColumnPlan> plans_for(const ReleaseMechanism& mechanism, const std::vector<ColumnLimits>& columns,
                                  const ReleaseQuestion& question) {
  std::vector<ColumnPlan> plans;
  for (const ColumnLimits& one : columns)
    plans.push_back(sampling::plan_column(
        one, {.law = mechanism.law, .path = mechanism.path, .rows_per_person = question.rows_per_person}));
  return plans;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() > 5 ? fmt::format("{} and {} more", text, names.size() - 5) : text;
}

std::vector<pipeline::Assumption> assumptions_of(const std::vector<ColumnLimits>& columns,
                                                 const ReleaseQuestion& question) {
  std::vector<std::string> bounded;
  std::vector<std::string> sensitive;
  for (const ColumnLimits& one : columns) (one.sensitivity ? sensitive : bounded).push_back(one.name);
  std::vector<pipeline::Assumption> assumptions;
  const double rows = question.rows_per_person.value_or(1.0);
  if (!bounded.empty())
    assumptions.push_back(asserted(
        fmt::format("one person's data is in at most {} row{} ({})", rows, rows == 1.0 ? "" : "s", listed(bounded))));
  for (const ColumnLimits& one : columns)
    if (one.sensitivity && assumptions.size() < 8)
      assumptions.push_back(asserted(
          fmt::format("one person moves column {} by at most {} in all", one.name, format_exact(*one.sensitivity))));
  assumptions.push_back(asserted("the number of rows and the public columns are the same for all neighbours"));
  if (!bounded.empty()) assumptions.push_back(checked("values are clipped to the bounds"));
  assumptions.push_back(
      question.insecure_seed
          ? asserted("nobody else ever learns the seed: the noise can be drawn again from it")
          : checked("the noise is drawn exactly from its discrete law, with the system's random numbers"));
  return assumptions;
}

pipeline::Pipeline guarantee_of_release(const ReleaseMechanism& mechanism, const std::vector<ColumnPlan>& plans,
                                        std::size_t number, const std::vector<pipeline::Assumption>& assumptions) {
  GridRelease grid{.law = mechanism.law, .columns = {}};
  for (const ColumnPlan& plan : plans) grid.columns.push_back(plan.grid);
  std::string stage = fmt::format("release({}, columns={}", mechanism.text, plans.size());
  if (!mechanism.times.empty()) stage += fmt::format(", time={}", format_exact(mechanism.times[number - 1]));
  return pipeline::released(grid, number,
                            {.stage = stage + ")", .source = mechanism.source, .assumptions = assumptions});
}

// The smallest parameter that meets the target, on the safe side, to nine digits.
ReleaseMechanism solved(const OpenMechanism& open, const std::vector<ColumnLimits>& columns,
                        const ReleaseQuestion& question) {
  if (!question.epsilon)
    throw InvalidArgument(fmt::format("release: --epsilon is missing, need the target of {}=?", open.parameter));
  const pipeline::Target target{*question.epsilon, question.delta};
  target.validate();
  Progress progress(0);
  std::size_t tried = 0;
  std::string problem;
  const auto meets = [&](double value) {
    progress.finished(++tried);
    try {
      const ReleaseMechanism mechanism = open.filled(value);
      return guarantee_of_release(mechanism, plans_for(mechanism, columns, question), 1, {})
                 .delta(Epsilon(target.epsilon))
                 .upper() <= target.delta;
    } catch (const InvalidArgument& error) {
      problem = error.what();
      return false;
    }
  };
  double enough = 1.0;
  for (; !meets(enough); enough *= 4.0)
    if (enough > 1e9)
      throw InvalidArgument(fmt::format("release: no {} meets epsilon = {} at delta = {}{}", open.parameter,
                                        format_exact(target.epsilon), format_exact(target.delta),
                                        problem.empty() ? "" : " (" + problem + ")"));
  double too_little = enough / 4.0;
  for (; too_little > 1e-9 && meets(too_little); too_little /= 4.0) enough = too_little;
  while (enough - too_little > 1e-9 * enough) {
    const double middle = std::sqrt(enough * too_little);
    (meets(middle) ? enough : too_little) = middle;
  }
  return open.filled(enough);
}

// "noisy.csv" becomes "noisy.tier2.csv".
std::string tier_path(const std::string& output, std::size_t tier) {
  const std::filesystem::path path(output);
  return path.parent_path() / fmt::format("{}.tier{}{}", path.stem().string(), tier, path.extension().string());
}

void refuse_input_as_output(const ReleaseQuestion& question, const std::vector<std::string>& outputs) {
  std::error_code ignored;
  for (const std::string& output : outputs)
    if (question.input != "-" && std::filesystem::equivalent(question.input, output, ignored))
      throw InvalidArgument("--output", fmt::format("'{}'", output), "another file than the input");
}

std::string grid_text(const ColumnPlan& plan, std::size_t release) {
  return fmt::format("2^{}", plan.grid.exponent + plan.coarse_bits(release));
}

double noise_of(const ColumnPlan& plan, std::size_t release) {
  // Along a path the noise of a release is what has come together so far.
  double variance = 0.0;
  for (std::size_t i = 0; i <= release; ++i) {
    const GridTransition& step = plan.grid.path[i];
    variance = step.multiplier * step.multiplier * variance + step.noise * step.noise;
  }
  return std::ldexp(std::sqrt(variance), plan.grid.exponent);
}

double decay_of(const ColumnPlan& plan, std::size_t release) {
  double decay = 1.0;
  for (std::size_t i = 0; i <= release; ++i) decay *= plan.grid.path[i].multiplier;
  return decay;
}

}  // namespace

ReleaseReport release_report(const ReleaseQuestion& question) {
  static_cast<void>(Delta(question.delta > 0.0 ? question.delta : 1.0));
  require(question.delta >= 0.0 && question.delta < 1.0, "--delta", question.delta, "0 <= delta < 1");
  if (question.rows_per_person)
    require(*question.rows_per_person >= 1.0 && *question.rows_per_person <= 0x1p40 &&
                *question.rows_per_person == std::floor(*question.rows_per_person),
            "--rows-per-person", *question.rows_per_person, "an integer, 1 <= rows <= 2^40");
  if (question.insecure_seed)
    require(*question.insecure_seed >= 0.0 && *question.insecure_seed <= 0x1p53 &&
                *question.insecure_seed == std::floor(*question.insecure_seed),
            "--insecure-seed", *question.insecure_seed, "an integer, 0 <= seed <= 2^53");
  const OpenMechanism open = parse_mechanism(question.mechanism, question.tiers);
  const std::vector<ColumnLimits> columns = declared_columns(question);
  const ReleaseMechanism mechanism = open.has_hole ? solved(open, columns, question) : open.filled(0.0);
  ReleaseReport report{.question = question,
                       .mechanism = mechanism,
                       .columns = plans_for(mechanism, columns, question),
                       .files = {},
                       .done = {},
                       .is_void = question.insecure_seed.has_value()};
  const std::vector<pipeline::Assumption> assumptions = assumptions_of(columns, question);
  sampling::CsvRelease release{.input = question.input,
                               .outputs = {},
                               .columns = report.columns,
                               .public_columns = question.public_columns,
                               .dropped_columns = question.dropped_columns,
                               .law = mechanism.law,
                               .is_strict = question.is_strict};
  const bool is_about_all_rows =
      !question.rows_per_person &&
      std::any_of(columns.begin(), columns.end(), [](const ColumnLimits& one) { return one.sensitivity.has_value(); });
  if (is_about_all_rows) release.most_rows = static_cast<std::uint64_t>(sampling::kMostRows);
  for (std::size_t i = 1; i <= mechanism.path.size(); ++i) {
    const std::string path = question.tiers.empty() ? question.output : tier_path(question.output, i);
    release.outputs.push_back(path);
    const pipeline::Pipeline pipeline = guarantee_of_release(mechanism, report.columns, i, assumptions);
    const Bracket epsilon =
        question.delta > 0.0 ? pipeline.epsilon(Delta(question.delta)) : pipeline.rdp(Alpha(rounding::kInfinity));
    report.files.push_back(
        {path, mechanism.times.empty() ? std::nullopt : std::optional(mechanism.times[i - 1]), pipeline, epsilon});
  }
  refuse_input_as_output(question, release.outputs);
  const auto source = question.insecure_seed
                          ? sampling::RandomSource::insecure(static_cast<std::uint64_t>(*question.insecure_seed))
                          : sampling::RandomSource::secure();
  Progress progress(0, "MB");
  report.done =
      sampling::release_csv(release, source, [&](std::uint64_t bytes) { progress.finished(bytes / 1'000'000); });
  return report;
}

std::string text_release(const ReleaseReport& report) {
  const ReleaseQuestion& question = report.question;
  std::string text =
      fmt::format("{} rows, {} column{} with noise: {}, in units of each column's sensitivity\n\n", report.done.rows,
                  report.columns.size(), report.columns.size() == 1 ? "" : "s", report.mechanism.text);
  const bool has_pull = report.columns[0].grid.path[0].multiplier != 1.0;
  text += fmt::format("  {:<20}  {:>12}  {:>12}  {:>8}{}\n", "column", "sensitivity", "noise", "grid",
                      has_pull ? "   value times" : "");
  for (std::size_t c = 0; c < report.columns.size() && c < 20; ++c) {
    const ColumnPlan& plan = report.columns[c];
    text += fmt::format("  {:<20}  {:>12.6g}  {:>12.6g}  {:>8}{}\n", plan.name, plan.sensitivity, noise_of(plan, 0),
                        grid_text(plan, 0), has_pull ? fmt::format("  {:>12.6g}", decay_of(plan, 0)) : "");
  }
  if (report.columns.size() > 20) text += fmt::format("  and {} more\n", report.columns.size() - 20);
  text += "\n";
  for (const ReleasedFile& file : report.files)
    text += report.is_void ? fmt::format("  {}: VOID, no guarantee: the noise was drawn from a seed\n", file.path)
                           : fmt::format("  {}{}: epsilon <= {} (>= {}) at delta = {}\n", file.path,
                                         file.time ? fmt::format(" (time {})", format_exact(*file.time)) : "",
                                         format_up(file.epsilon.upper()), format_down(file.epsilon.lower()),
                                         format_exact(question.delta));
  if (report.files.size() > 1)
    text +=
        "\nFiles of later times were made from those of earlier ones: whoever has several of them knows no more than\n"
        "the earliest tells.\n";
  if (report.is_void) return text;
  return text + pipeline_summary(report.files[0].pipeline);
}

std::string json_release(const ReleaseReport& report) {
  nlohmann::ordered_json json;
  json["rows"] = report.done.rows;
  json["mechanism"] = report.mechanism.text;
  json["void"] = report.is_void;
  json["delta"] = report.question.delta;
  json["releases"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    const ReleasedFile& file = report.files[i];
    nlohmann::ordered_json one{{"file", file.path}};
    if (file.time) one["time"] = *file.time;
    one["epsilon"] = json_bracket(report.is_void ? Bracket(file.epsilon.lower(), rounding::kInfinity) : file.epsilon);
    one["columns"] = nlohmann::ordered_json::array();
    for (const ColumnPlan& plan : report.columns)
      one["columns"].push_back({{"name", plan.name},
                                {"sensitivity", plan.sensitivity},
                                {"times", decay_of(plan, i)},
                                {"noise", noise_of(plan, i)},
                                {"grid", std::ldexp(1.0, plan.grid.exponent + plan.coarse_bits(i))}});
    json["releases"].push_back(one);
  }
  json["private"] = {{"clipped", nlohmann::ordered_json::object()}};
  for (std::size_t c = 0; c < report.columns.size(); ++c)
    json["private"]["clipped"][report.columns[c].name] = report.done.clipped[c];
  add_pipeline(json, report.files[0].pipeline, report.mechanism.text);
  return dumped(json);
}

std::string private_notes(const ReleaseReport& report) {
  std::string text;
  for (std::size_t c = 0; c < report.columns.size(); ++c)
    if (report.done.clipped[c] > 0)
      text += fmt::format("doeblin: not for publication: {} value{} of {} lay outside the bounds and were clipped\n",
                          report.done.clipped[c], report.done.clipped[c] == 1 ? "" : "s", report.columns[c].name);
  return text;
}

}  // namespace doeblin::cli
