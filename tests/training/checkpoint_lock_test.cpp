// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/checkpoint_lock.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

namespace fs = std::filesystem;

class CheckpointLockTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("doeblin_lock_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    checkpoint_ = folder_ / "saved";
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string refusal() const {
    return test::message_of<InvalidArgument>([&] { const CheckpointLock lock(checkpoint_); });
  }

  fs::path folder_;
  std::string checkpoint_;
};

TEST_F(CheckpointLockTest, IsForOneAtATimeAndLeavesNothing) {
  {
    const CheckpointLock lock(checkpoint_);
    lock.require_held();
    EXPECT_NE(refusal().find("a run that no other process goes on with"), std::string::npos) << refusal();
    // Another checkpoint is another run.
    const CheckpointLock other(folder_ / "other");
  }
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_EQ(refusal(), "nothing was thrown");
}

TEST_F(CheckpointLockTest, LinksAreTheSameCheckpoint) {
  fs::create_symlink("saved", folder_ / "link");
  const CheckpointLock lock(folder_ / "link");
  EXPECT_NE(refusal(), "nothing was thrown");
}

TEST_F(CheckpointLockTest, IsFreeWhenItsProcessWasKilled) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const CheckpointLock lock(checkpoint_);
    static_cast<void>(!write(ready[1], "x", 1));
    pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_NE(refusal(), "nothing was thrown");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ready[0]), close(ready[1]);
  EXPECT_TRUE(fs::exists(checkpoint_ + ".lock"));
  EXPECT_EQ(refusal(), "nothing was thrown");
}

TEST_F(CheckpointLockTest, AnOwnerWhoseLockWasRemovedReleasesNothing) {
  const CheckpointLock lock(checkpoint_);
  fs::remove(checkpoint_ + ".lock");
  EXPECT_THROW(lock.require_held(), InvalidArgument);
  const CheckpointLock second(checkpoint_);
  EXPECT_THROW(lock.require_held(), InvalidArgument);
  second.require_held();
}

}  // namespace
}  // namespace doeblin::training
