// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/training/encoding.hpp"
#include "training/column_name.hpp"
#include "training/glob.hpp"

namespace doeblin::training {
namespace {

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", printable(text)); }

// Gives bounds to columns, and refuses patterns that gave none: most likely one is misspelt or in the wrong place.
class Patterns {
 public:
  explicit Patterns(const std::vector<PatternBounds>& all) : all_(all), used_(all.size(), false) {}

  std::optional<Bounds> bounds_of(std::string_view name) {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const PatternBounds& one) { return matches(one.pattern, name); });
    if (found == all_.end()) return std::nullopt;
    used_[static_cast<std::size_t>(found - all_.begin())] = true;
    return found->bounds;
  }

  void require_all_used(const std::vector<std::string>& names) const {
    const auto unused = std::find(used_.begin(), used_.end(), false);
    if (unused == used_.end()) return;
    const std::string& pattern = all_[static_cast<std::size_t>(unused - used_.begin())].pattern;
    throw InvalidArgument("bounds", in_quotes(pattern),
                          "a column of numbers that no earlier pattern matches" + did_you_mean(pattern, names));
  }

 private:
  const std::vector<PatternBounds>& all_;
  std::vector<bool> used_;
};

// What is declared about columns by name, each at most once.
class Declarations {
 public:
  Declarations(const std::vector<std::string>& columns, const std::string& file) : columns_(columns), file_(file) {}

  void add(const std::string& parameter, const std::string& name) {
    if (std::find(columns_.begin(), columns_.end(), name) == columns_.end())
      throw InvalidArgument(parameter, in_quotes(name),
                            fmt::format("a column of {}{}", file_, did_you_mean(name, columns_)));
    const auto [earlier, is_new] = parameters_.emplace(name, parameter);
    if (!is_new)
      throw InvalidArgument(parameter, in_quotes(name),
                            fmt::format("a column that is declared once, not as {} too", earlier->second));
  }
  [[nodiscard]] bool contains(const std::string& name) const { return parameters_.contains(name); }

 private:
  const std::vector<std::string>& columns_;
  const std::string& file_;
  std::unordered_map<std::string, std::string> parameters_;
};

Encoding without_columns(const EncodingRequest& request, const std::string& label) {
  return {.label = {.name = label, .classes = request.classes, .bounds = request.label_bounds},
          .norm = request.norm,
          .intercept = request.intercept};
}

}  // namespace

Encoding resolve(const EncodingRequest& request, const std::vector<std::string>& columns, const std::string& file) {
  if (request.features > 0)
    throw InvalidArgument("features", static_cast<double>(request.features), "a LIBSVM file; others say it themselves");
  Declarations declared(columns, file);
  declared.add("label", request.label);
  for (const std::string& name : request.dropped) declared.add("drop", name);
  std::unordered_map<std::string, const std::vector<std::string>*> levels;
  for (const Categories& one : request.categorical) {
    declared.add("categorical", one.name);
    if (one.levels.empty()) throw InvalidArgument("categorical", in_quotes(one.name), "at least one level");
    levels[one.name] = &one.levels;
  }

  Encoding encoding = without_columns(request, request.label);
  Patterns patterns(request.bounds);
  for (const std::string& name : columns) {
    if (const auto found = levels.find(name); found != levels.end())
      encoding.columns.push_back({.name = name, .levels = *found->second});
    else if (!declared.contains(name))
      encoding.columns.push_back({.name = name, .bounds = patterns.bounds_of(name)});
  }
  patterns.require_all_used(columns);
  if (encoding.columns.empty())
    throw InvalidArgument(fmt::format("{}: no column is left, need one for features", file));
  encoding.validate();
  return encoding;
}

Encoding resolve_numbered(const EncodingRequest& request) {
  require(request.features >= 1 && request.features <= kMostFeatures, "features", static_cast<double>(request.features),
          "from 1 to 2^27, the largest index of a LIBSVM file");
  const auto refuse = [](const char* parameter, const std::string& name) {
    throw InvalidArgument(parameter, in_quotes(name), "a file whose columns have names");
  };
  if (!request.label.empty()) refuse("label", request.label);
  if (!request.dropped.empty()) refuse("drop", request.dropped.front());
  if (!request.categorical.empty()) refuse("categorical", request.categorical.front().name);

  Encoding encoding = without_columns(request, "label");
  Patterns patterns(request.bounds);
  for (std::size_t i = 1; i <= request.features; ++i) {
    const auto bounds = request.bounds.empty() ? std::nullopt : patterns.bounds_of(fmt::format_int(i).c_str());
    if (encoding.numbered.empty() || encoding.numbered.back().bounds != bounds)
      encoding.numbered.push_back({.count = 0, .bounds = bounds});
    ++encoding.numbered.back().count;
  }
  patterns.require_all_used({});
  encoding.validate();
  return encoding;
}

}  // namespace doeblin::training
