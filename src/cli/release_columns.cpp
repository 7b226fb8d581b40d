// SPDX-License-Identifier: Apache-2.0
#include "cli/release_columns.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/language/number_list.hpp"

namespace doeblin::cli {
namespace {

using sampling::ColumnLimits;

double one_number(const std::string& option, const std::string& text) {
  const std::vector<double> values = language::parse_values(option, {text});
  if (values.size() != 1 || text.find_first_of(":,") != std::string::npos)
    throw InvalidArgument(option, fmt::format("'{}'", text), "one number");
  return values[0];
}

// "column=text", cut at the last '='.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InvalidArgument(option, fmt::format("'{}'", text), "the form column=...");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// What is declared about each column that gets noise.
class DeclaredColumns {
 public:
  ColumnLimits& operator[](const std::string& name) {
    const auto [place, is_new] = places_.try_emplace(name, columns.size());
    if (is_new) columns.push_back(ColumnLimits{.name = name});
    return columns[place->second];
  }

  std::vector<ColumnLimits> columns;

 private:
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

std::vector<ColumnLimits> release_columns(const std::vector<std::string>& bounds,
                                          const std::vector<std::string>& sensitivities) {
  DeclaredColumns all;
  for (const std::string& text : bounds) {
    const auto [name, range] = named("--bounds", text);
    const std::size_t colon = range.find(':');
    if (colon == std::string::npos || range.find(':', colon + 1) != std::string::npos)
      throw InvalidArgument("--bounds", fmt::format("'{}'", text), "column=low:high");
    ColumnLimits& one = all[name];
    if (one.bounds) throw InvalidArgument("--bounds", fmt::format("'{}'", text), "one pair of bounds for a column");
    one.bounds = {one_number("--bounds", range.substr(0, colon)), one_number("--bounds", range.substr(colon + 1))};
  }
  for (const std::string& text : sensitivities) {
    const auto [name, value] = named("--sensitivity", text);
    ColumnLimits& one = all[name];
    if (one.sensitivity) throw InvalidArgument("--sensitivity", fmt::format("'{}'", text), "one value for a column");
    one.sensitivity = one_number("--sensitivity", value);
  }
  return all.columns;
}

}  // namespace doeblin::cli
