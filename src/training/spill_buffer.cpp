// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/spill_buffer.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "training/nameless_file.hpp"

namespace doeblin::training {
namespace {

std::size_t whole_pages(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

std::string folder_of(const StorageLimits& limits) {
  if (!limits.scratch.empty()) return limits.scratch;
  const char* const chosen = std::getenv("TMPDIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
}

[[noreturn]] void fail(const StorageLimits& limits, std::size_t bytes, int error) {
  throw InvalidArgument(
      "scratch", fmt::format("'{}'", folder_of(limits)),
      fmt::format("a folder that takes a file of {} MiB ({})", (bytes >> 20) + 1, std::strerror(error)));
}

// Blocks of the disk, not only a length: writing to a page that finds no block would end the process.
int allocate(int descriptor, std::size_t bytes) {
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  return error;
}

}  // namespace

SpillBytes::SpillBytes(SpillBytes&& other) noexcept
    : storage_(std::move(other.storage_)),
      data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

SpillBytes& SpillBytes::operator=(SpillBytes&& other) noexcept {
  std::swap(storage_, other.storage_);
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SpillBytes::~SpillBytes() {
  if (data_ != nullptr) munmap(data_, capacity_);
  if (descriptor_ >= 0) close(descriptor_);
  if (data_ != nullptr && descriptor_ < 0) storage_->in_memory -= capacity_;
}

void SpillBytes::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  const std::size_t wanted = whole_pages(std::max(bytes, capacity_ + capacity_ / 4));
  if (descriptor_ < 0 && storage_->in_memory - capacity_ + wanted <= storage_->limits.memory && grow_in_memory(wanted))
    return;
  if (descriptor_ < 0) move_to_file(wanted);
  grow_in_file(wanted);
}

bool SpillBytes::grow_in_memory(std::size_t bytes) {
  // Pages change their place, so that nothing is copied and old and new never exist at the same time.
  void* const grown = data_ == nullptr
                          ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                          : mremap(data_, capacity_, bytes, MREMAP_MAYMOVE);
  if (grown == MAP_FAILED) return false;
  storage_->in_memory += bytes - capacity_;
  data_ = static_cast<std::byte*>(grown);
  capacity_ = bytes;
  return true;
}

void SpillBytes::move_to_file(std::size_t bytes) {
  const int file = open_nameless(folder_of(storage_->limits));
  if (file < 0) fail(storage_->limits, bytes, errno);
  const int error = allocate(file, bytes);
  void* const mapped = error == 0 ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  if (mapped == MAP_FAILED) {
    const int reason = error == 0 ? errno : error;
    close(file);
    fail(storage_->limits, bytes, reason);
  }
  if (data_ != nullptr) {
    std::memcpy(mapped, data_, capacity_);
    munmap(data_, capacity_);
    storage_->in_memory -= capacity_;
  }
  descriptor_ = file;
  data_ = static_cast<std::byte*>(mapped);
  capacity_ = bytes;
}

void SpillBytes::grow_in_file(std::size_t bytes) {
  if (bytes <= capacity_) return;
  if (const int error = allocate(descriptor_, bytes); error != 0) fail(storage_->limits, bytes, error);
  void* const grown = mremap(data_, capacity_, bytes, MREMAP_MAYMOVE);
  if (grown == MAP_FAILED) fail(storage_->limits, bytes, errno);
  data_ = static_cast<std::byte*>(grown);
  capacity_ = bytes;
}

}  // namespace doeblin::training
