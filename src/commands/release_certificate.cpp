// SPDX-License-Identifier: Apache-2.0
#include "commands/release_certificate.hpp"

#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "commands/certificate_output.hpp"
#include "commands/second_release.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/diffusion/grid_release.hpp"

namespace doeblin::commands {
namespace {

using certificate::Certificate;
using certificate::Detail;
using sampling::ColumnLimits;

GridRelease grid_of(const ReleasePlan& plan) {
  GridRelease grid{.law = plan.mechanism.law, .columns = {}};
  for (const sampling::ColumnPlan& column : plan.columns) grid.columns.push_back(column.grid);
  return grid;
}

// A name that a terminal can show.
std::string shown(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return name;
}

// What was declared, and when the releases up to this one are made.
std::vector<Detail> details_of(const ReleasePlan& plan, const std::optional<double>& rows, std::size_t number) {
  std::vector<Detail> details = {{"mechanism", plan.mechanism.text}};
  for (std::size_t i = 0; i < number && i < plan.mechanism.times.size(); ++i)
    details.push_back({fmt::format("time_{}", i + 1), plan.mechanism.times[i]});
  if (rows) details.push_back({"rows_per_person", *rows});
  for (std::size_t c = 0; c < plan.limits.size(); ++c) {
    const ColumnLimits& limits = plan.limits[c];
    const std::string column = fmt::format("column_{}", c + 1);
    details.push_back({column, shown(limits.name)});
    if (limits.bounds) {
      details.push_back({column + "_low", limits.bounds->low});
      details.push_back({column + "_high", limits.bounds->high});
    }
    if (limits.sensitivity) details.push_back({column + "_sensitivity", *limits.sensitivity});
  }
  return details;
}

template <typename Value>
std::optional<Value> detail(const Certificate& certificate, const std::string& name) {
  for (const Detail& one : certificate.details)
    if (one.name == name)
      if (const auto* value = std::get_if<Value>(&one.value)) return *value;
  return std::nullopt;
}

std::vector<ColumnLimits> limits_of(const Certificate& certificate) {
  std::vector<ColumnLimits> all;
  for (std::size_t c = 1;; ++c) {
    const std::string column = fmt::format("column_{}", c);
    const auto name = detail<std::string>(certificate, column);
    if (!name) return all;
    ColumnLimits limits{.name = *name};
    const auto low = detail<double>(certificate, column + "_low");
    const auto high = detail<double>(certificate, column + "_high");
    if (low && high) limits.bounds = {*low, *high};
    limits.sensitivity = detail<double>(certificate, column + "_sensitivity");
    limits.validate();
    all.push_back(limits);
  }
}

}  // namespace

std::vector<certificate::Certificate> certificates_of(const ReleaseReport& report) {
  std::vector<certificate::Certificate> certificates;
  const GridRelease grid = grid_of(report.plan);
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    const ReleasedFile& file = report.files[i];
    certificate::Subject subject{file.pipeline, pipeline::program_of(grid, i + 1)};
    if (!report.is_void && std::isfinite(file.epsilon.upper()))
      subject.claims.push_back({true, report.asked.delta, file.epsilon});
    certificates.push_back(issued(certificate::Kind::kRelease, subject));
    certificate::Certificate& certificate = certificates.back();
    certificate.details = details_of(report.plan, report.asked.rows_per_person, i + 1);
    // Where the file is too short for anybody to be as badly off as a mechanism like this can be.
    if (file.epsilon.lower() == 0.0)
      for (certificate::CurvePoint& point : certificate.curve) point.delta = Bracket(0.0, point.delta.upper());
    if (!report.is_void) continue;
    certificate.void_because = certificate::kSeeded;
    certificate.curve.clear();
  }
  return certificates;
}

pipeline::Pipeline released_again(const Certificate& certificate) {
  const std::size_t number = pipeline::grid_release_of(certificate.program).number;
  ReleaseRequest asked;
  asked.rows_per_person = detail<double>(certificate, "rows_per_person");
  std::vector<double> times;
  while (const auto time = detail<double>(certificate, fmt::format("time_{}", times.size() + 1)))
    times.push_back(*time);
  const std::string mechanism = detail<std::string>(certificate, "mechanism").value_or("");
  // A single release has its time among the parameters, tiers do not.
  if (mechanism.find("time=") != std::string::npos) times.clear();
  const OpenMechanism open = open_mechanism(parse_mechanism(mechanism, !times.empty()), times);
  const std::vector<ColumnLimits> limits = limits_of(certificate);
  if (open.has_hole || limits.empty()) throw InvalidArgument("details: not those of a release");
  const ReleasePlan plan = plan_of(open.filled(0.0), limits, asked);
  if (plan.guarantees.size() != number || pipeline::program_of(grid_of(plan), number) != certificate.program)
    throw InvalidArgument("program: not the noise of the release that the details describe");
  if (details_of(plan, asked.rows_per_person, number) != certificate.details)
    throw InvalidArgument("details: not those of the release that the program describes");
  return plan.guarantees[number - 1];
}

void require_room_for_certificate(const std::string& path, const ReleaseRequest& asked) {
  std::error_code ignored;
  const bool is_output =
      std::filesystem::weakly_canonical(path, ignored) == std::filesystem::weakly_canonical(asked.output, ignored);
  if (is_output || std::filesystem::equivalent(asked.input, path, ignored))
    throw InvalidArgument(Option{"certificate"}, "'" + printable_path(path) + "'",
                          "another file than the input and the output");
  if (!asked.is_forced) {
    const std::size_t count = output_paths(asked).size();
    for (std::size_t i = 1; i <= count; ++i)
      require_no_file(Option{"certificate"}, certificate_path(path, i, count), kNoSecondFile);
  }
  AtomicFile(Option{"certificate"}, path);
}

void write_certificates(const std::string& path, const ReleaseReport& report) {
  const std::vector<Certificate> certificates = certificates_of(report);
  for (std::size_t i = 0; i < certificates.size(); ++i)
    write_certificate(certificate_path(path, i + 1, certificates.size()), certificates[i],
                      {.need_none = report.asked.is_forced ? "" : kNoSecondFile});
}

std::string certificate_path(const std::string& path, std::size_t number, std::size_t count) {
  return count == 1 ? path : tier_path(path, number);
}

}  // namespace doeblin::commands
