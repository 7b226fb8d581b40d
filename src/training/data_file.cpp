// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/data_file.hpp"

#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/core/words.hpp"
#include "training/record_source.hpp"
#include "training/split.hpp"

namespace doeblin::training {
namespace {

constexpr auto kFormats =
    words<DataFormat>({{"csv", DataFormat::kCsv}, {"libsvm", DataFormat::kLibsvm}, {"npy", DataFormat::kNpy}});

constexpr std::pair<std::string_view, DataFormat> kEndings[] = {{".csv", DataFormat::kCsv},
                                                                {".libsvm", DataFormat::kLibsvm},
                                                                {".svm", DataFormat::kLibsvm},
                                                                {".svmlight", DataFormat::kLibsvm},
                                                                {".npy", DataFormat::kNpy}};

std::unique_ptr<RecordSource> open_source(const std::string& path, DataFormat format) {
  if (format == DataFormat::kCsv) return open_csv(path);
  return format == DataFormat::kLibsvm ? open_libsvm(path) : open_npy(path);
}

}  // namespace

std::string_view name(DataFormat format) { return kFormats.word_of(format); }

DataFormat format_named(std::string_view text) {
  if (const auto found = kFormats.value_of(text)) return *found;
  throw InvalidArgument("format", fmt::format("'{}'", printable(text)), kFormats.listed());
}

DataFormat format_of(const std::string& path) {
  if (path == "-") return DataFormat::kCsv;
  for (const auto& [ending, format] : kEndings)
    if (path.ends_with(ending)) return format;
  throw InvalidArgument("input", fmt::format("'{}'", path),
                        "a name that ends in .csv, .libsvm, .svm, .svmlight or .npy, or a format");
}

DataFile DataFile::open(const std::string& path, std::optional<DataFormat> format) {
  const DataFormat chosen = format ? *format : format_of(path);
  return {chosen, open_source(path, chosen)};
}

DataFile DataFile::of(const Table& table) { return {DataFormat::kNpy, open_table(table)}; }

DataFile::DataFile(DataFormat format, std::unique_ptr<RecordSource> source)
    : format_(format), source_(std::move(source)) {}
DataFile::DataFile(DataFile&&) noexcept = default;
DataFile& DataFile::operator=(DataFile&&) noexcept = default;
DataFile::~DataFile() = default;

const std::string& DataFile::name() const { return source_->name(); }
const std::vector<std::string>& DataFile::columns() const { return source_->columns(); }
std::uint64_t DataFile::bytes_done() const { return source_->bytes_done(); }
std::uint64_t DataFile::bytes_total() const { return source_->bytes_total(); }

Encoding resolve(const EncodingRequest& request, const DataFile& file) {
  if (file.format() == DataFormat::kLibsvm) return resolve_numbered(request);
  if (file.format() == DataFormat::kCsv) return resolve(request, file.columns(), file.name());
  if (!request.dropped.empty() || !request.categorical.empty())
    throw InvalidArgument(fmt::format("{}: columns to drop or with levels, need a CSV file", file.name()));
  EncodingRequest numbered = request;
  if (numbered.label.empty()) numbered.label = file.columns().back();
  return resolve(numbered, file.columns(), file.name());
}

void for_each_record(DataFile& file, const Encoding& encoding, const RecordOptions& options,
                     const std::function<void(const EncodedRecord&)>& take) {
  encoding.validate();
  RecordSource& source = *file.source_;
  source.start(encoding, options.needs_label);
  EncodedRecord record;
  std::uint64_t reported = 0;
  bool is_empty = true;
  while (source.next(record)) {
    is_empty = false;
    take(record);
    if (options.progress && source.bytes_done() != reported) {
      reported = source.bytes_done();
      options.progress(reported, source.bytes_total());
    }
  }
  if (is_empty) throw InvalidArgument(fmt::format("{}: no records, need at least one", file.name()));
}

namespace {

std::array<char, 8> position_bytes(std::uint64_t position) {
  std::array<char, 8> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(position >> 8U * i);
  return bytes;
}

}  // namespace

LabelledData read_records(DataFile& file, const Encoding& encoding, const ReadOptions& options) {
  const Splitter splitter(options.split);
  const auto storage = std::make_shared<Storage>(options.limits);
  const RecordsShape shape{
      .dimension = encoding.dimension(), .is_sparse = encoding.is_sparse(), .shard = options.shard};
  LabelledData data{.train = Records(shape, storage), .held_out = Records(shape, storage)};
  for_each_record(file, encoding, {.progress = options.progress}, [&](const EncodedRecord& record) {
    const std::array<char, 8> number = position_bytes(data.train.count() + data.held_out.count());
    const std::string_view content =
        options.split.is_by_position ? std::string_view(number.data(), number.size()) : record.content;
    Records& side = splitter.is_held_out(content) ? data.held_out : data.train;
    if (shape.is_sparse)
      side.append(record.sparse, *record.label, record.line);
    else
      side.append(record.features, *record.label, record.line);
  });
  if (data.train.count() == 0)
    throw InvalidArgument("held_out", options.split.held_out,
                          fmt::format("a part of {} that leaves records to train on", file.name()));
  return data;
}

}  // namespace doeblin::training
