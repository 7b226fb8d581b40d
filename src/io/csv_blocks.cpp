// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/csv_blocks.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/io/csv_fields.hpp"

namespace doeblin::io {
namespace {

// Where the first `most` lines end that are not blank.
std::size_t end_of_rows(std::string_view text, std::size_t most) {
  std::string_view rest = text;
  std::size_t rows = 0;
  for (std::string_view line; rows < most && next_line(rest, line);)
    if (!line.empty()) ++rows;
  return text.size() - rest.size();
}

}  // namespace

BlockReader::BlockReader(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  descriptor_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0)
    throw InvalidArgument("input", fmt::format("'{}'", path),
                          fmt::format("a file that can be read ({})", std::strerror(errno)));
  if (S_ISDIR(status.st_mode)) throw InvalidArgument("input", fmt::format("'{}'", path), "a file, not a folder");
}

BlockReader::~BlockReader() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

void BlockReader::refill() {
  waiting_.erase(0, begin_);
  begin_ = 0;
  const std::size_t before = waiting_.size();
  waiting_.resize(before + kBlock);
  ssize_t count = 0;
  do {
    count = read(descriptor_, waiting_.data() + before, kBlock);
  } while (count < 0 && errno == EINTR);
  if (count < 0) throw InvalidArgument(fmt::format("{}: cannot be read ({})", name_, std::strerror(errno)));
  waiting_.resize(before + static_cast<std::size_t>(count));
  is_at_end_ = count == 0;
  bytes_ += static_cast<std::uint64_t>(count);
}

std::string BlockReader::first_line() {
  std::size_t end = waiting_.find('\n');
  while (end == std::string::npos && !is_at_end_ && waiting_.size() <= kBlock) {
    refill();
    end = waiting_.find('\n');
  }
  if (end == std::string::npos && !is_at_end_)
    throw InvalidArgument(fmt::format("{}:1: a line of more than {} bytes", name_, kBlock));
  std::string line = waiting_.substr(0, end);
  waiting_.erase(0, end == std::string::npos ? waiting_.size() : end + 1);
  ++lines_;
  if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line.empty()) throw InvalidArgument(fmt::format("{}:1: no header, need the names of the columns", name_));
  return line;
}

bool BlockReader::next(std::string& block, std::size_t most_rows) {
  while (waiting_.size() - begin_ < kBlock && !is_at_end_) refill();
  const std::string_view rest = std::string_view(waiting_).substr(begin_);
  const std::size_t end = is_at_end_ && rest.size() <= kBlock ? rest.size() : rest.rfind('\n', kBlock) + 1;
  if (end == 0 && !rest.empty())
    throw InvalidArgument(fmt::format("{}:{}: a line of more than {} bytes", name_, lines_ + 1, kBlock));
  block = rest.substr(0, most_rows < end ? end_of_rows(rest.substr(0, end), most_rows) : end);
  lines_ += static_cast<std::uint64_t>(std::count(block.begin(), block.end(), '\n'));
  begin_ += block.size();
  return !is_at_end_ || begin_ < waiting_.size();
}

}  // namespace doeblin::io
