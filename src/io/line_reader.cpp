// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/line_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin::io {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

}  // namespace

LineReader::LineReader(const std::string& path, const TextLimits& limits, const char* parameter)
    : path_(path), limits_(limits), input_(open_input(path, limits.file, parameter)), block_(kBlock) {}

bool LineReader::refill() {
  input_.stream.read(block_.data(), static_cast<std::streamsize>(block_.size()));
  begin_ = 0;
  end_ = static_cast<std::size_t>(input_.stream.gcount());
  return end_ > 0;
}

bool LineReader::next_raw(std::string_view& line) {
  line_.clear();
  bool is_empty = true;
  while (true) {
    if (begin_ == end_ && !refill()) break;
    if (is_empty) ++number_;
    is_empty = false;
    const char* const first = block_.data() + begin_;
    const auto* const newline = static_cast<const char*>(std::memchr(first, '\n', end_ - begin_));
    const std::size_t length = newline ? static_cast<std::size_t>(newline - first) : end_ - begin_;
    if (line_.size() + length > limits_.line)
      throw InvalidArgument(fmt::format("{}: line too long, need at most {} KiB", where(), limits_.line >> 10));
    begin_ += length + (newline ? 1 : 0);
    // A line within one block is not copied.
    if (newline && line_.empty()) {
      line = trimmed({first, length});
      return true;
    }
    line_.append(first, length);
    if (newline) break;
  }
  line = trimmed(line_);
  return !is_empty;
}

bool LineReader::next(std::string_view& line, char comment) {
  while (next_raw(line))
    if (!line.empty() && line.front() != comment) return true;
  return false;
}

std::string LineReader::where() const { return fmt::format("{}:{}", path_, number_); }

bool is_number(std::string_view text, double& value) {
  const auto parsed = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !std::isfinite(value)) return false;
  // 1e-400 is not 0: a probability that is lost would make two laws disjoint.
  return value != 0.0 || text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == std::string_view::npos;
}

double parse_number(std::string_view text, std::string_view where, std::string_view name) {
  double value = 0.0;
  if (!is_number(text, value))
    throw InvalidArgument(
        fmt::format("{}: {} = '{}', need a finite number that a double can hold", where, name, printable(text)));
  return value;
}

}  // namespace doeblin::io
