// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin {
namespace {

std::atomic<std::uint64_t> files_so_far{0};

}  // namespace

AtomicFile::AtomicFile(std::string parameter, std::string path)
    : parameter_(std::move(parameter)), path_(std::move(path)), number_(files_so_far++) {
  std::error_code ignored;
  if (path_.empty()) fail(ENOENT);
  // Opened anew, standard output would be written from its beginning.
  if (path_ == "/dev/stdout" || path_ == "/dev/fd/1" || path_ == "/proc/self/fd/1") {
    kind_ = Kind::kDevice;
    descriptor_ = dup(STDOUT_FILENO);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  const auto type = std::filesystem::status(path_, ignored).type();
  if (type == std::filesystem::file_type::directory) fail(EISDIR);
  const bool is_special =
      path_.starts_with("/dev/") || path_.starts_with("/proc/") ||
      (type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::regular);
  if (is_special) {
    kind_ = Kind::kDevice;
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  for (int links = 0; std::filesystem::is_symlink(path_, ignored); ++links) {
    if (links == 40) fail(ELOOP);
    path_ = std::filesystem::path(path_).parent_path() / std::filesystem::read_symlink(path_, ignored);
  }
  const std::string folder = std::filesystem::path(path_).parent_path();
  descriptor_ = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    kind_ = Kind::kPart;
    descriptor_ = open(part_name().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(errno);
  }
  // Whoever could not read the file that is replaced cannot read the new one.
  struct stat before = {};
  if (type == std::filesystem::file_type::regular && stat(path_.c_str(), &before) == 0)
    static_cast<void>(fchmod(descriptor_, before.st_mode & 07777));
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : parameter_(std::move(other.parameter_)),
      path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      kind_(other.kind_),
      number_(other.number_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (kind_ == Kind::kPart || kind_ == Kind::kFinished) unlink(part_name().c_str());
}

std::string AtomicFile::part_name() const { return fmt::format("{}.{}.{}.part", path_, getpid(), number_); }

void AtomicFile::fail(int error) const {
  throw InvalidArgument(parameter_, fmt::format("'{}'", path_),
                        fmt::format("a file that can be written ({})", std::strerror(error)));
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void AtomicFile::finish() {
  if (kind_ == Kind::kNameless) {
    // A link cannot take the place of a file, but a rename can.
    const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
    unlink(part_name().c_str());
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, part_name().c_str(), AT_SYMLINK_FOLLOW) != 0) fail(errno);
    kind_ = Kind::kPart;
  }
  if (kind_ != Kind::kPart) return;
  // Delayed errors of the disk are reported here at the latest.
  if (fsync(descriptor_) != 0) fail(errno);
  kind_ = Kind::kFinished;
}

void AtomicFile::commit() {
  finish();
  if (kind_ == Kind::kFinished && rename(part_name().c_str(), path_.c_str()) != 0) fail(errno);
  if (close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

}  // namespace doeblin
