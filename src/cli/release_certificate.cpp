// SPDX-License-Identifier: Apache-2.0
#include "cli/release_certificate.hpp"

#include <cmath>

#include <fmt/format.h>

#include "cli/certificate_output.hpp"
#include "doeblin/pipeline/grid_release.hpp"

namespace doeblin::cli {
namespace {

GridRelease grid_of(const ReleaseReport& report) {
  GridRelease grid{.law = report.plan.mechanism.law, .columns = {}};
  for (const sampling::ColumnPlan& plan : report.plan.columns) grid.columns.push_back(plan.grid);
  return grid;
}

}  // namespace

std::vector<certificate::Certificate> certificates_of(const ReleaseReport& report) {
  std::vector<certificate::Certificate> certificates;
  const GridRelease grid = grid_of(report);
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    const ReleasedFile& file = report.files[i];
    certificate::Subject subject{file.pipeline, pipeline::program_of(grid, i + 1)};
    if (!report.is_void && std::isfinite(file.epsilon.upper()))
      subject.claims.push_back({true, report.question.delta, file.epsilon});
    certificates.push_back(issued(certificate::Kind::kRelease, subject));
    certificate::Certificate& certificate = certificates.back();
    certificate.details = {{"mechanism", report.plan.mechanism.text}};
    for (std::size_t c = 0; c < report.plan.columns.size(); ++c)
      certificate.details.push_back({fmt::format("column_{}", c + 1), report.plan.columns[c].name});
    // Where the file is too short for anybody to be as badly off as a mechanism like this can be.
    if (file.epsilon.lower() == 0.0)
      for (certificate::CurvePoint& point : certificate.curve) point.delta = Bracket(0.0, point.delta.upper());
    if (!report.is_void) continue;
    certificate.void_because = "the noise was drawn from a seed";
    certificate.curve.clear();
  }
  return certificates;
}

std::string certificate_path(const std::string& path, std::size_t number, std::size_t count) {
  return count == 1 ? path : tier_path(path, number);
}

}  // namespace doeblin::cli
