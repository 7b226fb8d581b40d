// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/npy_header.hpp"
#include "training/table_source.hpp"

namespace doeblin::training {
namespace {

constexpr std::size_t kReadBlock = std::size_t{1} << 20;
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

// A file whose header was read.
struct Opened {
  explicit Opened(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      throw InvalidArgument("input", fmt::format("'{}'", path), "an existing regular file");
    file.open(path, std::ios::binary);
    if (!file) throw InvalidArgument("input", fmt::format("'{}'", path), "a file that can be read");
    header = io::read_npy_header(file, path, kTypes);
    const auto found = std::find_if(std::begin(kEntries), std::end(kEntries),
                                    [&](const Entry& one) { return header.type == one.type; });
    if (found == std::end(kEntries))
      throw InvalidArgument(fmt::format("{}: NPY type '{}', need {}", path, printable(header.type), kTypes));
    entry = *found;
    if (header.is_column_major)
      throw InvalidArgument(fmt::format("{}: NPY table in Fortran order, need row by row (C order)", path));
    if (header.columns > kReadBlock / entry.size)
      throw InvalidArgument(
          fmt::format("{}: {} columns, need rows of at most {} bytes", path, header.columns, kReadBlock));
    bytes_total = std::filesystem::file_size(path, error);
    header.require_data(bytes_total, entry.size, path);
  }

  std::ifstream file;
  io::NpyHeader header;
  Entry entry = {};
  std::uint64_t bytes_total = 0;
};

class NpySource : public TableSource {
 public:
  explicit NpySource(const std::string& path) : NpySource(path, Opened(path)) {}

  [[nodiscard]] std::uint64_t bytes_done() const override { return bytes_done_; }
  [[nodiscard]] std::uint64_t bytes_total() const override { return opened_.bytes_total; }

 private:
  NpySource(const std::string& path, Opened opened)
      : TableSource(path, opened.header.columns), opened_(std::move(opened)), bytes_done_(opened_.header.length) {}

  std::optional<std::string_view> next_row(std::vector<double>& values) override {
    if (rows_done_ == opened_.header.rows) return std::nullopt;
    const std::size_t length = opened_.header.columns * opened_.entry.size;
    if (position_ == block_.size()) refill(length);
    const char* const row = block_.data() + position_;
    position_ += length;
    ++rows_done_;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = opened_.entry.number(row + i * opened_.entry.size);
    return std::string_view(row, length);
  }

  void refill(std::size_t length) {
    const std::size_t rows = std::min<std::size_t>(opened_.header.rows - rows_done_, kReadBlock / length);
    block_.resize(rows * length);
    position_ = 0;
    if (!opened_.file.read(block_.data(), static_cast<std::streamsize>(block_.size())))
      throw InvalidArgument(fmt::format("{}: data that is cut off", name()));
    bytes_done_ += block_.size();
  }

  Opened opened_;
  std::uint64_t bytes_done_;
  std::vector<char> block_;
  std::size_t position_ = 0;
  std::size_t rows_done_ = 0;
};

}  // namespace

std::unique_ptr<RecordSource> open_npy(const std::string& path) { return std::make_unique<NpySource>(path); }

}  // namespace doeblin::training
