// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "certificate/certificate_json.hpp"
#include "certificate/setting_names.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/core/words.hpp"
#include "doeblin/pipeline/schedule_file.hpp"
#include "doeblin/pipeline/syntax.hpp"

namespace doeblin::certificate {
namespace {

constexpr int kDeepest = 2 * pipeline::kDeepestNesting + 20;
constexpr std::uintmax_t kLargestFile = 64U << 20U;
constexpr double kMostRecords = 0x1p53;

constexpr std::size_t kLongestList = 100'000;

// C0, DEL and, in UTF-8, C1.
bool has_control_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7f) return true;
    if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) return true;
  }
  return false;
}

/// A value of the document with the way to it, for errors.
class Field {
 public:
  Field(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}

  [[nodiscard]] Field operator[](const char* key) const {
    if (!json_->is_object() || !json_->contains(key)) fail(fmt::format("a field '{}'", key));
    return {(*json_)[key], path_ + "/" + key};
  }

  [[nodiscard]] std::vector<Field> elements(std::size_t most = kLongestList) const {
    if (!json_->is_array()) fail("a list");
    if (json_->size() > most) fail(fmt::format("a list of at most {} elements", most));
    std::vector<Field> list;
    for (std::size_t i = 0; i < json_->size(); ++i) list.emplace_back((*json_)[i], fmt::format("{}/{}", path_, i));
    return list;
  }

  [[nodiscard]] std::vector<std::pair<std::string, Field>> members() const {
    if (!json_->is_object()) fail("an object");
    std::vector<std::pair<std::string, Field>> list;
    for (const auto& [key, value] : json_->items()) list.emplace_back(key, Field(value, path_ + "/" + key));
    return list;
  }

  [[nodiscard]] bool is_null() const { return json_->is_null(); }
  [[nodiscard]] bool has(const char* key) const { return json_->is_object() && json_->contains(key); }
  [[nodiscard]] bool is_text() const { return json_->is_string(); }

  [[nodiscard]] std::string text() const {
    if (!json_->is_string()) fail("a text");
    auto text = json_->get<std::string>();
    // Texts are shown on terminals, which such characters would steer.
    if (has_control_characters(text)) fail("a text without control characters");
    return text;
  }

  [[nodiscard]] double integer() const {
    if (!json_->is_number_unsigned()) fail("a whole number");
    const double x = json_->get<double>();
    if (!(x <= kMostRecords)) fail("a number up to 2^53");
    return x;
  }

  /// The hexadecimal form decides; that the decimal one agrees is seen when the whole is written again.
  [[nodiscard]] double number() const {
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

  [[nodiscard]] Bracket bracket() const {
    const double lower = (*this)["lower"].number();
    const double upper = (*this)["upper"].number();
    if (!(lower <= upper)) fail("lower <= upper");
    return {lower, upper};
  }

  [[noreturn]] void fail(const std::string& need) const {
    throw InvalidArgument(fmt::format("{}: need {}", path_.empty() ? "the whole" : printable(path_), need));
  }

 private:
  const Json* json_;
  std::string path_;
};

template <typename Value, std::size_t count>
Value chosen(const Field& field, const Words<Value, count>& words) {
  const std::string text = field.text();
  if (const auto found = words.value_of(text)) return *found;
  field.fail("another value than '" + printable(text) + "'");
}

// Epsilon at a delta, or delta at an epsilon.
struct Question {
  bool is_epsilon;
  double at;
};

Question question_from(const Field& field) {
  const std::string quantity = field["quantity"].text();
  if (quantity != "epsilon" && quantity != "delta") field["quantity"].fail("'epsilon' or 'delta'");
  const bool is_epsilon = quantity == "epsilon";
  const Field at = field[is_epsilon ? "delta" : "epsilon"];
  const double x = at.number();
  if (!(x >= 0.0 && (!is_epsilon || x <= 1.0))) at.fail(is_epsilon ? "0 <= delta <= 1" : "epsilon >= 0");
  return {is_epsilon, x};
}

// An epsilon, or a probability.
Bracket value_from(const Field& field, bool is_epsilon) {
  const Bracket value = field.bracket();
  if (!(value.lower() >= 0.0 && (is_epsilon || value.upper() <= 1.0)))
    field.fail(is_epsilon ? "epsilon >= 0" : "0 <= delta <= 1");
  return value;
}

PersonPoint person_from(const Field& field, bool is_epsilon) {
  return {static_cast<std::size_t>(field["record"].integer()), value_from(field, is_epsilon)};
}

PeopleClaim people_from(const Field& field) {
  const auto [is_epsilon, at] = question_from(field);
  PeopleClaim people{.is_epsilon = is_epsilon,
                     .at = at,
                     .count = static_cast<std::size_t>(field["records"].integer()),
                     .worst = person_from(field["worst"], is_epsilon),
                     .best = person_from(field["best"], is_epsilon),
                     .median = field["median"].number()};
  for (const Field& point : field["points"].elements()) people.points.push_back(person_from(point, is_epsilon));
  return people;
}

pipeline::Argument argument_from(const Field& field) {
  return field.is_text() ? pipeline::Argument(field.text()) : pipeline::Argument(field.number());
}

pipeline::Program program_from(const Field& field) {
  using pipeline::Program;
  if (field.has("call")) {
    Program program{.call = {.name = field["call"].text()}};
    for (const auto& [parameter, value] : field["arguments"].members())
      program.call.arguments.emplace_back(parameter, argument_from(value));
    return program;
  }
  const bool is_pipe = field.has("pipe");
  Program program{.kind = is_pipe ? Program::Kind::kPipe : Program::Kind::kSum};
  for (const Field& part : field[is_pipe ? "pipe" : "sum"].elements()) program.parts.push_back(program_from(part));
  if (program.parts.size() < 2) field.fail("at least two parts");
  return program;
}

std::shared_ptr<const pipeline::Schedule> schedule_from(const Field& field) {
  if (field.is_null()) return nullptr;
  pipeline::Schedule schedule;
  for (const auto& [column, list] : kScheduleColumns)
    for (const Field& x : field[column].elements(pipeline::kMostScheduledSteps)) (schedule.*list).push_back(x.number());
  return std::make_shared<const pipeline::Schedule>(std::move(schedule));
}

pipeline::Settings settings_from(const Field& field) {
  pipeline::Settings settings;
  const auto accountant = pipeline::kAccountants.value_of(field["accountant"].text());
  if (!accountant) field["accountant"].fail(pipeline::kAccountants.listed());
  settings.accountant = *accountant;
  for (const auto& [name, member] : kGoalFields) settings.goal.*member = field["goal"][name].number();
  settings.schedule = schedule_from(field["schedule"]);
  return settings;
}

pipeline::Step step_from(const Field& field) {
  pipeline::Step step{
      .stage = field["stage"].text(), .source = field["source"].text(), .statement = field["statement"].text()};
  for (const Field& assumption : field["assumptions"].elements()) {
    const std::string status = assumption["status"].text();
    if (status != "checked" && status != "asserted") assumption["status"].fail("'checked' or 'asserted'");
    step.assumptions.push_back({assumption["text"].text(), status == "checked"});
  }
  return step;
}

// Where two documents differ first.
std::string difference(const Json& expected, const Json& found, const std::string& path = "") {
  if (expected.type() != found.type()) return path;
  if (expected.is_object()) {
    auto one = expected.begin();
    auto other = found.begin();
    for (; one != expected.end() && other != found.end(); ++one, ++other) {
      if (one.key() != other.key()) return path + "/" + other.key();
      if (*one != *other) return difference(*one, *other, path + "/" + one.key());
    }
    if (other != found.end()) return path + "/" + other.key();
    return one != expected.end() ? path + "/" + one.key() : path;
  }
  if (expected.is_array())
    for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i)
      if (expected[i] != found[i]) return difference(expected[i], found[i], fmt::format("{}/{}", path, i));
  return path;
}

// A document without repeated keys, and not nested too deeply to be walked.
Json parsed(std::string_view text) {
  // The parser would take it for the end.
  if (text.find('\0') != std::string_view::npos) throw InvalidArgument("a byte that is 0");
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kDeepest) throw InvalidArgument("nested too deeply");
    if (event == Json::parse_event_t::object_start) {
      keys.resize(static_cast<std::size_t>(depth) + 1);
      keys.emplace_back();
    }
    if (event == Json::parse_event_t::key) {
      keys.resize(static_cast<std::size_t>(depth) + 1);
      const auto key = value.get<std::string>();
      if (!keys.back().insert(key).second)
        throw InvalidArgument("the field '" + printable(key) + "' stands there twice");
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::parse_error& error) {
    throw InvalidArgument(fmt::format("byte {}: not JSON", error.byte));
  } catch (const Json::exception&) {
    throw InvalidArgument("not JSON that can be read");
  }
}

}  // namespace

Certificate certificate_from(const Json& json) {
  const Field whole(json, "");
  if (whole["format"].text() != kFormat) whole["format"].fail(std::string("'") + kFormat + "'");
  if (whole["format_version"].integer() != kFormatVersion)
    whole["format_version"].fail(fmt::format("{}, the version that this program knows", kFormatVersion));
  Certificate certificate{.software_version = whole["software"]["version"].text(),
                          .kind = chosen(whole["kind"], kKinds)};
  if (!whole["void"].is_null()) {
    certificate.void_because = whole["void"].text();
    if (certificate.void_because != kSeeded) whole["void"].fail("null, or the reason that it was drawn from a seed");
  }
  const Field claim = whole["claim"];
  certificate.relation = chosen(claim["relation"], kRelations);
  for (const Field& one : claim["values"].elements()) {
    const auto [is_epsilon, at] = question_from(one);
    certificate.claims.push_back({is_epsilon, at, value_from(one, is_epsilon)});
  }
  for (const Field& point : claim["curve"].elements()) {
    const double epsilon = point["epsilon"].number();
    if (!(epsilon >= 0.0)) point["epsilon"].fail("epsilon >= 0");
    certificate.curve.push_back({epsilon, value_from(point["delta"], false)});
  }
  if (!claim["people"].is_null()) certificate.people = people_from(claim["people"]);
  certificate.program = program_from(whole["program"]);
  if (certificate.kind != Kind::kRelease &&
      pipeline::program_of(pipeline::text_of(certificate.program)) != certificate.program)
    whole["program"].fail("what its expression says");
  certificate.settings = settings_from(whole["settings"]);
  for (const Field& step : whole["derivation"].elements()) certificate.derivation.push_back(step_from(step));
  for (const Field& input : whole["inputs"].elements())
    certificate.inputs.push_back({input["path"].text(), input["sha256"].text()});
  for (const auto& [name, value] : whole["details"].members())
    certificate.details.push_back({name, argument_from(value)});
  return certificate;
}

Certificate read_certificate(const std::string& name, std::string_view text) {
  try {
    const Json found = parsed(text);
    Certificate certificate = certificate_from(found);
    // Whatever is not exactly what this certificate would be written as has been changed.
    const Json expected = parsed(text_of(certificate));
    if (expected != found) {
      const std::string path = difference(expected, found);
      throw InvalidArgument(path.starts_with("/seal")
                                ? "/seal: does not fit, the certificate was changed after it was written"
                                : printable(path) + ": does not fit the rest of the certificate");
    }
    return certificate;
  } catch (const InvalidArgument& error) {
    throw error.within(printable_path(name));
  }
}

Certificate read_certificate_file(const std::string& path) {
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(path, error);
  if (!is_file)
    throw InvalidArgument("certificate", fmt::format("'{}'", printable_path(path)), "a file that can be read");
  if (std::filesystem::file_size(path, error) > kLargestFile || error)
    throw InvalidArgument("certificate", fmt::format("'{}'", printable_path(path)), "a file of at most 64 MiB");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw InvalidArgument("certificate", fmt::format("'{}'", printable_path(path)), "a file that can be read");
  return read_certificate(path, text.str());
}

}  // namespace doeblin::certificate
