// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>

/// NPY files, byte by byte.
namespace doeblin::test {

inline std::string npy(const std::string& header, const std::string& data, char version = 1) {
  std::string text = std::string("\x93NUMPY") + version + '\0';
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  // Later versions have four bytes for the length.
  if (version > 1) text += std::string(2, '\0');
  return text + header + data;
}

template <typename Number>
std::string bytes(std::initializer_list<Number> numbers) {
  std::string text(numbers.size() * sizeof(Number), '\0');
  std::memcpy(text.data(), numbers.begin(), text.size());
  return text;
}

}  // namespace doeblin::test
