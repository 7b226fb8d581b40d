// SPDX-License-Identifier: Apache-2.0
#include "training/field_encoding.hpp"

#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/text.hpp"
#include "doeblin/io/csv_fields.hpp"

namespace doeblin::training {
namespace {

constexpr std::size_t kMostShown = 10;

}  // namespace

std::optional<double> encoded_label(const LabelColumn& label, std::string_view field) {
  if (label.is_class()) return label.label_of(field.starts_with('"') ? io::unquoted(field) : field);
  double number = 0.0;
  return io::parse_number(field, number) ? encoded_label(label, number) : std::nullopt;
}

std::optional<double> encoded_label(const LabelColumn& label, double number) {
  if (!std::isfinite(number)) return std::nullopt;
  if (label.is_class()) return label.label_of(number);
  return std::clamp(number, label.bounds->low, label.bounds->high);
}

std::string label_need(const LabelColumn& label) {
  if (!label.is_class()) return std::string(kNumberNeed);
  std::string all = "one of ";
  for (std::size_t i = 0; i < label.classes.size() && i < kMostShown; ++i)
    all += fmt::format("{}'{}'", i > 0 ? ", " : "", printable(label.classes[i]));
  return all + (label.classes.size() > kMostShown ? ", ..." : "");
}

}  // namespace doeblin::training
