// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/atomic_file.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/temporary_file.hpp"

namespace doeblin {
namespace {

class AtomicFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("doeblin_atomic_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) static_cast<void>(entry), ++count;
    return count;
  }
  std::string content(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
};

TEST_F(AtomicFileTest, AppearsWholeAtTheEnd) {
  AtomicFile file("--csv", folder_ / "a.csv");
  file.write("first,");
  file.write("second\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.csv"));
  file.commit();
  EXPECT_EQ(content("a.csv"), "first,second\n");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, LeavesNothingWithoutCommit) {
  { AtomicFile("--csv", folder_ / "a.csv").write("half"); }
  EXPECT_EQ(files(), 0u);
  {
    AtomicFile file("--csv", folder_ / "a.csv");
    file.write("whole");
    file.finish();
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(AtomicFileTest, ReplacesAnEarlierFileOnlyAtTheEnd) {
  std::ofstream(folder_ / "a.csv") << "old";
  { AtomicFile("--csv", folder_ / "a.csv").write("half"); }
  EXPECT_EQ(content("a.csv"), "old");
  AtomicFile file("--csv", folder_ / "a.csv");
  file.write("new");
  AtomicFile moved = std::move(file);
  moved.commit();
  EXPECT_EQ(content("a.csv"), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, SaysWhyItCannotWrite) {
  using test::message_of;
  const auto open = [](const std::string& path) {
    return message_of<InvalidArgument>([&] { AtomicFile("--csv", path).write("x"); });
  };
  EXPECT_EQ(open(folder_), "--csv = '" + folder_.string() + "', need a file that can be written (Is a directory)");
  EXPECT_NE(open(folder_ / "no" / "a.csv").find("No such file or directory"), std::string::npos);
  EXPECT_NE(open("").find("No such file or directory"), std::string::npos);
  EXPECT_NE(open("/dev/full").find("No space left on device"), std::string::npos);
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace doeblin
