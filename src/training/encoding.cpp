// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/encoding.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "doeblin/core/bracket.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/csv_fields.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "training/norm_clip.hpp"

namespace doeblin::training {
namespace {

void validate_bounds(const Bounds& bounds, const std::string& of) {
  // The width is divided by.
  if (!(bounds.low < bounds.high && std::isfinite(bounds.high - bounds.low)))
    throw InvalidArgument(fmt::format("bounds of {}", of),
                          fmt::format("{}:{}", format_exact(bounds.low), format_exact(bounds.high)),
                          "low < high, both finite");
}

void validate_levels(const InputColumn& column) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& level : column.levels)
    if (!seen.insert(level).second)
      throw InvalidArgument(fmt::format("levels of column '{}'", printable(column.name)),
                            fmt::format("'{}' twice", printable(level)), "every level once");
}

void validate_columns(const Encoding& encoding) {
  std::unordered_set<std::string_view> seen = {encoding.label.name};
  for (const InputColumn& column : encoding.columns) {
    if (column.name.empty() || !seen.insert(column.name).second)
      throw InvalidArgument("column", fmt::format("'{}'", printable(column.name)), "a name that no other column has");
    const std::string shown = fmt::format("column '{}'", printable(column.name));
    if (column.bounds && column.is_categorical()) throw InvalidArgument(shown, "bounds and levels", "one of the two");
    if (column.bounds) validate_bounds(*column.bounds, shown);
    validate_levels(column);
  }
}

void validate_numbered(const Encoding& encoding) {
  for (const NumberedColumns& run : encoding.numbered) {
    require(run.count >= 1, "count of numbered columns", run.count, "count >= 1");
    if (!run.bounds) continue;
    validate_bounds(*run.bounds, "numbered columns");
    require(run.bounds->low == 0.0, "low bound of numbered columns", run.bounds->low,
            "0, since what is not written is 0");
  }
}

void validate_label(const LabelColumn& label) {
  if (label.name.empty()) throw InvalidArgument("label", "''", "a name");
  if (label.is_class() == label.bounds.has_value())
    throw InvalidArgument(fmt::format("label = '{}', need either classes or bounds", printable(label.name)));
  if (label.bounds) validate_bounds(*label.bounds, fmt::format("label '{}'", printable(label.name)));
  if (label.classes.size() == 1)
    throw InvalidArgument("classes", fmt::format("'{}'", printable(label.classes[0])), "at least two");
  for (std::size_t i = 0; i < label.classes.size(); ++i) {
    const std::string& text = label.classes[i];
    if (text.empty()) throw InvalidArgument("classes", "''", "a text for every class");
    // The label of a class that is the same as another one would be that of the first.
    const LabelColumn others{.name = {}, .classes = {label.classes.begin(), label.classes.begin() + i}};
    if (i > 0 && others.label_of(text))
      throw InvalidArgument("classes", fmt::format("'{}' twice", printable(text)), "every class once");
  }
}

}  // namespace

std::optional<double> LabelColumn::label_of(std::string_view text) const {
  const auto found = std::find(classes.begin(), classes.end(), text);
  if (found != classes.end()) return label_at(static_cast<std::size_t>(found - classes.begin()));
  double number = 0.0;
  return io::parse_number(text, number) ? label_of(number) : std::nullopt;
}

std::optional<double> LabelColumn::label_of(double number) const {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    double value = 0.0;
    if (io::parse_number(classes[i], value) && value == number) return label_at(i);
  }
  return std::nullopt;
}

double LabelColumn::label_at(std::size_t i) const {
  if (classes.size() == 2) return i == 0 ? -1.0 : 1.0;
  return static_cast<double>(i);
}

double LabelColumn::largest() const {
  if (bounds) return std::max(std::fabs(bounds->low), std::fabs(bounds->high));
  return std::fabs(label_at(classes.size() - 1));
}

std::size_t Encoding::features() const {
  std::size_t sum = 0;
  for (const InputColumn& column : columns) sum += column.width();
  for (const NumberedColumns& run : numbered) sum += run.count;
  return sum;
}

double Encoding::norm_bound() const {
  if (intercept == 0.0) return norm;
  const Bracket squares = Bracket(norm) * Bracket(norm) + Bracket(intercept) * Bracket(intercept);
  return numerics::sqrt(squares).upper();
}

void Encoding::validate() const {
  require(norm >= kLeastNorm && norm <= kMostNorm, "norm", norm, "1e-100 <= norm <= 1e100");
  require(intercept >= 0.0 && intercept <= kMostNorm, "intercept", intercept, "0 <= intercept <= 1e100");
  validate_label(label);
  if (columns.empty() == numbered.empty())
    throw InvalidArgument("columns", fmt::format("{} with and {} without names", columns.size(), numbered.size()),
                          "either the one or the other");
  validate_columns(*this);
  validate_numbered(*this);
  require(features() <= kMostFeatures, "features", static_cast<double>(features()), "at most 2^27 coordinates");
}

}  // namespace doeblin::training
