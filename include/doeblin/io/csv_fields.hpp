// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace doeblin::io {

/// Takes the next line off `rest`, without its end (LF or CRLF) and without blanks around it; false at the end.
bool next_line(std::string_view& rest, std::string_view& line);

/// The fields of one line, separated by commas. A field in quotes may contain commas, and quotes written twice.
class FieldReader {
 public:
  explicit FieldReader(std::string_view line) : rest_(line) {}

  /// The next field as it is written, quotes included, without blanks around it; false if there is none.
  bool next(std::string_view& field);
  /// The next field if it is a finite number, with nothing around it; otherwise false, and the field is still the next.
  bool next_plain_number(double& value);
  [[nodiscard]] bool is_at_end() const { return is_at_end_; }
  /// Why there is no next field.
  [[nodiscard]] const char* problem() const { return problem_; }

 private:
  bool next_quoted(std::string_view& field);

  std::string_view rest_;
  bool is_at_end_ = false;
  const char* problem_ = "missing, the line ends before it";
};

/// What the field says: without quotes around it, and with one for two inside.
[[nodiscard]] std::string unquoted(std::string_view field);

/// Whether the field, with or without quotes, is a finite number.
[[nodiscard]] bool parse_number(std::string_view field, double& value);

/// The names in the header, without quotes; `raw` as they are written.
/// Errors   InvalidArgument with "file:1"
[[nodiscard]] std::vector<std::string> split_header(const std::string& line, const std::string& file,
                                                    std::vector<std::string>& raw);

}  // namespace doeblin::io
