// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/atomic_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/io/part_file.hpp"
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

  mode_t mode(const std::string& name) const {
    struct stat status = {};
    EXPECT_EQ(stat((folder_ / name).c_str(), &status), 0);
    return status.st_mode & 07777;
  }
  // The only file whose name ends like this.
  std::string part() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (entry.path().extension() == ".part") return entry.path().filename().string();
    return "";
  }

  std::filesystem::path folder_;
};

class WithUmask {
 public:
  explicit WithUmask(mode_t mask) : before_(umask(mask)) {}
  ~WithUmask() { umask(before_); }
  WithUmask(const WithUmask&) = delete;
  WithUmask& operator=(const WithUmask&) = delete;

 private:
  mode_t before_;
};

constexpr const char* kNone = "a file that is not there yet";

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

TEST_F(AtomicFileTest, PartsHaveNamesThatNobodyForeseesAndNobodyElseReads) {
  const WithUmask open_to_all(0);
  // As on file systems that have no files without a name.
  const FileOptions options{.has_nameless_files = false};
  AtomicFile file("--csv", folder_ / "a.csv", options);
  file.write("half");
  const std::string first = part();
  EXPECT_TRUE(is_part_of(first, "a.csv")) << first;
  EXPECT_EQ(first.find(std::to_string(getpid())), std::string::npos);
  EXPECT_EQ(mode(first), 0600u);
  file.commit();
  EXPECT_EQ(mode("a.csv"), 0666u);
  EXPECT_EQ(files(), 1u);
  AtomicFile second("--csv", folder_ / "a.csv", options);
  EXPECT_NE(part(), first);
}

TEST_F(AtomicFileTest, PartsAreNewFiles) {
  const PartFile one = create_part(folder_ / "a");
  const PartFile two = create_part(folder_ / "a");
  EXPECT_NE(one.path, two.path);
  EXPECT_GE(one.descriptor, 0);
  close(one.descriptor), close(two.descriptor);
  EXPECT_LT(create_part(folder_ / "no" / "a").descriptor, 0);
  EXPECT_TRUE(is_part_of("a.0123456789abcdef.part", "a"));
  for (const char* other : {"a.0123456789abcde.part", "a.0123456789abcdeg.part", "b.0123456789abcdef.part", "a", ""})
    EXPECT_FALSE(is_part_of(other, "a")) << other;
}

TEST_F(AtomicFileTest, PrivateFilesAreForTheirOwnerWhateverTheUmask) {
  std::ofstream(folder_ / "a.csv") << "old";
  std::filesystem::permissions(folder_ / "a.csv", std::filesystem::perms(0644));
  for (const mode_t mask : {0u, 022u, 0777u})
    for (const bool has_nameless : {true, false})
      for (const char* name : {"a.csv", "b.csv"}) {
        const WithUmask other(mask);
        AtomicFile file("--csv", folder_ / name, {.is_private = true, .has_nameless_files = has_nameless});
        file.write("x");
        file.commit();
        EXPECT_EQ(mode(name), 0600u) << mask << has_nameless << name;
      }
}

TEST_F(AtomicFileTest, OtherFilesFollowTheUmaskOrTheFileBefore) {
  const WithUmask group(027);
  for (const bool has_nameless : {true, false}) {
    const auto write = [&] {
      AtomicFile file("--csv", folder_ / "a.csv", {.has_nameless_files = has_nameless});
      file.commit();
    };
    write();
    EXPECT_EQ(mode("a.csv"), 0640u);
    std::filesystem::permissions(folder_ / "a.csv", std::filesystem::perms(0604));
    write();
    EXPECT_EQ(mode("a.csv"), 0604u);
    std::filesystem::remove(folder_ / "a.csv");
  }
}

TEST_F(AtomicFileTest, AFileThatMustStayIsRefusedAtOnceAndAtTheEnd) {
  using test::message_of;
  for (const bool has_exclusive : {true, false}) {
    const FileOptions options{.need_none = kNone, .has_exclusive_renames = has_exclusive};
    const std::string path = folder_ / "a.csv";
    const std::string refusal = "--csv = '" + path + "', need " + kNone;
    AtomicFile late("--csv", path, options);
    late.write("late");
    {
      AtomicFile file("--csv", path, options);
      file.write("first");
      file.commit();
    }
    EXPECT_EQ(message_of<InvalidArgument>([&] { late.commit(); }), refusal);
    EXPECT_EQ(message_of<InvalidArgument>([&] { AtomicFile("--csv", path, options); }), refusal);
    EXPECT_EQ(content("a.csv"), "first");
    std::filesystem::remove(path);
  }
}

TEST_F(AtomicFileTest, LinksToFilesThatMustStayAreRefused) {
  std::ofstream(folder_ / "a.csv") << "old";
  std::filesystem::create_symlink("a.csv", folder_ / "link");
  std::filesystem::create_symlink("later.csv", folder_ / "dangling");
  EXPECT_THROW(AtomicFile("--csv", folder_ / "link", {.need_none = kNone}), InvalidArgument);
  AtomicFile file("--csv", folder_ / "dangling", {.need_none = kNone});
  file.write("new");
  file.commit();
  EXPECT_EQ(content("later.csv"), "new");
}

}  // namespace
}  // namespace doeblin
