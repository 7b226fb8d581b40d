// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace doeblin::io {

/// Reads a text file in blocks of whole lines.
class BlockReader {
 public:
  static constexpr std::size_t kBlock = 1 << 20;

  /// "-" is standard input.
  /// Errors   InvalidArgument unless it can be read
  explicit BlockReader(const std::string& path);
  ~BlockReader();
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  /// What errors call the file.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The first line, which later blocks do not contain, without a byte order mark.
  [[nodiscard]] std::string first_line();
  /// Replaces `block` by the next lines, about kBlock bytes of them or, if that is less, `most_rows` that are not
  /// blank; false when these are the last, possibly none.
  /// Errors   InvalidArgument for a line longer than a block
  bool next(std::string& block, std::size_t most_rows = SIZE_MAX);
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void refill();

  std::string name_;
  int descriptor_ = -1;
  /// Read and, from begin_ on, not yet handed out.
  std::string waiting_;
  std::size_t begin_ = 0;
  bool is_at_end_ = false;
  std::uint64_t bytes_ = 0;
  /// Handed out so far.
  std::uint64_t lines_ = 0;
};

}  // namespace doeblin::io
