// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/core/text.hpp"
#include "doeblin/io/input_file.hpp"

namespace doeblin::io {

/// What a text file may be at most.
struct TextLimits {
  std::uintmax_t file;  ///< bytes
  std::size_t line;     ///< bytes
};

/// Reads a text file line by line, never holding more than one line and one block of it.
class LineReader {
 public:
  /// `parameter` is what errors about the file as a whole call it.
  /// Errors   InvalidArgument unless it is a readable regular file within the limits
  LineReader(const std::string& path, const TextLimits& limits, const char* parameter = "file");

  /// The next line that is neither blank nor a comment, trimmed; false at the end. The view holds until the next call.
  /// Errors   InvalidArgument with "file:line" for a line beyond the limit
  bool next(std::string_view& line, char comment = '#');
  /// The next line as it is, trimmed.
  bool next_raw(std::string_view& line);

  /// "file:line" of the last line.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] std::uintmax_t file_size() const { return input_.size; }

 private:
  bool refill();

  std::string path_;
  TextLimits limits_;
  InputFile input_;
  std::vector<char> block_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string line_;
  std::size_t number_ = 0;
};

/// Whether all of the text is a finite number, which does not become 0 by underflow.
[[nodiscard]] bool is_number(std::string_view text, double& value);

/// Such a number, or an InvalidArgument "where: name = 'text', need a finite number that a double can hold".
[[nodiscard]] double parse_number(std::string_view text, std::string_view where, std::string_view name);

}  // namespace doeblin::io
