// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

/// An expression as plain data. Parser, plans, Python, training and certificates build one; evaluation, verification,
/// audits and printing read it.
namespace doeblin::language {

/// An argument that `calibrate` solves for, written '?'.
struct Hole {
  friend bool operator==(const Hole&, const Hole&) = default;
};

/// Something in memory that the language has no words for, such as a matrix or a function.
class Object {
 public:
  /// `text` is what derivations call it.
  template <typename T>
  Object(std::shared_ptr<const T> value, std::string text)
      : value_(std::move(value)), type_(&typeid(T)), text_(std::move(text)) {}

  /// Null unless it is one.
  template <typename T>
  [[nodiscard]] std::shared_ptr<const T> as() const {
    return *type_ == typeid(T) ? std::static_pointer_cast<const T>(value_) : nullptr;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

  friend bool operator==(const Object& a, const Object& b) { return a.value_ == b.value_; }

 private:
  std::shared_ptr<const void> value_;
  const std::type_info* type_;
  std::string text_;
};

using Argument = std::variant<double, std::string, std::vector<double>, Hole, Object>;

/// One call of a source or a stage with every argument filled in, in the order of its schema.
struct Call {
  std::string name = {};
  std::vector<std::pair<std::string, Argument>> arguments = {};

  /// Errors   InternalError unless there is such a parameter
  [[nodiscard]] const Argument& argument(std::string_view parameter) const;
  /// Errors   InternalError unless there is such a number, or text; InvalidArgument for a hole or an object in its
  ///          place
  [[nodiscard]] double number(std::string_view parameter) const;
  [[nodiscard]] const std::string& text(std::string_view parameter) const;
  /// The list, or null where the argument is anything else.
  [[nodiscard]] const std::vector<double>* list(std::string_view parameter) const;
  /// The object, or null where the argument is anything else.
  template <typename T>
  [[nodiscard]] std::shared_ptr<const T> object(std::string_view parameter) const {
    const auto* const object = std::get_if<Object>(&argument(parameter));
    return object != nullptr ? object->as<T>() : nullptr;
  }

  /// The same call with another argument in this place.
  /// Errors   InternalError unless there is such a parameter
  [[nodiscard]] Call with(std::string_view parameter, Argument value) const;

  friend bool operator==(const Call&, const Call&) = default;
};

struct Program {
  enum class Kind {
    kCall,  ///< one source or stage
    kPipe,  ///< the first part piped through the others
    kSum,   ///< all parts are released
  };
  Kind kind = Kind::kCall;
  Call call = {};                   ///< kCall
  std::vector<Program> parts = {};  ///< kPipe, kSum: at least two

  friend bool operator==(const Program&, const Program&) = default;
};

/// One argument of one call.
struct ArgumentPlace {
  const Call* call;
  std::string parameter;
};

/// The arguments that are open, from left to right.
[[nodiscard]] std::vector<ArgumentPlace> holes_of(const Program& program);
/// The program with this number in every hole.
[[nodiscard]] Program filled(Program program, double value);

/// Whether the expression language can write it: no object, and no list that is longer than an expression may be.
[[nodiscard]] bool has_words(const Program& program);

/// An expression with exact numbers and every argument: parse(text_of(p)) is p.
/// Errors   InvalidArgument for what the language cannot write: objects, a text with both kinds of quotes
[[nodiscard]] std::string text_of(const Program& program);

/// The same without arguments that have their default.
/// Errors   InvalidArgument as above
[[nodiscard]] std::string short_text(const Program& program);

/// The same for people: lists and objects are only mentioned.
[[nodiscard]] std::string brief_text(const Program& program);
[[nodiscard]] std::string brief_text(const Call& call);

/// As a line of a derivation writes it: the same with arguments that every line shows, and long lists of steps only
/// mentioned.
[[nodiscard]] std::string line_text(const Program& program);
[[nodiscard]] std::string line_text(const Call& call);

/// left | right in one chain, and left + right in one sum, as far as (a | b) | c and (a + b) + c go.
[[nodiscard]] Program piped(Program left, Program right);
[[nodiscard]] Program added(Program left, Program right);

}  // namespace doeblin::language
