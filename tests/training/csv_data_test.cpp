// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/data_files.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

using test::data_refusal;
using test::dense_row;
using test::kHugeNorm;
using test::message_of;
using test::read_data;
using test::TemporaryFile;

EncodingRequest csv_request() {
  return {.label = "y", .classes = {"no", "yes"}, .categorical = {{"city", {"Oslo", "*"}}}, .norm = kHugeNorm};
}

TEST(CsvData, ReadsNumbersLevelsAndLabels) {
  const TemporaryFile file("a.csv",
                           "\xEF\xBB\xBFx,\"city\",y,\"z, \"\"q\"\"\"\r\n"
                           "1.5, Oslo ,no,-2e3\r\n"
                           "\r\n"
                           "\" +2.5 \",\"Ri\"\"o, x\",\"yes\",.5\n"
                           "  0 ,\"Oslo\",yes,1");
  DataFile data = DataFile::open(file.path());
  EXPECT_EQ(data.columns(), (std::vector<std::string>{"x", "city", "y", "z, \"q\""}));
  EXPECT_EQ(data.name(), file.path());
  EXPECT_EQ(data.bytes_total(), std::filesystem::file_size(file.path()));
  EncodingRequest request = csv_request();
  request.intercept = 3.0;
  request.bounds = {{"z*", {0.0, 4.0}}};
  const LabelledData read = read_records(data, resolve(request, data));
  EXPECT_EQ(data.bytes_done(), data.bytes_total());
  ASSERT_EQ(read.train.count(), 3u);
  EXPECT_EQ(read.held_out.count(), 0u);
  EXPECT_FALSE(read.train.is_sparse());
  EXPECT_EQ(dense_row(read.train, 0), (std::vector<double>{1.5, 1.0, 0.0, 0.0, 3.0}));
  EXPECT_EQ(dense_row(read.train, 1), (std::vector<double>{2.5, 0.0, 1.0, 0.125, 3.0}));
  EXPECT_EQ(dense_row(read.train, 2), (std::vector<double>{0.0, 1.0, 0.0, 0.25, 3.0}));
  EXPECT_EQ(read.train.label(0), -1.0);
  EXPECT_EQ(read.train.label(1), 1.0);
  EXPECT_EQ(read.train.label(2), 1.0);
  EXPECT_EQ(read.train.line(0), 2u);
  EXPECT_EQ(read.train.line(1), 4u);
  EXPECT_EQ(read.train.line(2), 5u);
}

TEST(CsvData, LabelsThatAreNumbersAreClipped) {
  const TemporaryFile file("a.csv", "x,y\n1,5\n2,-7\n3,\"0.25\"\n");
  const LabelledData data = read_data(file.path(), {.label = "y", .label_bounds = Bounds{-1.0, 1.0}});
  EXPECT_EQ(data.train.label(0), 1.0);
  EXPECT_EQ(data.train.label(1), -1.0);
  EXPECT_EQ(data.train.label(2), 0.25);
}

TEST(CsvData, RefusesBadFilesWithTheirLine) {
  const auto refuses = [](const std::string& content) {
    return data_refusal("bad.csv", content, {.label = "y", .classes = {"no", "yes"}});
  };
  EXPECT_EQ(refuses(""), "FILE:1: no header, need the names of the columns");
  EXPECT_EQ(refuses("\xEF\xBB\xBF"), "FILE:1: no header, need the names of the columns");
  EXPECT_EQ(refuses("x,y\n"), "FILE: no records, need at least one");
  EXPECT_EQ(refuses("x,y"), "FILE: no records, need at least one");
  EXPECT_EQ(refuses("x,y\n\n  \n\r\n"), "FILE: no records, need at least one");
  EXPECT_EQ(refuses("x,x,y\n1,2,no\n"), "FILE:1: two columns are called 'x'");
  EXPECT_EQ(refuses("x,,y\n1,2,no\n"), "FILE:1: column 2 has no name");
  EXPECT_EQ(refuses("x,\"y\n1,2\n"), "FILE:1: a quote that does not end in its line");
  EXPECT_EQ(refuses(std::string("x\0,y\n1,no\n", 10)), "FILE:1: a byte 0, need the names of the columns as text");
  EXPECT_EQ(refuses("x,z\n1,no\n"), "label = 'y', need a column of FILE");
  EXPECT_EQ(refuses("x,y\n1,no\nabc,no\n"), "FILE:3: column 'x' = 'abc', need a finite number");
  EXPECT_EQ(refuses("x,y\n1,no\n\n\n,no\n"), "FILE:5: column 'x' = '', need a finite number");
  EXPECT_EQ(refuses("x,y\r\n1,no\r\nnan,no\r\n"), "FILE:3: column 'x' = 'nan', need a finite number");
  EXPECT_EQ(refuses("x,y\n-inf,no\n"), "FILE:2: column 'x' = '-inf', need a finite number");
  EXPECT_EQ(refuses("x,y\n1e999,no\n"), "FILE:2: column 'x' = '1e999', need a finite number");
  EXPECT_EQ(refuses("x,y\n1 2,no\n"), "FILE:2: column 'x' = '1 2', need a finite number");
  EXPECT_EQ(refuses("x,y\n1.5.2,no\n"), "FILE:2: column 'x' = '1.5.2', need a finite number");
  EXPECT_EQ(refuses("x,y\n\x01\xff\x80,no\n"),
            "FILE:2: column 'x' = '?"
            "?"
            "?', need a finite number");
  EXPECT_EQ(refuses("x,y\n1,maybe\n"), "FILE:2: column 'y' = 'maybe', need one of 'no', 'yes'");
  EXPECT_EQ(refuses("x,y\n1,no\n2,\n"), "FILE:3: column 'y' = '', need one of 'no', 'yes'");
  EXPECT_EQ(refuses("x,y\n1,no\n2\n"), "FILE:3: column 'y': missing, the line ends before it");
  EXPECT_EQ(refuses("x,y\n1,no,3\n"), "FILE:2: more than the 2 columns of the header");
  EXPECT_EQ(refuses("x,y\n1,no,\n"), "FILE:2: more than the 2 columns of the header");
  EXPECT_EQ(refuses("y,x\nno,1,3\n"), "FILE:2: more than the 2 columns of the header");
  EXPECT_EQ(refuses("x,y\n\"1,no\n"), "FILE:2: column 'x': a quote that does not end in its line");
  EXPECT_EQ(refuses("x,y\n\"1\"2,no\n"), "FILE:2: column 'x': text after a closing quote");
  EncodingRequest strict = csv_request();
  strict.categorical = {{"city", {"Oslo", "Rome"}}};
  EXPECT_EQ(data_refusal("bad.csv", "city,y\nOslo,no\nRom,no\n", strict),
            "FILE:3: column 'city' = 'Rom', need one of the declared levels");
  EXPECT_EQ(data_refusal("bad.csv", "x,y\n1,2\n2,x\n", {.label = "y", .label_bounds = Bounds{0.0, 1.0}}),
            "FILE:3: column 'y' = 'x', need a finite number");
  std::vector<std::string> many;
  for (int i = 0; i < 12; ++i) many.push_back("c" + std::to_string(i));
  EXPECT_EQ(data_refusal("bad.csv", "x,y\n1,c\n", {.label = "y", .classes = many}),
            "FILE:2: column 'y' = 'c', need one of 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', ...");
}

TEST(CsvData, FindsTheLineInALongFile) {
  std::string text = "x,y\n";
  for (int i = 0; i < 400'000; ++i) text += "1.5,no\n";
  text += "1.5,oops\n";
  for (int i = 0; i < 400'000; ++i) text += "1.5,no\n";
  EXPECT_EQ(data_refusal("long.csv", text, {.label = "y", .classes = {"no", "yes"}}),
            "FILE:400002: column 'y' = 'oops', need one of 'no', 'yes'");
}

// 10 GB of zeros: nothing but the first block of them may be read.
TEST(CsvData, AnEndlessLineFailsAtOnce) {
  for (const std::string start : {"x,y\n1,no\n", "", "x,y\n1,no\n\n"}) {
    const TemporaryFile file("endless.csv", start);
    std::filesystem::resize_file(file.path(), std::uintmax_t{10} << 30);
    std::uint64_t done = 0;
    const std::string message = message_of<InvalidArgument>([&] {
      DataFile data = DataFile::open(file.path());
      const Encoding encoding = resolve({.label = "y", .classes = {"no", "yes"}}, data);
      try {
        static_cast<void>(read_records(data, encoding));
      } catch (const InvalidArgument&) {
        done = data.bytes_done();
        throw;
      }
    });
    const auto lines = std::count(start.begin(), start.end(), '\n');
    EXPECT_EQ(message, file.path() + ":" + std::to_string(lines + 1) + ": a line of more than 1048576 bytes");
    EXPECT_LE(done, std::uint64_t{4} << 20);
  }
}

TEST(CsvData, LongestLine) {
  // Just below the limit, with the line's end.
  const std::string field(1'000'000, ' ');
  const TemporaryFile file("wide.csv", "x,y\n" + field + "1,no\n2" + field + ",yes\n");
  const LabelledData data = read_data(file.path(), {.label = "y", .classes = {"no", "yes"}, .norm = kHugeNorm});
  ASSERT_EQ(data.train.count(), 2u);
  EXPECT_EQ(data.train.row(1)[0], 2.0);
}

}  // namespace
}  // namespace doeblin::training
