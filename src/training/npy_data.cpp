// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "pipeline/npy_header.hpp"
#include "training/column_encoder.hpp"
#include "training/record_source.hpp"

namespace doeblin::training {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::string_view kTypes = "numbers of 1, 2, 4 or 8 bytes (f4, f8, i1 to i8, u1 to u8, b1), little endian";

template <typename T>
double number_at(const char* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

struct Entry {
  const char* type;
  std::size_t size;
  double (*number)(const char*);
};

constexpr Entry kEntries[] = {
    {"<f8", 8, number_at<double>},        {"<f4", 4, number_at<float>},         {"|i1", 1, number_at<std::int8_t>},
    {"<i2", 2, number_at<std::int16_t>},  {"<i4", 4, number_at<std::int32_t>},  {"<i8", 8, number_at<std::int64_t>},
    {"|u1", 1, number_at<std::uint8_t>},  {"<u2", 2, number_at<std::uint16_t>}, {"<u4", 4, number_at<std::uint32_t>},
    {"<u8", 8, number_at<std::uint64_t>}, {"|b1", 1, number_at<std::uint8_t>},
};

class NpySource : public RecordSource {
 public:
  explicit NpySource(const std::string& path) : name_(path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      throw InvalidArgument("input", fmt::format("'{}'", path), "an existing regular file");
    file_.open(path, std::ios::binary);
    if (!file_) throw InvalidArgument("input", fmt::format("'{}'", path), "a file that can be read");
    header_ = pipeline::read_npy_header(file_, path, kTypes);
    const auto found = std::find_if(std::begin(kEntries), std::end(kEntries),
                                    [&](const Entry& one) { return header_.type == one.type; });
    if (found == std::end(kEntries))
      throw InvalidArgument(fmt::format("{}: NPY type '{}', need {}", path, printable(header_.type), kTypes));
    entry_ = *found;
    if (header_.is_column_major)
      throw InvalidArgument(fmt::format("{}: NPY table in Fortran order, need row by row (C order)", path));
    if (header_.columns > kBlock / entry_.size)
      throw InvalidArgument(
          fmt::format("{}: {} columns, need rows of at most {} bytes", path, header_.columns, kBlock));
    bytes_total_ = std::filesystem::file_size(path, error);
    header_.require_data(bytes_total_, entry_.size, path);
    bytes_done_ = header_.length;
    for (std::size_t i = 1; i <= header_.columns; ++i) columns_.push_back(std::to_string(i));
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::vector<std::string>& columns() const override { return columns_; }
  [[nodiscard]] std::uint64_t bytes_done() const override { return bytes_done_; }
  [[nodiscard]] std::uint64_t bytes_total() const override { return bytes_total_; }

  void start(const Encoding& encoding, bool needs_label) override {
    const std::size_t needed = encoding.columns.size() + 1;
    const bool is_without_label = !needs_label && columns_.size() + 1 == needed;
    if (columns_.size() != needed && !is_without_label && !encoding.is_sparse())
      throw InvalidArgument(fmt::format("{}: {} columns, need {}: {} features and the label", name_, columns_.size(),
                                        needed, needed - 1));
    if (is_without_label) {
      // Those after the label keep their numbers.
      columns_.push_back(std::to_string(needed));
      const auto label = std::find(columns_.begin(), columns_.end(), encoding.label.name);
      if (label != columns_.end()) columns_.erase(label);
    }
    encoder_.emplace(encoding, columns_, name_, needs_label);
    for (const InputColumn& column : encoding.columns)
      if (column.is_categorical())
        throw InvalidArgument(
            fmt::format("{}: column '{}' has levels, need a CSV file", name_, printable(column.name)));
    needs_label_ = needs_label;
  }

  bool next(EncodedRecord& record) override {
    if (rows_done_ == header_.rows) return false;
    const std::size_t length = header_.columns * entry_.size;
    if (position_ == block_.size()) refill(length);
    const char* const row = block_.data() + position_;
    position_ += length;
    ++rows_done_;
    record.line = rows_done_;
    record.content = {row, length};
    record.label.reset();
    for (std::size_t i = 0; i < header_.columns; ++i) take(i, entry_.number(row + i * entry_.size), record);
    record.features = encoder_->finish();
    return true;
  }

 private:
  void refill(std::size_t length) {
    const std::size_t rows = std::min<std::size_t>(header_.rows - rows_done_, kBlock / length);
    block_.resize(rows * length);
    position_ = 0;
    if (!file_.read(block_.data(), static_cast<std::streamsize>(block_.size())))
      throw InvalidArgument(fmt::format("{}: data that is cut off", name_));
    bytes_done_ += block_.size();
  }

  void take(std::size_t i, double number, EncodedRecord& record) {
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

  [[noreturn]] void fail(std::size_t i, double number, std::string_view need) const {
    throw InvalidArgument(
        fmt::format("{}:{}: column '{}' = '{}', need {}", name_, rows_done_, columns_[i], number, need));
  }

  std::string name_;
  std::ifstream file_;
  pipeline::NpyHeader header_;
  Entry entry_ = {};
  std::uint64_t bytes_done_ = 0;
  std::uint64_t bytes_total_ = 0;
  std::vector<std::string> columns_;
  std::optional<ColumnEncoder> encoder_;
  bool needs_label_ = true;
  std::vector<char> block_;
  std::size_t position_ = 0;
  std::size_t rows_done_ = 0;
};

}  // namespace

std::unique_ptr<RecordSource> open_npy(const std::string& path) { return std::make_unique<NpySource>(path); }

}  // namespace doeblin::training
