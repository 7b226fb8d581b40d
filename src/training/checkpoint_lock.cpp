// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/checkpoint_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/atomic_file.hpp"

namespace doeblin::training {
namespace {

[[noreturn]] void fail_lock(const std::string& checkpoint, std::string_view constraint) {
  throw InvalidArgument("checkpoint", fmt::format("'{}'", printable_path(checkpoint)), constraint);
}

// One lock for all links to a checkpoint.
std::string lock_path(const std::string& checkpoint) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(followed(checkpoint), error);
  return (error ? checkpoint : real.string()) + ".lock";
}

}  // namespace

CheckpointLock::CheckpointLock(const std::string& checkpoint) : checkpoint_(checkpoint), path_(lock_path(checkpoint)) {
  // Whoever had the lock removes the file: what was opened may be gone by the time it is locked.
  while (true) {
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor_ < 0)
      fail_lock(checkpoint, fmt::format("a folder where a lock can be made ({})", std::strerror(errno)));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      close(descriptor_);
      fail_lock(checkpoint,
                error == EWOULDBLOCK
                    ? "a run that no other process goes on with: both would release a model, with noise in common"
                    : fmt::format("a file system with locks ({})", std::strerror(error)));
    }
    if (is_held()) return;
    close(descriptor_);
  }
}

CheckpointLock::~CheckpointLock() {
  if (is_held()) unlink(path_.c_str());
  close(descriptor_);
}

bool CheckpointLock::is_held() const {
  struct stat ours = {};
  struct stat there = {};
  return fstat(descriptor_, &ours) == 0 && lstat(path_.c_str(), &there) == 0 && ours.st_dev == there.st_dev &&
         ours.st_ino == there.st_ino;
}

void CheckpointLock::require_held() const {
  if (!is_held())
    fail_lock(checkpoint_,
              fmt::format("its lock '{}', which somebody removed: another process may end this run too, and "
                          "nothing is released",
                          printable_path(path_)));
}

}  // namespace doeblin::training
