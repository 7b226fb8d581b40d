// SPDX-License-Identifier: Apache-2.0
#include "training/text_lines.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "doeblin/io/csv_fields.hpp"

namespace doeblin::training {

TextLines::TextLines(const std::string& path) : reader_(path) {
  struct stat status = {};
  const int failed = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status);
  if (failed == 0 && S_ISREG(status.st_mode)) bytes_total_ = static_cast<std::uint64_t>(status.st_size);
}

std::string TextLines::first_line() {
  ++number_;
  return reader_.first_line();
}

bool TextLines::next(std::string_view& line) {
  while (!io::next_line(rest_, line)) {
    if (!is_more_) return false;
    is_more_ = reader_.next(block_);
    rest_ = block_;
  }
  ++number_;
  return true;
}

std::string TextLines::where() const { return fmt::format("{}:{}", name(), number_); }

}  // namespace doeblin::training
