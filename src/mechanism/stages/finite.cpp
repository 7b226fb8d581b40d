// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "doeblin/core/whole.hpp"
#include "doeblin/io/matrix_file.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {
namespace {

// One evaluation visits every pair and output; a question makes up to 70 evaluations.
constexpr double kMostMatrixTerms = 2e7;

std::vector<FiniteMechanism::Pair> read_pairs(const std::string& path) {
  std::vector<FiniteMechanism::Pair> pairs;
  for (const auto& row : io::read_matrix(path)) {
    const bool valid = row.size() == 2 && is_whole(row[0], 1.0, 1e9) && is_whole(row[1], 1.0, 1e9);
    if (!valid) throw InvalidArgument("adjacency", fmt::format("'{}'", path), "two row numbers per line, from 1");
    pairs.emplace_back(static_cast<std::size_t>(row[0]) - 1, static_cast<std::size_t>(row[1]) - 1);
  }
  return pairs;
}

FiniteMechanism read_finite(const std::string& file, const std::string& adjacency) {
  const auto rows = io::read_matrix(file);
  const double pairs = static_cast<double>(rows.size()) * static_cast<double>(rows.size() - 1) / 2.0;
  if (adjacency.empty() && pairs * static_cast<double>(rows[0].size()) > kMostMatrixTerms)
    throw InvalidArgument("rows", fmt::format("{}", rows.size()),
                          "fewer rows, or an adjacency file that names the neighbouring ones");
  return FiniteMechanism(rows, adjacency.empty() ? std::vector<FiniteMechanism::Pair>{} : read_pairs(adjacency));
}

}  // namespace

SourceMaker finite_maker() {
  return {[](const Call& a, const Settings&) {
    const auto given = a.object<FiniteMechanism>("file");
    return Evaluated{
        Mechanism::of(given ? *given : read_finite(a.text("file"), a.text("adjacency"))),
        {.source = "P5",
         .statement = "the largest divergence over neighbouring rows, in both directions",
         .assumptions = {checked("rows are probability distributions, up to 1e-12 per entry"),
                         asserted("the matrix is the mechanism, and its neighbours are the pairs given")}}};
  }};
}

Pipeline finite(const FiniteMechanism& mechanism, const std::string& name) {
  const language::Object matrix(std::make_shared<const FiniteMechanism>(mechanism), name);
  return made(finite_maker(), call_of("finite", {{"file", matrix}}));
}

}  // namespace doeblin::pipeline
