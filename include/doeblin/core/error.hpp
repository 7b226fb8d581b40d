// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "doeblin/core/sentence.hpp"

namespace doeblin {

/// Base of everything this library throws.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller asked something that has no answer. The message is one line that names the parameter, its value and
/// the constraint, for example "gaussian: sigma = -1, need sigma > 0".
class InvalidArgument : public Error {
 public:
  explicit InvalidArgument(const Sentence& message);
  InvalidArgument(const Sentence& parameter, double value, const Sentence& constraint);
  InvalidArgument(const Sentence& parameter, const Sentence& value, const Sentence& constraint);

  /// The same mistake, reported as "context: message".
  [[nodiscard]] InvalidArgument within(const Sentence& context) const;

  /// what() is its text, where options have their own names; whoever is asked otherwise spells them otherwise.
  [[nodiscard]] const Sentence& message() const { return *message_; }

 private:
  std::shared_ptr<const Sentence> message_;
};

/// An invariant of this library does not hold: a bug here, never the caller's mistake.
class InternalError : public Error {
 public:
  using Error::Error;
};

/// What is thrown is made out of line: inner loops check, and would pay for its strings on their stack.
[[noreturn]] void throw_invalid_argument(std::string_view parameter, double value, std::string_view constraint);
[[noreturn]] void throw_invalid_argument(Option option, double value, std::string_view constraint);
[[noreturn]] void throw_internal_error(const char* invariant);

/// Throws InvalidArgument unless `holds`. Write the condition positively (`x > 0`), so that NaN fails.
inline void require(bool holds, std::string_view parameter, double value, std::string_view constraint) {
  if (!holds) throw_invalid_argument(parameter, value, constraint);
}
inline void require(bool holds, Option option, double value, std::string_view constraint) {
  if (!holds) throw_invalid_argument(option, value, constraint);
}

/// Throws InternalError unless `holds`, in every build type.
inline void ensure(bool holds, const char* invariant) {
  if (!holds) throw_internal_error(invariant);
}

}  // namespace doeblin
