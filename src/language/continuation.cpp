// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/continuation.hpp"

#include <algorithm>
#include <cctype>

#include "doeblin/language/schema.hpp"

namespace doeblin::language {
namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A parenthesis that is open, and how far its arguments are.
struct Open {
  const Schema* call = nullptr;  // null for one around a pipeline, or of an unknown name
  std::size_t argument = 0;      // commas so far
  std::string keyword = {};      // before the '=' of this argument
  std::vector<std::string> given = {};
};

// Where a text stops.
struct Place {
  std::vector<Open> open;
  char quote = '\0';           // of a text that is open
  std::size_t word_begin = 0;  // of the text, or of the name at the end
  char before = '\0';          // the last sign before it, blanks aside
};

Place place_of(std::string_view text) {
  Place place;
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (place.quote != '\0') {
      if (c == place.quote) place.quote = '\0', place.word_begin = i + 1;
      continue;
    }
    if (is_of_name(c)) {
      name += c;
      continue;
    }
    if (c == '\'' || c == '"') {
      place.quote = c;
    } else if (c == '(' || c == '[') {
      place.open.push_back({.call = c == '(' ? find_schema(name) : nullptr});
    } else if ((c == ')' || c == ']') && !place.open.empty()) {
      place.open.pop_back();
    } else if (!place.open.empty() && c == ',') {
      ++place.open.back().argument;
      place.open.back().keyword.clear();
    } else if (!place.open.empty() && c == '=') {
      place.open.back().keyword = name;
      place.open.back().given.push_back(name);
    }
    place.word_begin = i + 1;
    if (c == ' ') continue;
    place.before = c;
    name.clear();
  }
  return place;
}

// The parameter whose value is being written, or null.
const Parameter* parameter_at(const Open& open) {
  if (open.call == nullptr) return nullptr;
  if (!open.keyword.empty()) return open.call->parameter(open.keyword);
  return open.argument < open.call->parameters.size() ? &open.call->parameters[open.argument] : nullptr;
}

std::vector<std::string> parameter_names(const Open& open) {
  std::vector<std::string> names;
  const std::vector<Parameter>& all = open.call->parameters;
  // Those before are given by their place, unless they have names.
  const std::size_t first = open.given.empty() ? std::min(open.argument, all.size()) : 0;
  for (std::size_t i = first; i < all.size(); ++i)
    if (std::find(open.given.begin(), open.given.end(), all[i].name) == open.given.end())
      names.push_back(all[i].name + "=");
  return names;
}

std::vector<std::string> calls(Written written, bool is_after_pipe) {
  std::vector<std::string> names;
  for (const Schema& schema : schemas()) {
    const bool fits = written == Written::kKernels ? schema.is_kernel() : schema.is_source() != is_after_pipe;
    if (fits) names.push_back(schema.name + "(");
  }
  return names;
}

std::vector<std::string> candidates(const Place& place, Written written) {
  if (place.open.empty() || place.open.back().call == nullptr) {
    const bool is_call_next = place.before == '\0' || place.before == '(' || place.before == '|' || place.before == '+';
    return is_call_next ? calls(written, place.before == '|') : std::vector<std::string>{};
  }
  const Open& open = place.open.back();
  if (open.keyword.empty() && place.quote == '\0') return parameter_names(open);
  const Parameter* const parameter = parameter_at(open);
  return parameter != nullptr ? parameter->choices : std::vector<std::string>{};
}

}  // namespace

Continuation continuation(std::string_view text, Written written) {
  const Place place = place_of(text);
  Continuation result{.kept = place.word_begin};
  if (place.quote != '\0' && !place.open.empty()) {
    const Parameter* const parameter = parameter_at(place.open.back());
    result.is_file = parameter != nullptr && parameter->type == Type::kFile;
  }
  if (result.is_file) return result;
  const std::string_view begun = text.substr(place.word_begin);
  for (std::string& word : candidates(place, written))
    if (word.starts_with(begun) && !word.empty()) result.words.push_back(std::move(word));
  return result;
}

}  // namespace doeblin::language
