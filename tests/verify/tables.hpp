// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "support/table.hpp"
#include "verify/known.hpp"

/// Balls against the truth tables: the same tables that the main path is tested with, and no code in common with it.
namespace doeblin::verify::truth {

struct Shape {
  /// Bits that are known of every value above 1e-300.
  long accuracy = 60;
  bool is_attained = true;
  /// Rows that are not looked at.
  std::function<bool(const doeblin::test::Row&)> is_left_out = [](const doeblin::test::Row&) { return false; };
};

inline void check_table(const std::string& table, const std::function<Known(const doeblin::test::Row&)>& known,
                        const Shape& shape = {}) {
  const auto rows = doeblin::test::read_table(table);
  ASSERT_GT(rows.size(), 15u);
  std::size_t checked = 0;
  for (const doeblin::test::Row& row : rows) {
    if (shape.is_left_out(row)) continue;
    ++checked;
    const Enclosed found = known(row).delta(Ball(row["epsilon"]));
    EXPECT_LE(found.upper.lower(), row["truth_up"]) << row.text;
    EXPECT_GE(found.upper.upper(), row["truth_down"]) << row.text;
    EXPECT_LE(found.lower.lower(), row["truth_up"]) << row.text;
    if (row["truth_down"] < 1e-300) continue;
    EXPECT_GE(arb_rel_accuracy_bits(found.upper.get()), shape.accuracy) << row.text << found.upper.text();
    EXPECT_LE(found.upper.upper(), row["truth_up"] * (1.0 + 1e-12)) << row.text;
    if (shape.is_attained) EXPECT_GE(found.lower.upper(), row["truth_down"]) << row.text;
  }
  EXPECT_GT(checked, 15u);
}

/// Numbers that are not followed that far.
inline bool is_extreme(const doeblin::test::Row& row) {
  return row["epsilon"] > 1e5 || (row["epsilon"] > 0.0 && row["epsilon"] < 1e-30);
}

}  // namespace doeblin::verify::truth
