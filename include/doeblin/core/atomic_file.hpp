// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace doeblin {

/// A file that appears whole or not at all; links to files are followed, and what stands under /dev or /proc is written
/// to as it is. What is written has no name until commit(): a program that is killed
/// leaves nothing behind (where the file system cannot do that, a file that ends in ".part").
class AtomicFile {
 public:
  /// `parameter` is what errors call the path.
  /// Errors   InvalidArgument when nothing can be written there
  AtomicFile(std::string parameter, std::string path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  /// Errors   InvalidArgument with the system's reason, such as a full disk
  void write(std::string_view bytes);

  /// Brings everything to the disk, under a temporary name.
  void finish();
  /// Gives the file its name, in place of any file that had it; finishes first if that was not done.
  void commit();

 private:
  enum class Kind {
    kNameless,  ///< no name in the folder
    kPart,      ///< a temporary name
    kFinished,  ///< the same, complete
    kDevice     ///< a pipe or a device, written to as it is
  };

  [[noreturn]] void fail(int error) const;
  [[nodiscard]] std::string part_name() const;

  std::string parameter_;
  std::string path_;
  int descriptor_ = -1;
  Kind kind_ = Kind::kNameless;
  /// Tells apart those of several threads.
  std::uint64_t number_;
};

}  // namespace doeblin
