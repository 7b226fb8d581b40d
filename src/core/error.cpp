// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/error.hpp"

#include <fmt/format.h>

namespace doeblin {
namespace {

// What the caller wrote may contain line breaks; a message is one line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

}  // namespace

InvalidArgument::InvalidArgument(std::string_view parameter, double value, std::string_view constraint)
    : InvalidArgument(parameter, fmt::format("{}", value), constraint) {}

InvalidArgument::InvalidArgument(std::string_view parameter, std::string_view value, std::string_view constraint)
    : Error(one_line(fmt::format("{} = {}, need {}", parameter, value, constraint))) {}

InvalidArgument InvalidArgument::within(std::string_view context) const {
  return InvalidArgument(fmt::format("{}: {}", context, what()));
}

}  // namespace doeblin
