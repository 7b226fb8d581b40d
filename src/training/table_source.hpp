// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "training/column_encoder.hpp"
#include "training/record_source.hpp"

namespace doeblin::training {

/// Records that are rows of a table of numbers, whose columns are called "1", "2", ...
class TableSource : public RecordSource {
 public:
  TableSource(std::string name, std::size_t columns);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::vector<std::string>& columns() const override { return columns_; }
  void start(const Encoding& encoding, bool needs_label) override;
  bool next(EncodedRecord& record) override;

 protected:
  /// Puts the numbers of the next row into `values`, and returns its bytes; nothing at the end.
  virtual std::optional<std::string_view> next_row(std::vector<double>& values) = 0;

 private:
  void take(std::size_t i, double number, EncodedRecord& record);
  [[noreturn]] void fail(std::size_t i, double number, std::string_view need) const;

  std::string name_;
  std::vector<std::string> columns_;
  std::vector<double> values_;
  std::optional<ColumnEncoder> encoder_;
  bool needs_label_ = true;
  std::size_t rows_done_ = 0;
};

}  // namespace doeblin::training
