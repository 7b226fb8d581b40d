// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace doeblin::language {

/// How the beginning of an expression may go on, for completion in a shell.
struct Continuation {
  /// Bytes of the text that stay; the rest is the beginning of what comes next.
  std::size_t kept = 0;
  /// What comes next may be one of these: the names of sources, stages or parameters, or the words of a choice.
  std::vector<std::string> words = {};
  /// It is the name of a file, after its opening quote.
  bool is_file = false;
};

/// Whether a pipeline is being written, or kernels, for `mix`.
enum class Written { kPipeline, kKernels };

/// Only words that begin as the text ends. Never an error, whatever the text.
[[nodiscard]] Continuation continuation(std::string_view text, Written written = Written::kPipeline);

}  // namespace doeblin::language
