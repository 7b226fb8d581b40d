// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/csv_fields.hpp"
#include "training/column_encoder.hpp"
#include "training/record_source.hpp"
#include "training/text_lines.hpp"

namespace doeblin::training {
namespace {

class CsvSource : public RecordSource {
 public:
  explicit CsvSource(const std::string& path) : lines_(path) {
    const std::string header = lines_.first_line();
    if (header.find('\0') != std::string::npos)
      throw InvalidArgument(fmt::format("{}: a byte 0, need the names of the columns as text", lines_.where()));
    std::vector<std::string> raw;
    columns_ = io::split_header(header, lines_.name(), raw);
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : columns_)
      if (!seen.insert(name).second)
        throw InvalidArgument(fmt::format("{}: two columns are called '{}'", lines_.where(), printable(name)));
  }

  [[nodiscard]] const std::string& name() const override { return lines_.name(); }
  [[nodiscard]] const std::vector<std::string>& columns() const override { return columns_; }
  [[nodiscard]] std::uint64_t bytes_done() const override { return lines_.bytes_done(); }
  [[nodiscard]] std::uint64_t bytes_total() const override { return lines_.bytes_total(); }

  void start(const Encoding& encoding, bool needs_label) override {
    encoder_.emplace(encoding, columns_, lines_.name(), needs_label);
    needs_label_ = needs_label;
  }

  bool next(EncodedRecord& record) override {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
      // In a file of one column a blank line may be a missing value.
    } while (line.empty() && columns_.size() > 1);
    record.line = lines_.number();
    record.content = line;
    record.label.reset();
    read_fields(line, record);
    record.features = encoder_->finish();
    return true;
  }

 private:
  void read_fields(std::string_view line, EncodedRecord& record) {
    io::FieldReader fields(line);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const ColumnEncoder::Role& role = encoder_->roles()[i];
      double number = 0.0;
      // Nearly all fields, without looking for their ends first.
      if (role.kind == ColumnEncoder::Kind::kNumber && fields.next_plain_number(number)) {
        encoder_->set_number(role, number);
        continue;
      }
      std::string_view field;
      if (!fields.next(field))
        throw InvalidArgument(
            fmt::format("{}: column '{}': {}", lines_.where(), printable(columns_[i]), fields.problem()));
      take(i, field, record);
    }
    if (!fields.is_at_end())
      throw InvalidArgument(fmt::format("{}: more than the {} columns of the header", lines_.where(), columns_.size()));
  }

  void take(std::size_t i, std::string_view field, EncodedRecord& record) {
    const ColumnEncoder::Role& role = encoder_->roles()[i];
    double number = 0.0;
    switch (role.kind) {
      case ColumnEncoder::Kind::kNumber:
        if (!io::parse_number(field, number)) fail(i, field, kNumberNeed);
        encoder_->set_number(role, number);
        return;
      case ColumnEncoder::Kind::kCategory:
        if (!encoder_->set_level(role, field.starts_with('"') ? io::unquoted(field) : field))
          fail(i, field, "one of the declared levels");
        return;
      case ColumnEncoder::Kind::kLabel:
        record.label = encoded_label(encoder_->label(), field);
        if (!record.label && needs_label_) fail(i, field, label_need(encoder_->label()));
        return;
      case ColumnEncoder::Kind::kIgnored: return;
    }
  }

  [[noreturn]] void fail(std::size_t i, std::string_view field, std::string_view need) const {
    throw InvalidArgument(
        fmt::format("{}: column '{}' = '{}', need {}", lines_.where(), printable(columns_[i]), printable(field), need));
  }

  TextLines lines_;
  std::vector<std::string> columns_;
  std::optional<ColumnEncoder> encoder_;
  bool needs_label_ = true;
};

}  // namespace

std::unique_ptr<RecordSource> open_csv(const std::string& path) { return std::make_unique<CsvSource>(path); }

}  // namespace doeblin::training
