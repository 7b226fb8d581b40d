// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/part_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin {
namespace {

constexpr std::string_view kPartEnding = ".part";
constexpr std::size_t kPartDigits = 16;
// Two names of 64 random bits are hardly ever the same.
constexpr int kPartAttempts = 100;

}  // namespace

std::string part_name(const std::string& path) {
  std::uint64_t number = 0;
  ensure(getrandom(&number, sizeof(number), 0) == sizeof(number), "the system has random numbers");
  return fmt::format("{}.{:016x}{}", path, number, kPartEnding);
}

bool is_part_of(std::string_view name, std::string_view file) {
  if (name.size() != file.size() + 1 + kPartDigits + kPartEnding.size()) return false;
  const std::string_view digits = name.substr(file.size() + 1, kPartDigits);
  return name.starts_with(file) && name[file.size()] == '.' && name.ends_with(kPartEnding) &&
         digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

PartFile create_part(const std::string& path) {
  PartFile part;
  for (int attempt = 0; attempt < kPartAttempts; ++attempt) {
    part.path = part_name(path);
    part.descriptor = open(part.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (part.descriptor >= 0 || errno != EEXIST) break;
  }
  return part;
}

}  // namespace doeblin
