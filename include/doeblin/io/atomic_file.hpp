// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "doeblin/core/sentence.hpp"

namespace doeblin {

struct FileOptions {
  /// Only its owner may read it, whatever the umask says and whoever could read the file before.
  bool is_private = false;
  /// Not empty: a file that is there already is not replaced but refused, and this is what errors say is needed.
  Sentence need_none = {};
  /// What the file system can do; tests do without.
  bool has_nameless_files = true;
  bool has_exclusive_renames = true;
};

/// Errors   InvalidArgument with this constraint when the path, or what it is a link to, is a file outside of /dev and
///          /proc
void require_no_file(const Sentence& parameter, const std::string& path, const Sentence& constraint);

/// What the path is in the end, through links, whether it is there or not; empty for links without end.
[[nodiscard]] std::string followed(std::string path);

/// A file that appears whole or not at all; links to files are followed, and what stands under /dev or /proc is written
/// to as it is. What is written has no name until commit(): a program that is killed
/// leaves nothing behind (where the file system cannot do that, a file that only its owner can read, see
/// part_file.hpp).
class AtomicFile {
 public:
  /// `parameter` is what errors call the path.
  /// Errors   InvalidArgument when nothing can be written there, or a file that is there must stay
  AtomicFile(Sentence parameter, std::string path, FileOptions options = {});
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  /// Errors   InvalidArgument with the system's reason, such as a full disk
  void write(std::string_view bytes);

  /// Brings everything to the disk, under a temporary name.
  void finish();
  /// Gives the file its name, in place of any file that had it unless that must stay; finishes first if that was not
  /// done.
  /// Errors   InvalidArgument, also when a file that must stay has come there since
  void commit();

 private:
  enum class Kind {
    kNameless,  ///< no name in the folder
    kPart,      ///< a temporary name
    kFinished,  ///< the same, complete
    kDevice     ///< a pipe or a device, written to as it is
  };

  [[noreturn]] void fail(int error) const;
  void give_name_to_nameless();
  [[nodiscard]] int give_final_name() const;

  Sentence parameter_;
  std::string path_;
  FileOptions options_;
  int descriptor_ = -1;
  Kind kind_ = Kind::kNameless;
  std::string part_ = {};
  /// Who may do what in the end; until then only the owner may do anything.
  mode_t mode_ = 0600;
};

}  // namespace doeblin
