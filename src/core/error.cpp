// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/error.hpp"

#include <fmt/format.h>

namespace doeblin {

InvalidArgument::InvalidArgument(std::string_view parameter, double value, std::string_view constraint)
    : InvalidArgument(parameter, fmt::format("{}", value), constraint) {}

InvalidArgument::InvalidArgument(std::string_view parameter, std::string_view value, std::string_view constraint)
    : Error(fmt::format("{} = {}, need {}", parameter, value, constraint)) {}

InvalidArgument InvalidArgument::within(std::string_view context) const {
  return InvalidArgument(fmt::format("{}: {}", context, what()));
}

}  // namespace doeblin
