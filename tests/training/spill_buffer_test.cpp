// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/spill_buffer.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/temporary_file.hpp"
#include "training/nameless_file.hpp"

namespace doeblin::training {
namespace {

using test::message_of;

class SpillBufferTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("doeblin_spill_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::shared_ptr<Storage> storage(std::uint64_t memory) const {
    return std::make_shared<Storage>(StorageLimits{.memory = memory, .scratch = folder_});
  }

  std::filesystem::path folder_;
};

void fill(SpillBuffer<std::uint64_t>& buffer, std::size_t count) {
  for (std::size_t i = buffer.size(); i < count; ++i) buffer.push_back(i * i);
}

void expect_squares(const SpillBuffer<std::uint64_t>& buffer, std::size_t count) {
  ASSERT_EQ(buffer.size(), count);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(buffer[i], i * i) << i;
}

TEST_F(SpillBufferTest, MovesToAFileAtTheLimitAndKeepsItsValues) {
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{10'000}, std::uint64_t{200'000}}) {
    const auto shared = storage(memory);
    SpillBuffer<std::uint64_t> buffer(shared);
    EXPECT_FALSE(buffer.is_in_file());
    bool was_in_file = false;
    for (std::size_t count = 1; count <= 100'000; count = count * 3 + 1) {
      fill(buffer, count);
      EXPECT_TRUE(buffer.is_in_file() || !was_in_file);
      EXPECT_LE(shared->in_memory, memory);
      // Not before it has to.
      EXPECT_TRUE(!buffer.is_in_file() || count * sizeof(std::uint64_t) * 5 / 4 + 8192 >= memory) << count;
      was_in_file = buffer.is_in_file();
      expect_squares(buffer, count);
    }
    EXPECT_TRUE(was_in_file);
    EXPECT_EQ(shared->in_memory, 0u);
    // The file has no name, not even while it is open.
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
  }
}

TEST_F(SpillBufferTest, StaysInMemoryBelowTheLimit) {
  const auto shared = storage(std::uint64_t{1} << 30);
  {
    SpillBuffer<std::uint64_t> buffer(shared);
    fill(buffer, 100'000);
    expect_squares(buffer, 100'000);
    EXPECT_FALSE(buffer.is_in_file());
    EXPECT_GE(shared->in_memory, 800'000u);
    EXPECT_LE(shared->in_memory, 1'100'000u);
  }
  EXPECT_EQ(shared->in_memory, 0u);
}

TEST_F(SpillBufferTest, BuffersShareTheLimit) {
  const auto shared = storage(1'000'000);
  SpillBuffer<std::uint64_t> first(shared), second(shared), third(shared);
  fill(first, 100'000);
  EXPECT_FALSE(first.is_in_file());
  fill(second, 100'000);
  EXPECT_TRUE(second.is_in_file());
  fill(third, 100);
  EXPECT_FALSE(third.is_in_file());
  EXPECT_LE(shared->in_memory, 1'000'000u);
  expect_squares(first, 100'000);
  expect_squares(second, 100'000);
  expect_squares(third, 100);
}

TEST_F(SpillBufferTest, WhatIsAddedIsZeroOrAsGiven) {
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
    SpillBuffer<double> buffer(storage(memory));
    const std::vector<double> numbers = {1.5, -2.5, 3.5};
    for (std::size_t i = 0; i < 5000; ++i) {
      buffer.append(numbers);
      buffer.append_zeros(2);
      buffer.append({});
    }
    ASSERT_EQ(buffer.size(), 25'000u);
    for (std::size_t i = 0; i < buffer.size(); ++i)
      ASSERT_EQ(buffer[i], i % 5 < 3 ? numbers[i % 5] : 0.0) << i << " with memory " << memory;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 4096, 0u);
  }
}

TEST_F(SpillBufferTest, MovesWithItsContent) {
  static_assert(!std::is_copy_constructible_v<SpillBuffer<double>>);
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
    const auto shared = storage(memory);
    SpillBuffer<std::uint64_t> first(shared);
    fill(first, 3000);
    SpillBuffer<std::uint64_t> second(std::move(first));
    fill(second, 5000);
    expect_squares(second, 5000);
    SpillBuffer<std::uint64_t> third(shared);
    fill(third, 10);
    third = std::move(second);
    fill(third, 9000);
    expect_squares(third, 9000);
  }
}

TEST_F(SpillBufferTest, AFullDiskIsAnErrorAndNothingIsLost) {
  // No file longer than this; without the handler the process would be ended.
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlim_t soft = limit.rlim_cur;
  limit.rlim_cur = 1'000'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  SpillBuffer<std::uint64_t> buffer(storage(0));
  std::size_t reached = 0;
  const std::string message = message_of<InvalidArgument>([&] {
    for (;; reached = buffer.size()) fill(buffer, buffer.size() + 1);
  });
  SpillBuffer<std::uint64_t> another(storage(500'000));
  const std::string at_once = message_of<InvalidArgument>([&] { another.append_zeros(200'000); });
  limit.rlim_cur = soft;
  setrlimit(RLIMIT_FSIZE, &limit);
  static_cast<void>(std::signal(SIGXFSZ, before));
  const std::string expected =
      "scratch = '" + folder_.string() + "', need a folder that takes a file of 2 MiB (File too large)";
  EXPECT_EQ(message, expected);
  EXPECT_EQ(at_once, expected);
  EXPECT_GE(reached, 60'000u);
  for (std::size_t i = 0; i < reached; ++i) ASSERT_EQ(buffer[i], i * i);
}

TEST_F(SpillBufferTest, AFolderThatIsNoneIsAnErrorOnceItIsNeeded) {
  const auto shared = std::make_shared<Storage>(StorageLimits{.memory = 8192, .scratch = folder_ / "missing"});
  SpillBuffer<std::uint64_t> buffer(shared);
  fill(buffer, 100);
  const std::string message = message_of<InvalidArgument>([&] { fill(buffer, 10'000); });
  EXPECT_EQ(message, "scratch = '" + (folder_ / "missing").string() +
                         "', need a folder that takes a file of 1 MiB (No such file or directory)");
  SpillBuffer<std::uint64_t> device(std::make_shared<Storage>(StorageLimits{.memory = 0, .scratch = "/dev/null"}));
  EXPECT_NE(message_of<InvalidArgument>([&] { fill(device, 1); }).find("(Not a directory)"), std::string::npos);
}

TEST_F(SpillBufferTest, TheFolderIsThatOfTheEnvironmentUnlessItIsGiven) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  setenv("TMPDIR", "/dev/null", 1);
  SpillBuffer<std::uint64_t> buffer(std::make_shared<Storage>(StorageLimits{.memory = 0}));
  const std::string message = message_of<InvalidArgument>([&] { fill(buffer, 1); });
  unsetenv("TMPDIR");
  fill(buffer, 10);
  expect_squares(buffer, 10);
  if (before != nullptr) setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_TRUE(message.starts_with("scratch = '/dev/null'")) << message;
}

TEST_F(SpillBufferTest, FilesHaveNoNameAndNoOtherReaders) {
  for (const auto& open_file : {open_nameless, open_unlinked}) {
    const int descriptor = open_file(folder_);
    ASSERT_GE(descriptor, 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    struct stat status = {};
    ASSERT_EQ(fstat(descriptor, &status), 0);
    EXPECT_EQ(status.st_nlink, 0u);
    EXPECT_EQ(status.st_mode & 0777u, 0600u);
    EXPECT_EQ(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    close(descriptor);
  }
}

}  // namespace
}  // namespace doeblin::training
