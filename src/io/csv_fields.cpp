// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/csv_fields.hpp"

#include <cmath>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::io {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view without_quotes(std::string_view field) {
  return field.size() >= 2 && field.front() == '"' ? field.substr(1, field.size() - 2) : field;
}

}  // namespace

bool next_line(std::string_view& rest, std::string_view& line) {
  if (rest.empty()) return false;
  const std::size_t end = rest.find('\n');
  line = trimmed(rest.substr(0, end));
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return true;
}

bool FieldReader::next(std::string_view& field) {
  if (is_at_end_) return false;
  while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  if (!rest_.empty() && rest_.front() == '"') return next_quoted(field);
  const std::size_t comma = rest_.find(',');
  field = trimmed(rest_.substr(0, comma));
  is_at_end_ = comma == std::string_view::npos;
  if (!is_at_end_) rest_.remove_prefix(comma + 1);
  return true;
}

bool FieldReader::next_quoted(std::string_view& field) {
  std::size_t end = rest_.find('"', 1);
  while (end != std::string_view::npos && end + 1 < rest_.size() && rest_[end + 1] == '"')
    end = rest_.find('"', end + 2);
  if (end == std::string_view::npos) {
    problem_ = "a quote that does not end in its line";
    return false;
  }
  field = rest_.substr(0, end + 1);
  rest_.remove_prefix(end + 1);
  while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  is_at_end_ = rest_.empty();
  if (!is_at_end_ && rest_.front() != ',') {
    problem_ = "text after a closing quote";
    return false;
  }
  if (!is_at_end_) rest_.remove_prefix(1);
  return true;
}

bool FieldReader::next_plain_number(double& value) {
  if (is_at_end_) return false;
  const char* const end = rest_.data() + rest_.size();
  const auto [stopped, error] = fast_float::from_chars(rest_.data(), end, value);
  if (error != std::errc() || (stopped != end && *stopped != ',') || !std::isfinite(value)) return false;
  is_at_end_ = stopped == end;
  rest_.remove_prefix(static_cast<std::size_t>(stopped - rest_.data()) + (is_at_end_ ? 0 : 1));
  return true;
}

std::string unquoted(std::string_view field) {
  const std::string_view plain = without_quotes(field);
  if (plain.size() == field.size()) return std::string(field);
  std::string text;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    text += plain[i];
    if (plain[i] == '"') ++i;
  }
  return text;
}

bool parse_number(std::string_view field, double& value) {
  field = trimmed(without_quotes(field));
  if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
  const char* end = field.data() + field.size();
  const auto [stopped, error] = fast_float::from_chars(field.data(), end, value);
  return error == std::errc() && stopped == end && std::isfinite(value);
}

std::vector<std::string> split_header(const std::string& line, const std::string& file, std::vector<std::string>& raw) {
  FieldReader fields(line);
  std::vector<std::string> names;
  std::string_view field;
  while (!fields.is_at_end()) {
    if (!fields.next(field)) throw InvalidArgument(fmt::format("{}:1: {}", file, fields.problem()));
    raw.emplace_back(field);
    std::string name = unquoted(field);
    if (name.empty()) throw InvalidArgument(fmt::format("{}:1: column {} has no name", file, names.size() + 1));
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace doeblin::io
