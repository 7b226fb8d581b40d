// SPDX-License-Identifier: Apache-2.0
#include "training/table_source.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::training {

TableSource::TableSource(std::string name, std::size_t columns) : name_(std::move(name)), values_(columns) {
  for (std::size_t i = 1; i <= columns; ++i) columns_.push_back(std::to_string(i));
}

void TableSource::start(const Encoding& encoding, bool needs_label) {
  const std::size_t needed = encoding.columns.size() + 1;
  const bool is_without_label = !needs_label && columns_.size() + 1 == needed;
  if (columns_.size() != needed && !is_without_label && !encoding.is_sparse())
    throw InvalidArgument(
        fmt::format("{}: {} columns, need {}: {} features and the label", name_, columns_.size(), needed, needed - 1));
  if (is_without_label) {
    // Those after the label keep their numbers.
    columns_.push_back(std::to_string(needed));
    const auto label = std::find(columns_.begin(), columns_.end(), encoding.label.name);
    if (label != columns_.end()) columns_.erase(label);
  }
  encoder_.emplace(encoding, columns_, name_, needs_label);
  for (const InputColumn& column : encoding.columns)
    if (column.is_categorical())
      throw InvalidArgument(fmt::format("{}: column '{}' has levels, need a CSV file", name_, printable(column.name)));
  needs_label_ = needs_label;
}

bool TableSource::next(EncodedRecord& record) {
  const std::optional<std::string_view> content = next_row(values_);
  if (!content) return false;
  ++rows_done_;
  record.line = rows_done_;
  record.content = *content;
  record.label.reset();
  for (std::size_t i = 0; i < values_.size(); ++i) take(i, values_[i], record);
  record.features = encoder_->finish();
  return true;
}

void TableSource::take(std::size_t i, double number, EncodedRecord& record) {
  const ColumnEncoder::Role& role = encoder_->roles()[i];
  if (role.kind == ColumnEncoder::Kind::kIgnored) return;
  if (role.kind == ColumnEncoder::Kind::kLabel) {
    record.label = encoded_label(encoder_->label(), number);
    if (!record.label && needs_label_) fail(i, number, label_need(encoder_->label()));
    return;
  }
  if (!std::isfinite(number)) fail(i, number, kNumberNeed);
  encoder_->set_number(role, number);
}

void TableSource::fail(std::size_t i, double number, std::string_view need) const {
  throw InvalidArgument(
      fmt::format("{}:{}: column '{}' = '{}', need {}", name_, rows_done_, columns_[i], number, need));
}

}  // namespace doeblin::training
