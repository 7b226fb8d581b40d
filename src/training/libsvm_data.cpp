// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/csv_fields.hpp"
#include "training/field_encoding.hpp"
#include "training/norm_clip.hpp"
#include "training/record_source.hpp"
#include "training/text_lines.hpp"

namespace doeblin::training {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Takes the next word off the line; empty at the end.
std::string_view next_word(std::string_view& line) {
  const char* const end = line.data() + line.size();
  const char* const first = std::find_if_not(line.data(), end, is_blank);
  const char* const last = std::find_if(first, end, is_blank);
  line = {last, static_cast<std::size_t>(end - last)};
  return {first, static_cast<std::size_t>(last - first)};
}

class LibsvmSource : public RecordSource {
 public:
  explicit LibsvmSource(const std::string& path) : lines_(path) {}

  [[nodiscard]] const std::string& name() const override { return lines_.name(); }
  [[nodiscard]] const std::vector<std::string>& columns() const override { return columns_; }
  [[nodiscard]] std::uint64_t bytes_done() const override { return lines_.bytes_done(); }
  [[nodiscard]] std::uint64_t bytes_total() const override { return lines_.bytes_total(); }

  void start(const Encoding& encoding, bool needs_label) override {
    if (!encoding.is_sparse())
      throw InvalidArgument(
          fmt::format("{}: a LIBSVM file, need one whose columns have names for this encoding", lines_.name()));
    encoding_ = encoding;
    features_ = encoding.features();
    needs_label_ = needs_label;
  }

  bool next(EncodedRecord& record) override {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
      if (lines_.number() == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
      line = trimmed(line.substr(0, line.find('#')));
    } while (line.empty());
    record.line = lines_.number();
    record.content = line;
    record.label = take_label(line);
    take_features(line);
    clip_to_norm(values_, encoding_.norm);
    if (encoding_.intercept > 0.0) add(features_, encoding_.intercept);
    record.sparse = {indices_, values_};
    return true;
  }

 private:
  std::optional<double> take_label(std::string_view& line) const {
    std::string_view rest = line;
    const std::string_view word = next_word(rest);
    // Files to be predicted may leave it out.
    if (!needs_label_ && word.find(':') != std::string_view::npos) return std::nullopt;
    line = rest;
    const std::optional<double> label = encoded_label(encoding_.label, word);
    if (!label && needs_label_)
      fail(fmt::format("label = '{}', need {}", printable(word), label_need(encoding_.label)));
    return label;
  }

  void take_features(std::string_view line) {
    indices_.clear();
    values_.clear();
    std::size_t previous = 0;
    // The columns with the same bounds that the last index was in, and where they end.
    auto run = encoding_.numbered.begin();
    std::size_t run_end = run->count;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      const char* const end = word.data() + word.size();
      std::size_t index = 0;
      const auto [colon, error] = std::from_chars(word.data(), end, index);
      if (error != std::errc() || colon == end || *colon != ':')
        fail(fmt::format("'{}', need index:value", printable(word)));
      if (index < 1 || index > features_)
        fail(fmt::format("index {}, need one from 1 to {}, the number of features", index, features_));
      if (index <= previous) fail(fmt::format("index {} after {}, need indices that increase", index, previous));
      const std::string_view text(colon + 1, static_cast<std::size_t>(end - colon - 1));
      double value = 0.0;
      if (!io::parse_number(text, value))
        fail(fmt::format("column '{}' = '{}', need {}", index, printable(text), kNumberNeed));
      previous = index;
      while (index > run_end) run_end += (++run)->count;
      value = mapped(value, run->bounds);
      if (value != 0.0) add(index - 1, value);
    }
  }

  void add(std::size_t index, double value) {
    indices_.push_back(static_cast<std::uint32_t>(index));
    values_.push_back(value);
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InvalidArgument(fmt::format("{}: {}", lines_.where(), problem));
  }

  TextLines lines_;
  std::vector<std::string> columns_;
  Encoding encoding_;
  std::size_t features_ = 0;
  bool needs_label_ = true;
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<RecordSource> open_libsvm(const std::string& path) { return std::make_unique<LibsvmSource>(path); }

}  // namespace doeblin::training
