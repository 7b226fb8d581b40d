// SPDX-License-Identifier: Apache-2.0
#include "commands/release_report.hpp"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "commands/json_output.hpp"
#include "commands/progress.hpp"
#include "commands/second_release.hpp"
#include "commands/text_output.hpp"
#include "doeblin/core/format.hpp"

namespace doeblin::commands {
namespace {

using sampling::ColumnPlan;

void refuse_input_as_output(const ReleaseRequest& asked, const std::vector<std::string>& outputs) {
  std::error_code ignored;
  for (const std::string& output : outputs)
    if (std::filesystem::equivalent(asked.input == "-" ? "/dev/stdin" : asked.input, output, ignored))
      throw InvalidArgument(Option{"output"}, fmt::format("'{}'", output), "another file than the input");
}

// Names of files may contain anything.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
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

// What is known before anything is read.
ReleaseReport promised(const ReleaseRequest& asked, const ReleasePlan& plan) {
  ReleaseReport report{
      .asked = asked, .plan = plan, .files = {}, .done = {}, .is_void = asked.insecure_seed.has_value()};
  for (std::size_t i = 0; i < plan.guarantees.size(); ++i)
    report.files.push_back({"", plan.mechanism.times.empty() ? std::nullopt : std::optional(plan.mechanism.times[i]),
                            plan.guarantees[i], epsilon_at(plan.guarantees[i], asked.delta)});
  return report;
}

std::uint64_t most_rows(const ReleasePlan& plan) {
  return plan.is_about_all_rows ? static_cast<std::uint64_t>(sampling::kMostRows) : std::uint64_t{1} << 40;
}

sampling::RandomSource source_of(const ReleaseRequest& asked) {
  return asked.insecure_seed ? sampling::RandomSource::insecure(static_cast<std::uint64_t>(*asked.insecure_seed))
                             : sampling::RandomSource::secure();
}

// With fewer rows than one person may be in, nobody is as badly off as the lower end says.
void know_rows(ReleaseReport& report) {
  if (static_cast<double>(report.done.rows) >= report.asked.rows_per_person.value_or(1.0)) return;
  for (ReleasedFile& file : report.files) file.epsilon = Bracket(0.0, file.epsilon.upper());
}

// What a release is called.
std::string name_of(const ReleaseReport& report, std::size_t number) {
  const std::string& path = report.files[number].path;
  if (!path.empty()) return one_line(path);
  return report.asked.tiers.empty() ? "release" : fmt::format("tier {}", number + 1);
}

}  // namespace

std::string tier_path(const std::string& output, std::size_t tier) {
  const std::filesystem::path path(output);
  return path.parent_path() / fmt::format("{}.tier{}{}", path.stem().string(), tier, path.extension().string());
}

std::vector<std::string> output_paths(const ReleaseRequest& asked) {
  if (asked.tiers.empty()) return {asked.output};
  std::vector<std::string> paths;
  for (std::size_t i = 1; i <= asked.tiers.size(); ++i) paths.push_back(tier_path(asked.output, i));
  return paths;
}

ReleaseReport release_report(const ReleaseRequest& asked, const std::function<void()>& between) {
  const std::vector<std::string> outputs = output_paths(asked);
  refuse_input_as_output(asked, outputs);
  const FileOptions files{.need_none = asked.is_forced ? "" : kNoSecondFile};
  // Before anything is read; when the files get their names it is looked at again.
  if (!asked.is_forced)
    for (const std::string& output : outputs) require_no_file(Option{"output"}, output, kNoSecondFile);
  ReleaseReport report = promised(asked, plan_release(asked));
  const sampling::CsvRelease release{.input = asked.input,
                                     .outputs = outputs,
                                     .columns = report.plan.columns,
                                     .public_columns = asked.public_columns,
                                     .dropped_columns = asked.dropped_columns,
                                     .law = report.plan.mechanism.law,
                                     .is_strict = asked.is_strict,
                                     .files = files,
                                     .most_rows = most_rows(report.plan)};
  for (std::size_t i = 0; i < report.files.size(); ++i) report.files[i].path = outputs[i];
  Progress progress(0, "rows");
  report.done = sampling::release_csv(release, source_of(asked), [&](std::uint64_t rows) {
    between();
    progress.finished(rows);
  });
  know_rows(report);
  return report;
}

ReleasedTable release_table(const ReleaseRequest& asked, const ReleaseTable& table,
                            const std::function<void()>& between) {
  ReleaseReport report = promised(asked, plan_release(asked, table.columns));
  Progress progress(table.values.size() / table.columns.size(), "rows");
  sampling::TableReleased released = sampling::release_table({.values = table.values,
                                                              .columns = report.plan.columns,
                                                              .places = table.places,
                                                              .law = report.plan.mechanism.law,
                                                              .is_strict = asked.is_strict,
                                                              .most_rows = most_rows(report.plan)},
                                                             source_of(asked), [&](std::uint64_t rows) {
                                                               between();
                                                               progress.finished(rows);
                                                             });
  report.done.rows = released.rows;
  know_rows(report);
  return {report, std::move(released.tables)};
}

std::string text_release(const ReleaseReport& report) {
  const ReleaseRequest& asked = report.asked;
  std::string text = fmt::format("{} row{}, {} column{} with noise: {}, in units of each column's sensitivity\n\n",
                                 report.done.rows, report.done.rows == 1 ? "" : "s", report.plan.columns.size(),
                                 report.plan.columns.size() == 1 ? "" : "s", report.plan.mechanism.text);
  const bool has_pull = report.plan.columns[0].grid.path[0].multiplier != 1.0;
  text += fmt::format("  {:<20}  {:>12}  {:>12}  {:>8}{}\n", "column", "sensitivity", "noise", "grid",
                      has_pull ? "    pulled to  times" : "");
  for (std::size_t c = 0; c < report.plan.columns.size() && c < 20; ++c) {
    const ColumnPlan& plan = report.plan.columns[c];
    text += fmt::format(
        "  {:<20}  {:>12.6g}  {:>12.6g}  {:>8}{}\n", plan.name, plan.sensitivity, noise_of(plan, 0), grid_text(plan, 0),
        has_pull ? fmt::format("  {:>12.6g}  {:.6g}", std::ldexp(static_cast<double>(plan.centre), plan.grid.exponent),
                               decay_of(plan, 0))
                 : "");
  }
  if (report.plan.columns.size() > 20) text += fmt::format("  and {} more\n", report.plan.columns.size() - 20);
  text += "\n";
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    const ReleasedFile& file = report.files[i];
    const std::string name = name_of(report, i);
    text += report.is_void
                ? fmt::format("  {}: VOID, no guarantee: the noise was drawn from a seed\n", name)
                : fmt::format(
                      "  {}{}: epsilon <= {} (>= {}) at delta = {}\n", name,
                      file.time ? fmt::format(" (time {}, noise {:.6g} sensitivities)", format_exact(*file.time),
                                              noise_of(report.plan.columns[0], i) / report.plan.columns[0].sensitivity)
                                : "",
                      format_up(file.epsilon.upper()), format_down(file.epsilon.lower()), format_exact(asked.delta));
  }
  if (report.files.size() > 1)
    text += fmt::format(
        "\n{} of later times were made from those of earlier ones: whoever has several of them knows no more than\n"
        "the earliest tells.\n",
        report.files[0].path.empty() ? "Tiers" : "Files");
  if (report.is_void) return text;
  return text + pipeline_summary(report.files[0].pipeline);
}

std::string json_release(const ReleaseReport& report) {
  Json json;
  json["rows"] = report.done.rows;
  json["mechanism"] = report.plan.mechanism.text;
  json["void"] = report.is_void;
  json["delta"] = report.asked.delta;
  json["releases"] = Json::array();
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    const ReleasedFile& file = report.files[i];
    Json one = Json::object();
    if (!file.path.empty()) one["file"] = file.path;
    if (file.time) one["time"] = *file.time;
    one["epsilon"] = json_bracket(report.is_void ? Bracket(0.0, rounding::kInfinity) : file.epsilon);
    one["columns"] = Json::array();
    for (const ColumnPlan& plan : report.plan.columns)
      one["columns"].push_back({{"name", plan.name},
                                {"sensitivity", plan.sensitivity},
                                {"times", decay_of(plan, i)},
                                {"centre", std::ldexp(static_cast<double>(plan.centre), plan.grid.exponent)},
                                {"noise", noise_of(plan, i)},
                                {"grid", std::ldexp(1.0, plan.grid.exponent + plan.coarse_bits(i))}});
    json["releases"].push_back(one);
  }
  if (!report.is_void)
    // The expression language has no words for noise on a grid.
    add_pipeline(json, report.files[0].pipeline, "");
  else
    json["version"] = DOEBLIN_VERSION;
  return dumped(json);
}

std::string private_notes(const ReleaseReport& report) {
  std::string text;
  for (std::size_t c = 0; c < report.plan.columns.size(); ++c)
    if (report.done.clipped[c] > 0)
      text += fmt::format("doeblin: not for publication: {} value{} of {} outside the bounds, clipped\n",
                          report.done.clipped[c], report.done.clipped[c] == 1 ? "" : "s", report.plan.columns[c].name);
  return text;
}

}  // namespace doeblin::commands
