// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/data_files.hpp"
#include "support/npy.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

using test::bytes;
using test::data_refusal;
using test::dense_row;
using test::npy;
using test::npy_request;
using test::npy_shape;
using test::read_data;
using test::TemporaryFile;

template <typename Number>
void expect_npy(const std::string& type, char version) {
  const TemporaryFile file(
      "a.npy", npy(npy_shape(type, 2, 3),
                   bytes<Number>({Number(2), Number(3), Number(1), Number(5), Number(7), Number(0)}), version));
  DataFile data = DataFile::open(file.path());
  EXPECT_EQ(data.columns(), (std::vector<std::string>{"1", "2", "3"}));
  const LabelledData read = read_records(data, resolve(npy_request(), data));
  EXPECT_EQ(data.bytes_done(), data.bytes_total());
  ASSERT_EQ(read.train.count(), 2u) << type;
  EXPECT_EQ(dense_row(read.train, 0), (std::vector<double>{2.0, 3.0})) << type;
  EXPECT_EQ(dense_row(read.train, 1), (std::vector<double>{5.0, 7.0})) << type;
  EXPECT_EQ(read.train.label(0), 1.0);
  EXPECT_EQ(read.train.label(1), -1.0);
  EXPECT_EQ(read.train.line(0), 1u);
  EXPECT_EQ(read.train.line(1), 2u);
}

TEST(NpyData, ReadsEveryTypeAndVersion) {
  for (const char version : {'\1', '\2', '\3'}) expect_npy<double>("<f8", version);
  expect_npy<float>("<f4", 1);
  expect_npy<std::int8_t>("|i1", 1);
  expect_npy<std::int16_t>("<i2", 1);
  expect_npy<std::int32_t>("<i4", 1);
  expect_npy<std::int64_t>("<i8", 1);
  expect_npy<std::uint8_t>("|u1", 1);
  expect_npy<std::uint16_t>("<u2", 1);
  expect_npy<std::uint32_t>("<u4", 1);
  expect_npy<std::uint64_t>("<u8", 1);
}

TEST(NpyData, TheLabelMayBeAnyColumn) {
  const TemporaryFile file("a.npy", npy(npy_shape("<f8", 2, 3), bytes<double>({0.0, 0.5, 8.0, 1.0, -1.5, 2.0})));
  EncodingRequest request = npy_request();
  request.label = "1";
  request.bounds = {{"3", {0.0, 4.0}}};
  request.intercept = 1.0;
  const LabelledData data = read_data(file.path(), request);
  EXPECT_EQ(dense_row(data.train, 0), (std::vector<double>{0.5, 1.0, 1.0}));
  EXPECT_EQ(dense_row(data.train, 1), (std::vector<double>{-1.5, 0.5, 1.0}));
  EXPECT_EQ(data.train.label(0), -1.0);
  EXPECT_EQ(data.train.label(1), 1.0);
}

TEST(NpyData, ReadsManyBlocks) {
  // Rows that do not divide a block.
  constexpr std::size_t kRows = 30'000, kColumns = 37;
  std::vector<float> numbers;
  for (std::size_t i = 0; i < kRows * kColumns; ++i)
    numbers.push_back(i % kColumns == kColumns - 1 ? static_cast<float>(i / kColumns % 2) : static_cast<float>(i));
  const std::string data(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
  const TemporaryFile file("long.npy", npy(npy_shape("<f4", kRows, kColumns), data));
  const LabelledData records = read_data(file.path(), npy_request());
  ASSERT_EQ(records.train.count(), kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    ASSERT_EQ(records.train.label(i), i % 2 == 0 ? -1.0 : 1.0);
    ASSERT_EQ(records.train.row(i)[35], static_cast<double>(i * kColumns + 35));
  }
}

TEST(NpyData, RefusesBadFiles) {
  const auto refuses = [](const std::string& content) { return data_refusal("bad.npy", content, npy_request()); };
  const std::string types = "numbers of 1, 2, 4 or 8 bytes (f4, f8, i1 to i8, u1 to u8, b1), little endian";
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refuses(""), "FILE: no NPY file, which starts with \\x93NUMPY");
  EXPECT_EQ(refuses("x,y\n1,2\n3,4\n"), "FILE: no NPY file, which starts with \\x93NUMPY");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 1, 2), "12345678")),
            "FILE: 8 bytes of data, need 16 for the 1 x 2 entries that the header claims");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 1, 2), std::string(17, '1'))),
            "FILE: 17 bytes of data, need 16 for the 1 x 2 entries that the header claims");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 4294967296, 2), "")),
            "FILE: 0 bytes of data, need 68719476736 for the 4294967296 x 2 entries that the header claims");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 4294967296, 4294967296), "")),
            "FILE: 4294967296 columns, need rows of at most 1048576 bytes");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 0, 2), "")), "FILE: NPY shape 0 x 2, need at least 1 x 1");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 1, 2, "True"), bytes<double>({1.0, 0.0}))),
            "FILE: NPY table in Fortran order, need row by row (C order)");
  EXPECT_EQ(refuses(npy(npy_shape(">f8", 1, 2), bytes<double>({1.0, 0.0}))), "FILE: NPY type '>f8', need " + types);
  EXPECT_EQ(refuses(npy(npy_shape("<c16", 1, 1), bytes<double>({1.0, 0.0}))), "FILE: NPY type '<c16', need " + types);
  EXPECT_EQ(refuses(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1), }", "12345678")),
            "FILE: NPY type that is not a plain one, need " + types);
  EXPECT_EQ(refuses(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", bytes<double>({1.0, 0.0}))),
            "FILE: NPY array of 1 dimensions, need 2");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 1, 2), bytes<double>({1.0, 0.0}), 4)),
            "FILE: NPY header that is cut off or of an unknown version");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 1, 2), "").substr(0, 40)), "FILE: NPY header that is cut off");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 1, 1), bytes<double>({1.0}))),
            "FILE: no column is left, need one for features");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 2, 2), bytes<double>({1.0, 0.0, nan, 1.0}))),
            "FILE:2: column '1' = 'nan', need a finite number");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 1, 2), bytes<double>({-infinite, 1.0}))),
            "FILE:1: column '1' = '-inf', need a finite number");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 2, 2), bytes<double>({1.0, 0.0, 2.0, 0.5}))),
            "FILE:2: column '2' = '0.5', need one of '0', '1'");
  EXPECT_EQ(refuses(npy(npy_shape("<f8", 1, 2), bytes<double>({1.0, nan}))),
            "FILE:1: column '2' = 'nan', need one of '0', '1'");
  const std::string good = npy(npy_shape("<f8", 1, 2), bytes<double>({1.0, 0.0}));
  EncodingRequest request = npy_request();
  request.label = "3";
  EXPECT_EQ(data_refusal("bad.npy", good, request), "label = '3', need a column of FILE");
  request.label = "2";
  request.dropped = {"1"};
  EXPECT_EQ(data_refusal("bad.npy", good, request), "FILE: columns to drop or with levels, need a CSV file");
  request.dropped.clear();
  request.categorical = {{"1", {"a"}}};
  EXPECT_EQ(data_refusal("bad.npy", good, request), "FILE: columns to drop or with levels, need a CSV file");
}

}  // namespace
}  // namespace doeblin::training
