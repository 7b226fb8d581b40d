// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/data_files.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

using test::data_refusal;
using test::indexed;
using test::IndexedValues;
using test::libsvm_request;
using test::read_data;
using test::TemporaryFile;

TEST(LibsvmData, ReadsSparseRows) {
  const TemporaryFile file("a.svm",
                           "\xEF\xBB\xBF+1 1:0.5 3:-2  \t5:1e2 # a comment 4:4\r\n"
                           "# only a comment\n"
                           "\n"
                           "-1\n"
                           "1 2:0 4:+3\n"
                           "-1.0 5:7");
  EncodingRequest request = libsvm_request();
  request.intercept = 2.0;
  request.bounds = {{"3", {0.0, 4.0}}, {"5", {0.0, 10.0}}};
  const LabelledData data = read_data(file.path(), request);
  ASSERT_EQ(data.train.count(), 4u);
  EXPECT_TRUE(data.train.is_sparse());
  EXPECT_EQ(data.train.dimension(), 6u);
  // Clipped to 0 is not written either.
  EXPECT_EQ(indexed(data.train.sparse_row(0)), (IndexedValues{{0, 0.5}, {4, 1.0}, {5, 2.0}}));
  EXPECT_EQ(indexed(data.train.sparse_row(1)), (IndexedValues{{5, 2.0}}));
  EXPECT_EQ(indexed(data.train.sparse_row(2)), (IndexedValues{{3, 3.0}, {5, 2.0}}));
  EXPECT_EQ(indexed(data.train.sparse_row(3)), (IndexedValues{{4, 0.7}, {5, 2.0}}));
  EXPECT_EQ(data.train.label(0), 1.0);
  EXPECT_EQ(data.train.label(1), -1.0);
  EXPECT_EQ(data.train.label(2), 1.0);
  EXPECT_EQ(data.train.label(3), -1.0);
  EXPECT_EQ(data.train.line(0), 1u);
  EXPECT_EQ(data.train.line(1), 4u);
  EXPECT_EQ(data.train.line(3), 6u);
}

TEST(LibsvmData, LongRowsAreScaledDown) {
  const TemporaryFile file("a.svm", "1 1:3 4:4\n-1 2:1e200 3:1e200\n1 2:0.6\n");
  EncodingRequest request = libsvm_request();
  request.norm = 1.0;
  const LabelledData data = read_data(file.path(), request);
  EXPECT_NEAR(data.train.sparse_row(0).values[0], 0.6, 1e-14);
  EXPECT_NEAR(data.train.sparse_row(0).values[1], 0.8, 1e-14);
  EXPECT_NEAR(data.train.sparse_row(1).values[1], std::sqrt(0.5), 1e-14);
  EXPECT_EQ(data.train.sparse_row(2).values[0], 0.6);
}

TEST(LibsvmData, RefusesBadFilesWithTheirLine) {
  const auto refuses = [](const std::string& content) { return data_refusal("bad.svm", content, libsvm_request()); };
  EXPECT_EQ(refuses(""), "FILE: no records, need at least one");
  EXPECT_EQ(refuses("\n# nothing\n"), "FILE: no records, need at least one");
  EXPECT_EQ(refuses("1 1:1\n2 1:1\n"), "FILE:2: label = '2', need one of '-1', '+1'");
  EXPECT_EQ(refuses("1:1 2:1\n"), "FILE:1: label = '1:1', need one of '-1', '+1'");
  EXPECT_EQ(refuses("1 1:1\n\n1 6:1\n"), "FILE:3: index 6, need one from 1 to 5, the number of features");
  EXPECT_EQ(refuses("1 0:1\n"), "FILE:1: index 0, need one from 1 to 5, the number of features");
  EXPECT_EQ(refuses("1 2:1 2:1\n"), "FILE:1: index 2 after 2, need indices that increase");
  EXPECT_EQ(refuses("1 3:1 2:1\n"), "FILE:1: index 2 after 3, need indices that increase");
  EXPECT_EQ(refuses("1 3\n"), "FILE:1: '3', need index:value");
  EXPECT_EQ(refuses("1 qid:3 1:1\n"), "FILE:1: 'qid:3', need index:value");
  EXPECT_EQ(refuses("1 -1:3\n"), "FILE:1: '-1:3', need index:value");
  EXPECT_EQ(refuses("1 1.5:3\n"), "FILE:1: '1.5:3', need index:value");
  EXPECT_EQ(refuses("1 99999999999999999999:3\n"), "FILE:1: '99999999999999999999:3', need index:value");
  EXPECT_EQ(refuses("1 1:\n"), "FILE:1: column '1' = '', need a finite number");
  EXPECT_EQ(refuses("1 1:nan\n"), "FILE:1: column '1' = 'nan', need a finite number");
  EXPECT_EQ(refuses("1 1: 2\n"), "FILE:1: column '1' = '', need a finite number");
  EXPECT_EQ(refuses("1 1:2:3\n"), "FILE:1: column '1' = '2:3', need a finite number");
  EXPECT_EQ(refuses(std::string("\0\x01\x02\xff", 4)),
            "FILE:1: label = '?"
            "?"
            "?"
            "?', need one of '-1', '+1'");
  EXPECT_EQ(refuses("1 1:1\n" + std::string(3'000'000, '1')), "FILE:2: a line of more than 1048576 bytes");
}

}  // namespace
}  // namespace doeblin::training
