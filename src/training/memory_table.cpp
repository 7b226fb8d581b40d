// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "doeblin/core/error.hpp"
#include "training/table_source.hpp"

namespace doeblin::training {
namespace {

class MemorySource : public TableSource {
 public:
  explicit MemorySource(const Table& table) : TableSource(table.name, width(table)), table_(table) {}

  [[nodiscard]] std::uint64_t bytes_done() const override { return rows_done_ * sizeof(double) * width(table_); }
  [[nodiscard]] std::uint64_t bytes_total() const override { return table_.rows * sizeof(double) * width(table_); }

 private:
  static std::size_t width(const Table& table) { return table.columns + (table.labels == nullptr ? 0 : 1); }

  std::optional<std::string_view> next_row(std::vector<double>& values) override {
    if (rows_done_ == table_.rows) return std::nullopt;
    std::memcpy(values.data(), table_.features + rows_done_ * table_.columns, table_.columns * sizeof(double));
    if (table_.labels != nullptr) values.back() = table_.labels[rows_done_];
    ++rows_done_;
    return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  }

  Table table_;
  std::size_t rows_done_ = 0;
};

}  // namespace

std::unique_ptr<RecordSource> open_table(const Table& table) {
  require(table.columns <= kMostFeatures, "columns", static_cast<double>(table.columns), "at most 2^27");
  return std::make_unique<MemorySource>(table);
}

}  // namespace doeblin::training
