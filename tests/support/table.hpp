// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/core/bracket.hpp"

/// Truth tables from tests/data: inputs are exact doubles, truth_down <= truth <= truth_up are neighbouring doubles.
namespace doeblin::test {

struct Row {
  std::map<std::string, double> cells;
  std::string text;
  [[nodiscard]] double operator[](const std::string& name) const { return cells.at(name); }
};

inline std::vector<Row> read_table(const std::string& name) {
  std::ifstream file(std::string(DOEBLIN_TEST_DATA) + "/" + name);
  if (!file) throw std::runtime_error("cannot open " + name);
  const auto split = [](const std::string& line) {
    std::vector<std::string> parts;
    std::stringstream stream(line);
    for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
    return parts;
  };
  std::string line;
  std::getline(file, line);
  const auto header = split(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    Row row{{}, name + ": " + line};
    const auto parts = split(line);
    for (std::size_t i = 0; i < header.size(); ++i) row.cells[header[i]] = std::strtod(parts.at(i).c_str(), nullptr);
    rows.push_back(row);
  }
  return rows;
}

/// Soundness is one-sided at each end; the width is a separate requirement, relative to the truth, and asked for only
/// where the truth is at least `floor`.
struct Expectation {
  double relative_width;
  double floor = 1e-300;
  /// Rows where the answer itself is so sensitive to its inputs that no width is asked for.
  std::function<bool(const Row&)> is_sensitive = [](const Row&) { return false; };
};

/// Whether changing `input` by 1e-9 of itself changes the answer by 1e-5 of itself: then no width is asked for.
inline bool is_ill_conditioned(const Row& row, const std::string& input,
                               const std::function<Bracket(const Row&)>& evaluate) {
  Row changed = row;
  changed.cells[input] *= 1.0 - 1e-9;
  const double truth = row["truth_up"];
  return std::fabs(evaluate(changed).upper() - truth) > 1e-5 * truth;
}

inline void check_table(const std::string& name, const std::function<Bracket(const Row&)>& evaluate,
                        Expectation expected) {
  const auto rows = read_table(name);
  ASSERT_GT(rows.size(), 15u) << name;
  double widest = 0.0;
  for (const Row& row : rows) {
    const Bracket got = evaluate(row);
    EXPECT_LE(got.lower(), row["truth_down"]) << row.text << " gave " << got;
    EXPECT_GE(got.upper(), row["truth_up"]) << row.text << " gave " << got;
    EXPECT_GE(got.lower(), 0.0) << row.text;
    if (row["truth_down"] < expected.floor || std::isinf(row["truth_up"]) || expected.is_sensitive(row)) continue;
    widest = std::max(widest, got.relative_width());
    EXPECT_LE(got.relative_width(), expected.relative_width) << row.text << " gave " << got;
  }
  ::testing::Test::RecordProperty("widest", std::to_string(widest));
}

}  // namespace doeblin::test
