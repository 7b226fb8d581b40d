// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/schema.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <span>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/language/suggestion.hpp"
#include "language/schemas/chapters.hpp"

namespace doeblin::language {
namespace {

// The chapters, in the order of the documentation.
std::array<std::span<const Row>, 7> chapters() {
  return {noise_rows(),     black_box_rows(), sampling_rows(), composition_rows(),
          diffusion_rows(), iteration_rows(), mixing_rows()};
}

// The first row that fits, or null.
template <typename Fits>
const Row* find_row(const Fits& fits) {
  for (const std::span<const Row> chapter : chapters())
    for (const Row& row : chapter)
      if (fits(row)) return &row;
  return nullptr;
}

const Row* find_row(std::string_view name) {
  return find_row([&](const Row& row) { return row.name == name; });
}

Schema schema_of(const Row& row) {
  Schema schema{.name = std::string(row.name),
                .kind = row.kind,
                .summary = row.summary,
                .example = row.example,
                .parameters = row.parameters(),
                .role = row.role};
  for (const std::string_view synonym : row.synonyms)
    if (!synonym.empty()) schema.synonyms.emplace_back(synonym);
  return schema;
}

// Made when it is first asked for.
const Schema& made(const Row& row) {
  static std::mutex mutex;
  static std::map<const Row*, Schema> all;
  const std::scoped_lock lock(mutex);
  const auto found = all.find(&row);
  return found != all.end() ? found->second : all.emplace(&row, schema_of(row)).first->second;
}

std::vector<std::reference_wrapper<const Schema>> of_all_chapters() {
  std::vector<std::reference_wrapper<const Schema>> all;
  for (const std::span<const Row> chapter : chapters())
    for (const Row& row : chapter) all.emplace_back(made(row));
  // Sources first, each chapter in its own order.
  std::stable_partition(all.begin(), all.end(), [](const Schema& schema) { return schema.is_source(); });
  return all;
}

// The name that a synonym stands for, or nothing.
std::string meant_by(std::string_view synonym) {
  const Row* const row = find_row([&](const Row& one) {
    return !synonym.empty() && std::find(one.synonyms.begin(), one.synonyms.end(), synonym) != one.synonyms.end();
  });
  return std::string(row != nullptr ? row->name : "");
}

std::string did_you_mean(const std::string& name) { return fmt::format(", did you mean '{}'?", name); }

// What people call parameters elsewhere.
constexpr std::pair<std::string_view, std::string_view> kParameterSynonyms[] = {
    {"noise_multiplier", "sigma"},
    {"std", "sigma"},
    {"stddev", "sigma"},
    {"b", "scale"},
    {"sampling_rate", "rate"},
    {"q", "rate"},
    {"sample_rate", "rate"},
    {"probability", "rate"},
    {"steps", "k"},
    {"times", "k"},
    {"count", "k"},
    {"eps", "epsilon"},
    {"clip", "lipschitz"},
    {"max_grad_norm", "lipschitz"},
    {"lr", "learning_rate"},
    {"eta", "learning_rate"},
    {"beta", "smoothness"},
    {"mu", "strong_convexity"},
    {"batch_size", "batch"},
    {"size", "n"},
};

}  // namespace

std::string_view name(Type type) {
  switch (type) {
    case Type::kNumber: return "number";
    case Type::kScale: return "scale";
    case Type::kShare: return "share";
    case Type::kCount: return "count";
    case Type::kChoice: return "choice";
    case Type::kFile: return "file";
    case Type::kSteps: return "steps";
  }
  throw InternalError("broken invariant: unknown type");
}

const Parameter* Schema::parameter(std::string_view wanted) const {
  for (const Parameter& one : parameters)
    if (one.name == wanted) return &one;
  return nullptr;
}

std::string Schema::signature() const {
  std::string text = name + "(";
  for (const Parameter& one : parameters) {
    if (text.back() != '(') text += ", ";
    text += one.name;
    if (!one.standard) continue;
    text += "=";
    text += one.is_text() ? fmt::format("'{}'", std::get<std::string>(*one.standard))
                          : format_exact(std::get<double>(*one.standard));
  }
  return text + ")";
}

const std::vector<std::reference_wrapper<const Schema>>& schemas() {
  static const std::vector<std::reference_wrapper<const Schema>> all = of_all_chapters();
  return all;
}

const Schema* find_schema(std::string_view name) {
  const Row* const row = find_row(name);
  return row != nullptr ? &made(*row) : nullptr;
}

Role role_of(std::string_view name) {
  const Row* const row = find_row(name);
  return row != nullptr ? row->role : Role::kPlain;
}

const Schema& schema_with(Role role) {
  const Row* const row = find_row([&](const Row& one) { return one.role == role; });
  ensure(row != nullptr, "some schema has the role");
  return made(*row);
}

std::string advice_about(std::string_view name) {
  if (name == "dp_sgd" || name == "dpsgd")
    return ": write gaussian(sigma=...) | poisson(rate=...) | compose(steps); docs/howto/dp_sgd.md";
  if (const std::string meant = meant_by(name); !meant.empty()) return did_you_mean(meant);
  std::vector<std::string> names;
  for (const Schema& schema : schemas()) names.push_back(schema.name);
  const std::string near = suggestion(name, names);
  return near.empty() ? "; 'doeblin stages' lists them" : did_you_mean(near);
}

std::string advice_about(const Schema& schema, std::string_view parameter) {
  for (const auto& [synonym, meant] : kParameterSynonyms)
    if (synonym == parameter && schema.parameter(meant) != nullptr) return did_you_mean(std::string(meant));
  std::vector<std::string> names;
  for (const Parameter& one : schema.parameters) names.push_back(one.name);
  const std::string near = suggestion(parameter, names);
  return near.empty() ? ": " + schema.signature() : did_you_mean(near);
}

std::vector<std::string> parameters_meant_by(std::string_view word) {
  std::vector<std::string> meant;
  const auto has_it = [&](const Schema& schema) { return schema.parameter(word) != nullptr; };
  if (std::any_of(schemas().begin(), schemas().end(), has_it)) meant.emplace_back(word);
  for (const auto& [synonym, parameter] : kParameterSynonyms)
    if (synonym == word) meant.emplace_back(parameter);
  return meant;
}

Call call_of(const Schema& schema, const std::vector<std::pair<std::string, Argument>>& given) {
  for (const auto& [name, value] : given) ensure(schema.parameter(name) != nullptr, "the schema has the parameter");
  Call call{.name = schema.name};
  for (const Parameter& parameter : schema.parameters) {
    const auto found =
        std::find_if(given.begin(), given.end(), [&](const auto& one) { return one.first == parameter.name; });
    ensure(found != given.end() || parameter.standard, "arguments without a default are given");
    call.arguments.emplace_back(parameter.name, found != given.end() ? found->second : *parameter.standard);
  }
  return call;
}

Call call_of(std::string_view name, const std::vector<std::pair<std::string, Argument>>& given) {
  const Schema* const schema = find_schema(name);
  ensure(schema != nullptr, "there is a schema of this name");
  return call_of(*schema, given);
}

namespace {

bool fits(const Argument& value, const Parameter& parameter) {
  if (std::holds_alternative<std::string>(value)) return parameter.is_text();
  if (std::holds_alternative<std::vector<double>>(value)) return parameter.may_change;
  if (std::holds_alternative<Object>(value)) return parameter.type == Type::kFile;
  return !parameter.is_text();
}

// The kind of a call that fits its schema, or nothing.
std::optional<Schema::Kind> kind_of_call(const Program& program) {
  if (program.kind != Program::Kind::kCall) return std::nullopt;
  const Schema* const schema = find_schema(program.call.name);
  if (schema == nullptr || program.call.arguments.size() != schema->parameters.size()) return std::nullopt;
  for (std::size_t i = 0; i < schema->parameters.size(); ++i) {
    const auto& [name, value] = program.call.arguments[i];
    if (name != schema->parameters[i].name || !fits(value, schema->parameters[i])) return std::nullopt;
  }
  return schema->kind;
}

// Kernels in parentheses, as programs of certificates of version 1 have them.
bool is_of_kernels(const Program& program) {
  if (program.kind == Program::Kind::kCall) return kind_of_call(program) == Schema::Kind::kKernel;
  return program.kind == Program::Kind::kPipe && program.parts.size() >= 2 &&
         std::all_of(program.parts.begin(), program.parts.end(), is_of_kernels);
}

}  // namespace

bool is_well_formed(const Program& program) {
  if (program.kind == Program::Kind::kCall) return kind_of_call(program) == Schema::Kind::kSource;
  if (program.parts.size() < 2) return false;
  if (program.kind == Program::Kind::kSum)
    return std::all_of(program.parts.begin(), program.parts.end(), is_well_formed);
  const Program& first = program.parts[0];
  return first.kind != Program::Kind::kPipe && is_well_formed(first) &&
         std::all_of(program.parts.begin() + 1, program.parts.end(), [](const Program& part) {
           const std::optional<Schema::Kind> kind = kind_of_call(part);
           return (kind && *kind != Schema::Kind::kSource) || is_of_kernels(part);
         });
}

}  // namespace doeblin::language
