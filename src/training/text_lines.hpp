// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "doeblin/io/csv_blocks.hpp"

namespace doeblin::training {

/// The lines of a text file or of standard input, one after another, with memory for a few blocks.
class TextLines {
 public:
  /// Errors   InvalidArgument unless it can be read
  explicit TextLines(const std::string& path);

  /// A header, with its own errors; before any next().
  [[nodiscard]] std::string first_line();
  /// The next line without blanks around it, which holds until the next call; false at the end.
  /// Errors   InvalidArgument for a line that is longer than a block, when a block of it was read
  bool next(std::string_view& line);

  [[nodiscard]] const std::string& name() const { return reader_.name(); }
  /// "file:line" of the last line.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::uint64_t bytes_done() const { return reader_.bytes(); }
  [[nodiscard]] std::uint64_t bytes_total() const { return bytes_total_; }

 private:
  io::BlockReader reader_;
  std::uint64_t bytes_total_ = 0;
  std::string block_;
  std::string_view rest_;
  bool is_more_ = true;
  std::uint64_t number_ = 0;
};

}  // namespace doeblin::training
