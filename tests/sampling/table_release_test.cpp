// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/table_release.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/io/csv_fields.hpp"
#include "doeblin/sampling/csv_release.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::sampling {
namespace {

using test::message_of;
using test::TemporaryFile;

const std::vector<PathStep> kPath = {{.deviation = 0.5}, {.decay = 0.75, .deviation = 0.5}};

ColumnPlan tiered_column(const std::string& name, double low, double high) {
  return plan_column({.name = name, .bounds = {{low, high}}}, {.law = LatticeLaw::kGaussian, .path = kPath});
}

// Values between -1 and 11, some of them outside the bounds.
std::vector<double> values_of(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = -1.0 + 12.0 * std::fmod(0.6180339887 * static_cast<double>(i), 1.0);
  return values;
}

std::vector<double> numbers_in(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::vector<double> numbers;
  while (std::getline(file, line)) {
    io::FieldReader fields(line);
    for (std::string_view field; fields.next(field);) {
      numbers.emplace_back();
      EXPECT_TRUE(io::parse_number(field, numbers.back())) << line;
    }
  }
  return numbers;
}

TEST(TableReleaseTest, IsWhatAFileOfTheTableGives) {
  // Two columns, declared in the other order, and more rows than one stream is for.
  const std::size_t rows = 2 * TableNoise::rows_per_block(2) + 77;
  const std::vector<double> values = values_of(2 * rows);
  std::string text = "a,b\n";
  for (std::size_t i = 0; i < rows; ++i)
    text += format_exact(values[2 * i]) + "," + format_exact(values[2 * i + 1]) + "\n";
  const TemporaryFile file("table.csv", text);
  const std::vector<ColumnPlan> columns = {tiered_column("b", 0.0, 10.0), tiered_column("a", 2.0, 3.0)};
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::vector<std::string> outputs = {folder / ("doeblin_table_1_" + std::to_string(getpid())),
                                            folder / ("doeblin_table_2_" + std::to_string(getpid()))};
  const CsvReleased done =
      release_csv({.input = file.path(), .outputs = outputs, .columns = columns}, RandomSource::insecure(5));
  EXPECT_EQ(done.rows, rows);
  for (const unsigned threads : {1u, 3u}) {
    const TableReleased ours = release_table(
        {.values = values, .columns = columns, .places = {1, 0}, .threads = threads}, RandomSource::insecure(5));
    EXPECT_EQ(ours.rows, rows);
    ASSERT_EQ(ours.tables.size(), 2u);
    for (std::size_t release = 0; release < 2; ++release) EXPECT_EQ(ours.tables[release], numbers_in(outputs[release]));
  }
  for (const std::string& path : outputs) std::filesystem::remove(path);
}

TEST(TableReleaseTest, NumbersAreOnTheirGridsAndFresh) {
  const std::vector<double> values = values_of(1000);
  const TableRelease release{.values = values, .columns = {tiered_column("x", 0.0, 10.0)}, .places = {0}};
  const TableReleased first = release_table(release, RandomSource::secure());
  EXPECT_NE(first.tables, release_table(release, RandomSource::secure()).tables);
  for (std::size_t r = 0; r < 2; ++r) {
    const double grid = std::ldexp(release.columns[0].grid.path[r].published, release.columns[0].grid.exponent);
    for (const double x : first.tables[r]) EXPECT_EQ(x / grid, std::floor(x / grid));
  }
}

TEST(TableReleaseTest, ProgressSeesAllRowsAndMayEndIt) {
  const std::vector<double> values(100'000, 1.0);
  const TableRelease release{.values = values, .columns = {tiered_column("x", 0.0, 10.0)}, .places = {0}, .threads = 1};
  std::uint64_t seen = 0;
  static_cast<void>(release_table(release, RandomSource::secure(), [&](std::uint64_t rows) { seen = rows; }));
  EXPECT_EQ(seen, 100'000u);
  EXPECT_THROW(static_cast<void>(release_table(release, RandomSource::secure(), [](std::uint64_t) { throw 1; })), int);
  EXPECT_EQ(release_table({.values = {}, .columns = release.columns, .places = {0}}, RandomSource::secure()).rows, 0u);
}

TEST(TableReleaseTest, RefusesWithTheRow) {
  std::vector<double> values(80'000, 1.0);
  TableRelease release{.values = values,
                       .columns = {tiered_column("x", 0.0, 10.0), tiered_column("y", 0.0, 10.0)},
                       .places = {0, 1},
                       .threads = 2};
  const auto refusal = [&] {
    return message_of<InvalidArgument>([&] { static_cast<void>(release_table(release, RandomSource::secure())); });
  };
  values[70'001] = 10.5;
  EXPECT_EQ(refusal(), "nothing was thrown");
  release.is_strict = true;
  EXPECT_EQ(refusal(), "values[35000]: column 'y': '10.5' is outside [0, 10]");
  // The first of several, whoever finds it.
  values[35'001] = -1.0;
  EXPECT_EQ(refusal(), "values[17500]: column 'y': '-1' is outside [0, 10]");
  values[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(), "values[3]: column 'y': 'nan' is not a finite number");
  release.most_rows = 39'999;
  EXPECT_EQ(refusal(), "values: 40000 rows, need at most 39999 without rows_per_person");
}

}  // namespace
}  // namespace doeblin::sampling
