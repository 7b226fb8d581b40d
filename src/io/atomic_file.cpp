// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/part_file.hpp"

namespace doeblin {
namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

// Written to as it is, even if standard output goes to a file.
bool is_of_the_system(std::string_view path) { return path.starts_with("/dev/") || path.starts_with("/proc/"); }

// What others may do with a new file. The call umask() would change the mask to tell it, for all threads.
mode_t mode_of_new_file() {
  constexpr std::string_view kKey = "Umask:\t";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    mode_t mask = 0;
    if (line.starts_with(kKey) &&
        std::from_chars(line.data() + kKey.size(), line.data() + line.size(), mask, 8).ec == std::errc())
      return 0666 & ~mask;
  }
  return kOwnerOnly;
}

}  // namespace

void require_no_file(const Sentence& parameter, const std::string& path, const Sentence& constraint) {
  std::error_code ignored;
  if (!is_of_the_system(path) && std::filesystem::is_regular_file(path, ignored))
    throw InvalidArgument(parameter, fmt::format("'{}'", printable_path(path)), constraint);
}

std::string followed(std::string path) {
  std::error_code ignored;
  for (int links = 0; std::filesystem::is_symlink(path, ignored); ++links) {
    if (links == 40) return "";
    path = std::filesystem::path(path).parent_path() / std::filesystem::read_symlink(path, ignored);
  }
  return path;
}

AtomicFile::AtomicFile(Sentence parameter, std::string path, FileOptions options)
    : parameter_(std::move(parameter)), path_(std::move(path)), options_(std::move(options)) {
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
  const bool is_special = is_of_the_system(path_) || (type != std::filesystem::file_type::not_found &&
                                                      type != std::filesystem::file_type::regular);
  if (is_special) {
    kind_ = Kind::kDevice;
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  if (!options_.need_none.empty()) require_no_file(parameter_, path_, options_.need_none);
  std::string target = followed(path_);
  if (target.empty()) fail(ELOOP);
  path_ = std::move(target);
  const std::string folder = std::filesystem::path(path_).parent_path();
  if (options_.has_nameless_files)
    descriptor_ = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kOwnerOnly);
  if (descriptor_ < 0) {
    kind_ = Kind::kPart;
    PartFile part = create_part(path_);
    if (part.descriptor < 0) fail(errno);
    descriptor_ = part.descriptor;
    part_ = std::move(part.path);
  }
  // Whoever could not read the file that is replaced cannot read the new one.
  struct stat before = {};
  if (options_.is_private)
    mode_ = kOwnerOnly;
  else if (type == std::filesystem::file_type::regular && stat(path_.c_str(), &before) == 0)
    mode_ = before.st_mode & 07777;
  else
    mode_ = mode_of_new_file();
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : parameter_(std::move(other.parameter_)),
      path_(std::move(other.path_)),
      options_(std::move(other.options_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      kind_(other.kind_),
      part_(std::move(other.part_)),
      mode_(other.mode_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (kind_ == Kind::kPart || kind_ == Kind::kFinished) unlink(part_.c_str());
}

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

void AtomicFile::give_name_to_nameless() {
  // A link cannot take the place of a file, but a rename can.
  const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
  part_ = part_name(path_);
  if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, part_.c_str(), AT_SYMLINK_FOLLOW) != 0) fail(errno);
  kind_ = Kind::kPart;
}

void AtomicFile::finish() {
  if (kind_ == Kind::kNameless) give_name_to_nameless();
  if (kind_ != Kind::kPart) return;
  // Where the file system knows no owners there is nothing to be done about it.
  static_cast<void>(fchmod(descriptor_, mode_));
  // Delayed errors of the disk are reported here at the latest.
  if (fsync(descriptor_) != 0) fail(errno);
  kind_ = Kind::kFinished;
}

// 0, or what went wrong.
int AtomicFile::give_final_name() const {
  if (!options_.need_none.empty()) {
    if (options_.has_exclusive_renames) {
      if (renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) return 0;
      if (errno != EINVAL && errno != ENOSYS) return errno;
    }
    // The name is ours, or somebody else's who was first.
    const int claim = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnerOnly);
    if (claim < 0) return errno;
    close(claim);
  }
  return rename(part_.c_str(), path_.c_str()) == 0 ? 0 : errno;
}

void AtomicFile::commit() {
  finish();
  if (kind_ == Kind::kFinished) {
    const int error = give_final_name();
    if (error == EEXIST) throw InvalidArgument(parameter_, fmt::format("'{}'", path_), options_.need_none);
    if (error != 0) fail(error);
  }
  if (close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

}  // namespace doeblin
