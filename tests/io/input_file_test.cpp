// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/input_file.hpp"

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::io {
namespace {

using test::TemporaryFile;

std::string refusal_of(const std::string& path, std::uintmax_t most) {
  try {
    (void)read_whole(path, most, "plan");
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

TEST(InputFile, EverythingIsReadAsItIs) {
  const std::string content("one\r\n\0two", 9);
  const TemporaryFile file("input", content);
  EXPECT_EQ(read_whole(file.path(), 9, "plan"), content);
  EXPECT_EQ(open_input(file.path(), 9, "plan").size, 9U);
  EXPECT_EQ(read_whole(TemporaryFile("empty", "").path(), 9, "plan"), "");
}

TEST(InputFile, WhatIsNoFileOrTooLargeIsRefused) {
  constexpr std::uintmax_t kMost = 1U << 20U;
  EXPECT_EQ(refusal_of("/nowhere/a", kMost), "plan = '/nowhere/a', need an existing regular file");
  EXPECT_EQ(refusal_of("/tmp", kMost), "plan = '/tmp', need an existing regular file");
  EXPECT_EQ(refusal_of("/dev/zero", kMost), "plan = '/dev/zero', need an existing regular file");
  const TemporaryFile file("large", std::string(kMost + 1, 'a'));
  EXPECT_EQ(refusal_of(file.path(), kMost), "plan = '" + file.path() + "', need a file of at most 1 MiB");
  EXPECT_EQ(refusal_of(file.path(), kMost + 1), "");
}

}  // namespace
}  // namespace doeblin::io
