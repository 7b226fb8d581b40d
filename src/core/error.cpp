// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/error.hpp"

#include <fmt/format.h>

namespace doeblin {

InvalidArgument::InvalidArgument(const Sentence& message)
    : Error(message.text()), message_(std::make_shared<const Sentence>(message)) {}

InvalidArgument::InvalidArgument(const Sentence& parameter, double value, const Sentence& constraint)
    : InvalidArgument(parameter, fmt::format("{}", value), constraint) {}

// What the caller wrote may contain line breaks; a message is one line.
InvalidArgument::InvalidArgument(const Sentence& parameter, const Sentence& value, const Sentence& constraint)
    : InvalidArgument(Sentence{parameter, " = ", value, ", need ", constraint}.one_line()) {}

InvalidArgument InvalidArgument::within(const Sentence& context) const {
  return InvalidArgument(Sentence{context, ": ", message()});
}

void throw_invalid_argument(std::string_view parameter, double value, std::string_view constraint) {
  throw InvalidArgument(parameter, value, constraint);
}

void throw_invalid_argument(Option option, double value, std::string_view constraint) {
  throw InvalidArgument(option, value, constraint);
}

void throw_internal_error(const char* invariant) {
  throw InternalError(std::string("broken invariant: ") + invariant);
}

}  // namespace doeblin
