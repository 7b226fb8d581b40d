// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What options take, as help shows it and completion offers it: one of these names, choices such as a|b|c, or anything
/// else, for which nothing can be offered.
namespace doeblin::cli {

inline constexpr const char* kFile = "FILE";
inline constexpr const char* kFolder = "FOLDER";
inline constexpr const char* kPipeline = "PIPELINE";  ///< an expression, or the file of a plan
inline constexpr const char* kKernel = "KERNEL";      ///< kernels, or the file of one

/// "a|b|c" for a table of words.
template <typename Words>
[[nodiscard]] std::string one_of(const Words& words) {
  std::string text;
  for (const auto& one : words) text.append(text.empty() ? "" : "|").append(one.word);
  return text;
}

/// The words of "a|b|c"; none for any other form.
[[nodiscard]] std::vector<std::string> choices_of(std::string_view form);

}  // namespace doeblin::cli
