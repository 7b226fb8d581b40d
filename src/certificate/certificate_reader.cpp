// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "certificate/certificate_json.hpp"
#include "certificate/setting_names.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/core/words.hpp"
#include "doeblin/io/input_file.hpp"
#include "doeblin/language/schedule_file.hpp"
#include "doeblin/language/schema.hpp"

namespace doeblin::certificate {
namespace {

constexpr std::uintmax_t kLargestFile = 64U << 20U;

template <typename Value, std::size_t count>
Value chosen(const JsonField& field, const Words<Value, count>& words) {
  const std::string text = field.text();
  if (const auto found = words.value_of(text)) return *found;
  field.fail("another value than '" + printable(text) + "'");
}

// Epsilon at a delta, or delta at an epsilon.
struct Question {
  bool is_epsilon;
  double at;
};

Question question_from(const JsonField& field) {
  const std::string quantity = field["quantity"].text();
  if (quantity != "epsilon" && quantity != "delta") field["quantity"].fail("'epsilon' or 'delta'");
  const bool is_epsilon = quantity == "epsilon";
  const JsonField at = field[is_epsilon ? "delta" : "epsilon"];
  const double x = at.exact();
  if (!(x >= 0.0 && (!is_epsilon || x <= 1.0))) at.fail(is_epsilon ? "0 <= delta <= 1" : "epsilon >= 0");
  return {is_epsilon, x};
}

// An epsilon, or a probability.
Bracket value_from(const JsonField& field, bool is_epsilon) {
  const Bracket value = field.exact_bracket();
  if (!(value.lower() >= 0.0 && (is_epsilon || value.upper() <= 1.0)))
    field.fail(is_epsilon ? "epsilon >= 0" : "0 <= delta <= 1");
  return value;
}

PersonPoint person_from(const JsonField& field, bool is_epsilon) {
  return {static_cast<std::size_t>(field["record"].integer()), value_from(field, is_epsilon)};
}

PeopleClaim people_from(const JsonField& field) {
  const auto [is_epsilon, at] = question_from(field);
  PeopleClaim people{.is_epsilon = is_epsilon,
                     .at = at,
                     .count = static_cast<std::size_t>(field["records"].integer()),
                     .worst = person_from(field["worst"], is_epsilon),
                     .best = person_from(field["best"], is_epsilon),
                     .median = field["median"].exact()};
  for (const JsonField& point : field["points"].elements()) people.points.push_back(person_from(point, is_epsilon));
  return people;
}

language::Argument argument_from(const JsonField& field) {
  if (field.is_text()) return field.text();
  if (!field.is_list()) return field.exact();
  std::vector<double> list;
  for (const JsonField& x : field.elements(language::kMostScheduledSteps)) list.push_back(x.exact());
  if (list.empty()) field.fail("at least one number");
  return list;
}

language::Program program_from(const JsonField& field) {
  using language::Program;
  if (field.has("call")) {
    Program program{.call = {.name = field["call"].text()}};
    for (const auto& [parameter, value] : field["arguments"].members())
      program.call.arguments.emplace_back(parameter, argument_from(value));
    return program;
  }
  const bool is_pipe = field.has("pipe");
  Program program{.kind = is_pipe ? Program::Kind::kPipe : Program::Kind::kSum};
  for (const JsonField& part : field[is_pipe ? "pipe" : "sum"].elements()) program.parts.push_back(program_from(part));
  if (program.parts.size() < 2) field.fail("at least two parts");
  return program;
}

Settings settings_from(const JsonField& field, int format_version) {
  Settings settings;
  const auto accountant = kAccountants.value_of(field["accountant"].text());
  if (!accountant) field["accountant"].fail(kAccountants.listed());
  settings.accountant = *accountant;
  for (const auto& [name, member] : kGoalFields) settings.goal.*member = field["goal"][name].exact();
  if (format_version == 1 && !field["schedule"].is_null())
    field["schedule"].fail("null: lists of constants are arguments since format version 2, so issue it again");
  return settings;
}

Step step_from(const JsonField& field) {
  Step step{.stage = field["stage"].text(), .source = field["source"].text(), .statement = field["statement"].text()};
  for (const JsonField& assumption : field["assumptions"].elements()) {
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

// A release: noise on a grid, which the language has no words for, for one column or several.
bool is_of_columns(const language::Program& program) {
  using Kind = language::Program::Kind;
  if (program.kind == Kind::kCall) return language::find_schema(program.call.name) == nullptr;
  return program.kind == Kind::kSum &&
         std::all_of(program.parts.begin(), program.parts.end(),
                     [](const language::Program& part) { return part.kind == Kind::kCall && is_of_columns(part); });
}

}  // namespace

Certificate certificate_from(const Json& json) {
  const JsonField whole(json);
  if (whole["format"].text() != kFormat) whole["format"].fail(std::string("'") + kFormat + "'");
  const double version = whole["format_version"].integer();
  if (version != kFormatVersion && version != 1.0)
    whole["format_version"].fail(fmt::format("1 or {}, the versions that this program knows", kFormatVersion));
  Certificate certificate{.format_version = static_cast<int>(version),
                          .software_version = whole["software"]["version"].text(),
                          .kind = chosen(whole["kind"], kKinds)};
  if (!whole["void"].is_null()) {
    certificate.void_because = whole["void"].text();
    if (certificate.void_because != kSeeded) whole["void"].fail("null, or the reason that it was drawn from a seed");
  }
  const JsonField claim = whole["claim"];
  certificate.relation = claim["relation"].relation();
  for (const JsonField& one : claim["values"].elements()) {
    const auto [is_epsilon, at] = question_from(one);
    certificate.claims.push_back({is_epsilon, at, value_from(one, is_epsilon)});
  }
  for (const JsonField& point : claim["curve"].elements()) {
    const double epsilon = point["epsilon"].exact();
    if (!(epsilon >= 0.0)) point["epsilon"].fail("epsilon >= 0");
    certificate.curve.push_back({epsilon, value_from(point["delta"], false)});
  }
  if (!claim["people"].is_null()) certificate.people = people_from(claim["people"]);
  certificate.program = program_from(whole["program"]);
  if (certificate.kind == Kind::kRelease ? !is_of_columns(certificate.program) : !is_well_formed(certificate.program))
    whole["program"].fail(certificate.kind == Kind::kRelease
                              ? "noise on a grid, grid_gaussian(...) or grid_laplace(...), for each column"
                              : "sources and stages with all of their arguments, as 'doeblin stages' lists them");
  certificate.settings = settings_from(whole["settings"], certificate.format_version);
  for (const JsonField& step : whole["derivation"].elements()) certificate.derivation.push_back(step_from(step));
  for (const JsonField& input : whole["inputs"].elements())
    certificate.inputs.push_back({input["path"].text(), input["sha256"].text()});
  for (const auto& [name, value] : whole["details"].members())
    certificate.details.push_back({name, argument_from(value)});
  return certificate;
}

Certificate read_certificate(const std::string& name, std::string_view text) {
  try {
    const Json found = parsed_json(text);
    Certificate certificate = certificate_from(found);
    // Whatever is not exactly what this certificate would be written as has been changed.
    const Json expected = parsed_json(text_of(certificate));
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
  return read_certificate(path, io::read_whole(path, kLargestFile, "certificate"));
}

}  // namespace doeblin::certificate
