// SPDX-License-Identifier: Apache-2.0
// Mechanisms given by their matrices, from files.
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::pipeline {
namespace {

class FiniteFile : public ::testing::Test {
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

  std::filesystem::path folder_;
};

TEST_F(FiniteFile, GivesTheMatrixAndItsNeighbours) {
  const std::string matrix = write("m.csv", "1,0\n0.5,0.5\n0,1\n");
  const std::string pairs = write("p.csv", "1,2\n2,3\n");
  EXPECT_EQ(parse("finite('" + matrix + "')").delta(Epsilon(0.0)).upper(), 1.0);
  EXPECT_EQ(parse("finite(\"" + matrix + "\", adjacency='" + pairs + "')").delta(Epsilon(0.0)).upper(), 0.5);
  EXPECT_THROW(static_cast<void>(parse("finite('" + matrix + "', '" + write("q.csv", "0,1\n") + "')")),
               InvalidArgument);
  EXPECT_THROW(static_cast<void>(parse("finite('" + matrix + "', '" + write("q.csv", "1,9\n") + "')")),
               InvalidArgument);
  EXPECT_THROW(static_cast<void>(parse("finite('" + write("r.csv", "0.5,0.6\n1,0\n") + "')")), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::pipeline
