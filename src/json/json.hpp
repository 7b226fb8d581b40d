// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "doeblin/core/bracket.hpp"
#include "doeblin/core/derivation.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/types.hpp"

/// JSON as every file and every report writes and reads it: exact doubles, infinity as the string "inf", fields in the
/// order in which they were written.
namespace doeblin {

using Json = nlohmann::ordered_json;

/// A number, "inf" or "-inf".
[[nodiscard]] Json json_number(double x);
/// {"lower": x, "upper": y}
[[nodiscard]] Json json_bracket(const Bracket& x);
/// As people read it, and as it is: {"decimal": 1.5, "hexadecimal": "0x1.8p+0"}
[[nodiscard]] Json json_exact(double x);
/// {"lower": {...}, "upper": {...}}, both exact
[[nodiscard]] Json json_exact_bracket(const Bracket& x);
/// {"stage": ..., "source": ..., "statement": ..., "assumptions": [...]}
[[nodiscard]] Json json_step(const Step& step);
/// Indented, with a line for each value. Texts may not be UTF-8; such bytes are replaced rather than refused.
[[nodiscard]] std::string dumped(const Json& json);
/// The same on one line.
[[nodiscard]] std::string dumped_on_one_line(const Json& json);

/// A document that is not JSON, or not what was expected of it.
class JsonError : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

inline constexpr int kDeepestJson = 148;

/// A document without repeated keys, and not nested too deeply to be walked.
/// Errors   JsonError
[[nodiscard]] Json parsed_json(std::string_view text);

/// A value of a document with the way to it, for errors: "/claim/values/0: need ...".
class JsonField {
 public:
  /// The whole document, which must outlive it.
  explicit JsonField(const Json& json) : JsonField(json, "") {}

  /// Errors   JsonError, here and below, unless it is such a value
  [[nodiscard]] JsonField operator[](const char* key) const;
  [[nodiscard]] std::vector<JsonField> elements(std::size_t most = 100'000) const;
  [[nodiscard]] std::vector<std::pair<std::string, JsonField>> members() const;

  [[nodiscard]] bool is_null() const { return json_->is_null(); }
  [[nodiscard]] bool is_text() const { return json_->is_string(); }
  [[nodiscard]] bool is_list() const { return json_->is_array(); }
  [[nodiscard]] bool is_object() const { return json_->is_object(); }
  [[nodiscard]] bool has(const char* key) const { return json_->is_object() && json_->contains(key); }

  /// Without characters that would steer a terminal on which it is shown.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string any_text() const;
  [[nodiscard]] bool flag() const;
  /// From 0 to 2^53.
  [[nodiscard]] double integer() const;
  /// What json_number() wrote.
  [[nodiscard]] double number() const;
  [[nodiscard]] Bracket bracket() const;
  /// What json_exact() wrote: the hexadecimal form decides. That the decimal one agrees is seen when the whole is
  /// written again.
  [[nodiscard]] double exact() const;
  [[nodiscard]] Bracket exact_bracket() const;
  [[nodiscard]] Relation relation() const;
  /// Long lists: finite numbers, and texts of any kind.
  [[nodiscard]] std::vector<double> numbers() const;
  [[nodiscard]] std::vector<std::string> any_texts() const;

  [[noreturn]] void fail(const std::string& need) const;

 private:
  JsonField(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}

  const Json* json_;
  std::string path_;
};

}  // namespace doeblin
