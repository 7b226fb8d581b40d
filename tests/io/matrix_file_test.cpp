// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/matrix_file.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"

namespace doeblin::io {
namespace {

class MatrixFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("doeblin_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << content;
    return path;
  }

  std::string mistake(const std::string& content) {
    try {
      static_cast<void>(read_matrix(write("bad.csv", content)));
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

TEST_F(MatrixFile, ReadsRowsAndSkipsComments) {
  const auto rows = read_matrix(write("m.csv", "# two datasets\n0.25, 0.75\r\n\n 1e-1,9e-1\n"));
  EXPECT_EQ(rows, (std::vector<std::vector<double>>{{0.25, 0.75}, {0.1, 0.9}}));
}

TEST_F(MatrixFile, NamesFileAndLine) {
  EXPECT_NE(mistake("1,2\n3\n").find("bad.csv:2: 1 values, need 2"), std::string::npos) << mistake("1,2\n3\n");
  EXPECT_NE(mistake("1,x\n").find("bad.csv:1: column 2 = 'x'"), std::string::npos);
  EXPECT_NE(mistake("1,nan\n").find("need a finite number that a double can hold"), std::string::npos);
  EXPECT_NE(mistake("1,inf\n").find("need a finite number that a double can hold"), std::string::npos);
  EXPECT_NE(mistake("1,\n").find("column 2 = ''"), std::string::npos);
  EXPECT_NE(mistake("").find("at least one row"), std::string::npos);
  EXPECT_NE(mistake(std::string(2 << 20, '1')).find("line too long"), std::string::npos);
}

TEST_F(MatrixFile, RefusesWhatIsNoFile) {
  EXPECT_THROW(static_cast<void>(read_matrix("/nonexistent.csv")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(read_matrix(folder_.string())), InvalidArgument);
  EXPECT_THROW(static_cast<void>(read_matrix("/dev/zero")), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::io
