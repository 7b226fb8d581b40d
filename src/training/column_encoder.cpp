// SPDX-License-Identifier: Apache-2.0
#include "training/column_encoder.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "training/column_name.hpp"
#include "training/norm_clip.hpp"

namespace doeblin::training {

ColumnEncoder::ColumnEncoder(const Encoding& encoding, const std::vector<std::string>& columns, const std::string& file,
                             bool needs_label)
    : encoding_(encoding), roles_(columns.size()), levels_(encoding.columns.size()), row_(encoding.dimension(), 0.0) {
  if (encoding.is_sparse())
    throw InvalidArgument(fmt::format("{}: columns with names, need a LIBSVM file for this encoding", file));
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < columns.size(); ++i) places[columns[i]] = i;
  const auto role_of = [&](const std::string& name) -> Role& {
    const auto found = places.find(name);
    if (found != places.end()) return roles_[found->second];
    throw InvalidArgument(
        fmt::format("{}:1: there is no column '{}'{}", file, printable(name), did_you_mean(name, columns)));
  };
  std::size_t coordinate = 0;
  for (std::size_t i = 0; i < encoding.columns.size(); ++i) {
    const InputColumn& column = encoding.columns[i];
    role_of(column.name) = {column.is_categorical() ? Kind::kCategory : Kind::kNumber, i, coordinate};
    for (std::size_t k = 0; k < column.levels.size(); ++k) levels_[i][column.levels[k]] = k;
    coordinate += column.width();
  }
  if (needs_label || places.contains(encoding.label.name)) role_of(encoding.label.name) = {.kind = Kind::kLabel};
}

bool ColumnEncoder::set_level(const Role& role, std::string_view level) {
  const auto& levels = levels_[role.column];
  auto found = levels.find(level);
  if (found == levels.end()) found = levels.find(kOtherLevel);
  if (found == levels.end()) return false;
  std::fill_n(row_.begin() + static_cast<std::ptrdiff_t>(role.coordinate), levels.size(), 0.0);
  row_[role.coordinate + found->second] = 1.0;
  return true;
}

std::span<const double> ColumnEncoder::finish() {
  const std::size_t features = encoding_.intercept > 0.0 ? row_.size() - 1 : row_.size();
  clip_to_norm(std::span(row_).first(features), encoding_.norm);
  if (features < row_.size()) row_.back() = encoding_.intercept;
  return row_;
}

}  // namespace doeblin::training
