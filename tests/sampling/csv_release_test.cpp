// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/csv_release.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/io/csv_fields.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::sampling {
namespace {

using test::message_of;
using test::TemporaryFile;

ColumnPlan column(const std::string& name, double low, double high, double sigma = 1.0) {
  return plan_column({.name = name, .bounds = {{low, high}}},
                     {.law = LatticeLaw::kGaussian, .path = {{.deviation = sigma}}});
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

class CsvReleaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("doeblin_release_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    output_ = folder_ / "out.csv";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Nothing but the files named is in the folder.
  void expect_files(std::size_t count) const {
    std::size_t found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) static_cast<void>(entry), ++found;
    EXPECT_EQ(found, count);
  }

  CsvRelease release_of(const TemporaryFile& file) const {
    return {.input = file.path(), .outputs = {output_}, .columns = {column("x", 0.0, 10.0)}};
  }

  std::string refusal(const std::string& text, CsvRelease release) const {
    const TemporaryFile file("bad.csv", text);
    release.input = file.path();
    const std::string message =
        message_of<InvalidArgument>([&] { static_cast<void>(release_csv(release, RandomSource::secure())); });
    expect_files(0);
    const std::size_t name = message.find(file.path());
    return name == 0 ? message.substr(file.path().size()) : message;
  }
  std::string refusal(const std::string& text) const {
    return refusal(text, {.input = "", .outputs = {output_}, .columns = {column("x", 0.0, 10.0)}});
  }

  std::filesystem::path folder_;
  std::string output_;
};

TEST_F(CsvReleaseTest, CopiesDropsAndAddsNoise) {
  const TemporaryFile file("in.csv", "id,\"the, name\",x\r\n1,\"A \"\"b\"\", c\",5\r\n\r\n2,D,12\n");
  CsvRelease release = release_of(file);
  release.public_columns = {"the, name"};
  release.dropped_columns = {"id"};
  const CsvReleased done = release_csv(release, RandomSource::insecure(1));
  EXPECT_EQ(done.rows, 2u);
  EXPECT_EQ(done.clipped, (std::vector<std::uint64_t>{1}));
  const auto all = lines(content(output_));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0], "\"the, name\",x");
  EXPECT_TRUE(all[1].starts_with("\"A \"\"b\"\", c\",")) << all[1];
  EXPECT_TRUE(all[2].starts_with("D,")) << all[2];
  double value = 0.0;
  EXPECT_TRUE(io::parse_number(all[2].substr(2), value));
  expect_files(1);
}

TEST_F(CsvReleaseTest, ValuesAreClipped) {
  const TemporaryFile file("far.csv", "x\n1e15\n-1e15\n");
  EXPECT_EQ(release_csv(release_of(file), RandomSource::insecure(3)).clipped[0], 2u);
  for (const std::string& line : lines(content(output_))) {
    double value = 0.0;
    if (io::parse_number(line, value)) EXPECT_LT(std::fabs(value), 200.0);
  }
}

TEST_F(CsvReleaseTest, TheNumberOfThreadsChangesNothing) {
  std::string text = "x\n";
  for (int i = 0; i < 400'000; ++i) text += std::to_string(i % 11) + ".25\n";
  const TemporaryFile file("long.csv", text);
  std::string first;
  for (const unsigned threads : {1u, 2u, 5u}) {
    CsvRelease release = release_of(file);
    release.threads = threads;
    const CsvReleased done = release_csv(release, RandomSource::insecure(9));
    EXPECT_EQ(done.rows, 400'000u);
    EXPECT_EQ(done.clipped[0], 400'000u / 11u);
    if (first.empty()) first = content(output_);
    EXPECT_EQ(content(output_), first);
  }
}

TEST_F(CsvReleaseTest, SecureReleasesDiffer) {
  const TemporaryFile file("in.csv", "x\n1\n2\n3\n");
  static_cast<void>(release_csv(release_of(file), RandomSource::secure()));
  const std::string first = content(output_);
  static_cast<void>(release_csv(release_of(file), RandomSource::secure()));
  EXPECT_NE(content(output_), first);
}

TEST_F(CsvReleaseTest, TiersComeFromOnePath) {
  std::string text = "x\n";
  for (int i = 0; i < 50'000; ++i) text += "5\n";
  const TemporaryFile file("in.csv", text);
  CsvRelease release = release_of(file);
  release.columns = {plan_column({.name = "x", .bounds = {{0.0, 10.0}}},
                                 {.law = LatticeLaw::kGaussian, .path = {{1.0, 1.0}, {1.0, 1.0}, {1.0, 1.0}}})};
  release.outputs = {output_, folder_ / "two.csv", folder_ / "three.csv"};
  static_cast<void>(release_csv(release, RandomSource::insecure(2)));
  std::vector<std::vector<double>> tiers(3);
  for (std::size_t i = 0; i < 3; ++i)
    for (const std::string& line : lines(content(release.outputs[i]))) {
      double value = 0.0;
      if (io::parse_number(line, value)) tiers[i].push_back(value);
    }
  ASSERT_EQ(tiers[2].size(), 50'000u);
  double first = 0.0, step = 0.0, product = 0.0;
  for (std::size_t k = 0; k < tiers[0].size(); ++k) {
    const double a = tiers[0][k] - 5.0;
    const double b = tiers[1][k] - tiers[0][k];
    first += a * a, step += b * b, product += a * b;
  }
  // Variance 100 for each step, uncorrelated steps.
  EXPECT_NEAR(first / 50'000, 100.0, 5.0);
  EXPECT_NEAR(step / 50'000, 100.0, 5.0);
  EXPECT_NEAR(product / 50'000, 0.0, 3.0);
  expect_files(3);
}

TEST_F(CsvReleaseTest, RefusesBadFilesWithTheirLine) {
  EXPECT_EQ(refusal(""), ":1: no header, need the names of the columns");
  EXPECT_EQ(refusal("y\n1\n"), ":1: nothing is declared about column 'y', need bounds, a sensitivity, public or drop");
  EXPECT_EQ(refusal("x,x\n1,2\n"), ":1: two columns are called 'x'");
  EXPECT_EQ(refusal("x,\n1,2\n"), ":1: column 2 has no name");
  EXPECT_EQ(refusal("x\n1\nabc\n"), ":3: column 'x': 'abc' is not a finite number");
  EXPECT_EQ(refusal("x\n1\n\n\nnan\n"), ":3: column 'x': '' is not a finite number");
  EXPECT_EQ(refusal("x\ninf\n"), ":2: column 'x': 'inf' is not a finite number");
  EXPECT_EQ(refusal("x\n1e999\n"), ":2: column 'x': '1e999' is not a finite number");
  EXPECT_EQ(refusal("x\n+-1\n"), ":2: column 'x': '+-1' is not a finite number");
  EXPECT_EQ(refusal("x\n1,2\n"), ":2: more than the 1 columns of the header");
  EXPECT_EQ(refusal("x\n\"1\n"), ":2: column 'x': a quote that does not end in its line");
  EXPECT_EQ(refusal("x\n\"1\"2\n"), ":2: column 'x': text after a closing quote");
  CsvRelease two{.input = "", .outputs = {output_}, .columns = {column("x", 0.0, 10.0), column("y", 0.0, 1.0)}};
  EXPECT_EQ(refusal("x,y\n1,1\n1\n", two), ":3: column 'y': missing, the line ends before it");
  EXPECT_EQ(refusal("x,y\n1,\n", two), ":2: column 'y': '' is not a finite number");
  EXPECT_EQ(refusal("x\n1\n", two), ":1: there is no column 'y'");
  CsvRelease strict{.input = "", .outputs = {output_}, .columns = {column("x", 0.0, 10.0)}, .is_strict = true};
  EXPECT_EQ(refusal("x\n10\n10.5\n", strict), ":3: column 'x': '10.5' is outside [0, 10]");
  strict.is_strict = false;
  strict.most_rows = 2;
  EXPECT_EQ(refusal("x\n1\n1\n1\n", strict), ":5: more than 2 rows, need rows_per_person for files as long as this");
}

TEST_F(CsvReleaseTest, FindsTheLineInALongFile) {
  std::string text = "x\n";
  for (int i = 0; i < 700'000; ++i) text += "1.5\n";
  text += "oops\n";
  for (int i = 0; i < 700'000; ++i) text += "1.5\n";
  EXPECT_EQ(refusal(text), ":700002: column 'x': 'oops' is not a finite number");
  EXPECT_EQ(refusal("x\n" + std::string(3'000'000, '1') + "\n"), ":2: a line of more than 1048576 bytes");
  EXPECT_EQ(refusal(std::string(3'000'000, 'x') + "\n"), ":1: a line of more than 1048576 bytes");
}

TEST_F(CsvReleaseTest, AValueBeyondTheGridIsRefusedWithoutBounds) {
  const TemporaryFile file("in.csv", "x\n1e12\n");
  CsvRelease release = release_of(file);
  release.columns = {
      plan_column({.name = "x", .sensitivity = 1.0}, {.law = LatticeLaw::kGaussian, .path = {{.deviation = 1.0}}})};
  const std::string message =
      message_of<InvalidArgument>([&] { static_cast<void>(release_csv(release, RandomSource::secure())); });
  EXPECT_NE(message.find("what the grid holds without bounds"), std::string::npos) << message;
}

TEST_F(CsvReleaseTest, AFullDiskLeavesNothing) {
  const TemporaryFile file("in.csv", "x\n1\n2\n");
  CsvRelease release = release_of(file);
  release.outputs = {"/dev/full"};
  const std::string message =
      message_of<InvalidArgument>([&] { static_cast<void>(release_csv(release, RandomSource::secure())); });
  EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
  release.outputs = {folder_ / "missing" / "out.csv"};
  EXPECT_THROW(static_cast<void>(release_csv(release, RandomSource::secure())), InvalidArgument);
  release.outputs = {folder_};
  EXPECT_THROW(static_cast<void>(release_csv(release, RandomSource::secure())), InvalidArgument);
  expect_files(0);
}

TEST_F(CsvReleaseTest, AnEarlierFileSurvivesAFailure) {
  std::ofstream(output_) << "precious\n";
  const TemporaryFile file("in.csv", "x\n1\nbad\n");
  EXPECT_THROW(static_cast<void>(release_csv(release_of(file), RandomSource::secure())), InvalidArgument);
  EXPECT_EQ(content(output_), "precious\n");
}

}  // namespace
}  // namespace doeblin::sampling
