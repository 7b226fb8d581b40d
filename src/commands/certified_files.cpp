// SPDX-License-Identifier: Apache-2.0
#include "commands/certified_files.hpp"

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/issuing/issue.hpp"

namespace doeblin::commands {

using certificate::Certificate;
using certificate::Input;

void require_certified_files(const Certificate& certificate) {
  const std::vector<Input> inputs = certificate::inputs_of(certificate.program);
  if (inputs.size() != certificate.inputs.size()) throw InvalidArgument("other files are named than are used");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] != certificate.inputs[i])
      throw InvalidArgument(
          fmt::format("the file {} is another one than was certified", printable_path(certificate.inputs[i].path)));
}

std::string without_content(const Certificate& certificate, std::string_view message) {
  if (certificate.inputs.empty()) return std::string(message);
  constexpr const char* kNotFit = "not what the expression needs there (what it contains is not shown)";
  for (const Input& input : certificate.inputs) {
    const std::size_t found = message.find(input.path);
    if (found == std::string_view::npos) continue;
    // "path:line: what is wrong"
    std::string_view line = message.substr(found + input.path.size());
    line = line.starts_with(':') ? line.substr(0, line.find_first_not_of("0123456789", 1)) : "";
    return fmt::format("{}{}: {}", printable_path(input.path), line.size() > 1 ? line : "", kNotFit);
  }
  return fmt::format("the files that are named: {}", kNotFit);
}

}  // namespace doeblin::commands
