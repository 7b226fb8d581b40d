// SPDX-License-Identifier: Apache-2.0
#include "json/json.hpp"

#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "doeblin/core/text.hpp"

namespace doeblin {
namespace {

constexpr double kLargestInteger = 0x1p53;

// C0, DEL and, in UTF-8, C1.
bool has_control_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7f) return true;
    if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) return true;
  }
  return false;
}

}  // namespace

Json json_number(double x) {
  if (std::isinf(x)) return x > 0.0 ? "inf" : "-inf";
  return x;
}

Json json_bracket(const Bracket& x) { return {{"lower", json_number(x.lower())}, {"upper", json_number(x.upper())}}; }

Json json_exact(double x) { return {{"decimal", json_number(x)}, {"hexadecimal", fmt::format("{:a}", x)}}; }

Json json_exact_bracket(const Bracket& x) {
  return {{"lower", json_exact(x.lower())}, {"upper", json_exact(x.upper())}};
}

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

std::string dumped_on_one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json parsed_json(std::string_view text) {
  // The parser would take it for the end.
  if (text.find('\0') != std::string_view::npos) throw JsonError("a byte that is 0");
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kDeepestJson) throw JsonError("nested too deeply");
    if (event == Json::parse_event_t::object_start) {
      keys.resize(static_cast<std::size_t>(depth) + 1);
      keys.emplace_back();
    }
    if (event == Json::parse_event_t::key) {
      keys.resize(static_cast<std::size_t>(depth) + 1);
      const auto key = value.get<std::string>();
      if (!keys.back().insert(key).second) throw JsonError("the field '" + printable(key) + "' stands there twice");
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::parse_error& error) {
    throw JsonError(fmt::format("byte {}: not JSON", error.byte));
  } catch (const Json::exception&) {
    throw JsonError("not JSON that can be read");
  }
}

JsonField JsonField::operator[](const char* key) const {
  if (!has(key)) fail(fmt::format("a field '{}'", key));
  return {(*json_)[key], path_ + "/" + key};
}

std::vector<JsonField> JsonField::elements(std::size_t most) const {
  if (!json_->is_array()) fail("a list");
  if (json_->size() > most) fail(fmt::format("a list of at most {} elements", most));
  std::vector<JsonField> list;
  list.reserve(json_->size());
  for (std::size_t i = 0; i < json_->size(); ++i) list.push_back({(*json_)[i], fmt::format("{}/{}", path_, i)});
  return list;
}

std::vector<std::pair<std::string, JsonField>> JsonField::members() const {
  if (!json_->is_object()) fail("an object");
  std::vector<std::pair<std::string, JsonField>> list;
  for (const auto& [key, value] : json_->items()) list.emplace_back(key, JsonField(value, path_ + "/" + key));
  return list;
}

std::string JsonField::text() const {
  std::string text = any_text();
  if (has_control_characters(text)) fail("a text without control characters");
  return text;
}

std::string JsonField::any_text() const {
  if (!json_->is_string()) fail("a text");
  return json_->get<std::string>();
}

bool JsonField::flag() const {
  if (!json_->is_boolean()) fail("true or false");
  return json_->get<bool>();
}

double JsonField::integer() const {
  if (!json_->is_number_unsigned()) fail("a whole number");
  const double x = json_->get<double>();
  if (!(x <= kLargestInteger)) fail("a number up to 2^53");
  return x;
}

double JsonField::number() const {
  if (json_->is_number()) return json_->get<double>();
  const bool is_text = json_->is_string();
  if (is_text && json_->get_ref<const std::string&>() == "inf") return rounding::kInfinity;
  if (is_text && json_->get_ref<const std::string&>() == "-inf") return -rounding::kInfinity;
  fail("a number or \"inf\"");
}

Bracket JsonField::bracket() const {
  const double lower = (*this)["lower"].number();
  const double upper = (*this)["upper"].number();
  if (!(lower <= upper)) fail("lower <= upper");
  return {lower, upper};
}

double JsonField::exact() const {
  const std::string text = (*this)["hexadecimal"].text();
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("-0x");
  if (text != "inf" && text != "-inf" && !is_hexadecimal) fail("a hexadecimal number such as 0x1.8p+1");
  if (!is_hexadecimal) return text[0] == '-' ? -rounding::kInfinity : rounding::kInfinity;
  const bool is_negative = text[0] == '-';
  const char* const last = text.data() + text.size();
  double x = 0.0;
  const auto [end, error] = std::from_chars(text.data() + (is_negative ? 3 : 2), last, x, std::chars_format::hex);
  if (end != last || error != std::errc{} || !(x >= 0.0)) fail("a hexadecimal number such as 0x1.8p+1");
  return is_negative ? -x : x;
}

Bracket JsonField::exact_bracket() const {
  const double lower = (*this)["lower"].exact();
  const double upper = (*this)["upper"].exact();
  if (!(lower <= upper)) fail("lower <= upper");
  return {lower, upper};
}

Relation JsonField::relation() const {
  const std::string found = text();
  for (const Relation one : {Relation::kNeutral, Relation::kAddRemove, Relation::kSubstitute, Relation::kZeroOut})
    if (name(one) == found) return one;
  fail("another value than '" + printable(found) + "'");
}

std::vector<double> JsonField::numbers() const {
  if (!json_->is_array()) fail("a list");
  std::vector<double> list;
  list.reserve(json_->size());
  for (const Json& one : *json_) {
    if (!one.is_number()) fail("a list of numbers");
    list.push_back(one.get<double>());
  }
  return list;
}

std::vector<std::string> JsonField::any_texts() const {
  if (!json_->is_array()) fail("a list");
  std::vector<std::string> list;
  for (const Json& one : *json_) {
    if (!one.is_string()) fail("a list of texts");
    list.push_back(one.get<std::string>());
  }
  return list;
}

void JsonField::fail(const std::string& need) const {
  throw JsonError(fmt::format("{}: need {}", path_.empty() ? "the whole" : printable(path_), need));
}

Json json_step(const Step& step) {
  Json assumptions = Json::array();
  for (const Assumption& assumption : step.assumptions)
    assumptions.push_back({{"text", assumption.text}, {"status", assumption.checked ? "checked" : "asserted"}});
  return {{"stage", step.stage}, {"source", step.source}, {"statement", step.statement}, {"assumptions", assumptions}};
}

}  // namespace doeblin
