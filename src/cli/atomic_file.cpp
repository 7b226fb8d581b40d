// SPDX-License-Identifier: Apache-2.0
#include "cli/atomic_file.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin::cli {

void write_atomically(const std::string& option, const std::string& path,
                      const std::function<void(std::ostream&)>& write) {
  const std::string unfinished = fmt::format("{}.{}.part", path, getpid());
  const auto fail = [&] {
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    throw InvalidArgument(option, fmt::format("'{}'", path), "a file that can be written");
  };
  {
    std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
    if (!file) fail();
    write(file);
    file.flush();
    if (!file) fail();
  }
  std::error_code error;
  std::filesystem::rename(unfinished, path, error);
  if (error) fail();
}

}  // namespace doeblin::cli
