// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/kernel_file.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/io/csv_rows.hpp"
#include "doeblin/io/npy_header.hpp"

namespace doeblin::io {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr TextLimits kKernelLimits = {.file = 4096 * kMiB, .line = 16 * kMiB};
constexpr std::string_view kMarketMagic = "%%MatrixMarket";
// Columns that hold nothing cost memory too.
constexpr std::size_t kMostColumnsPerEntry = 16;
constexpr std::size_t kMostEdges = kMostSparse / 4;

void require_dense_size(double rows, double columns, const std::string& where) {
  if (!(rows * columns <= static_cast<double>(kMostDense)))
    throw InvalidArgument(fmt::format("{}: {} x {} entries, need at most {}; a sparse kernel is for more", where, rows,
                                      columns, kMostDense));
}

// ---- CSV

StoredMatrix read_csv(const std::string& path) {
  std::vector<double> values;
  std::vector<std::size_t> lines;
  std::size_t outputs = 0;
  for_each_csv_row(path, kKernelLimits, [&](const std::vector<double>& row, const LineReader& reader) {
    outputs = row.size();
    lines.push_back(reader.number());
    require_dense_size(static_cast<double>(lines.size()), static_cast<double>(outputs), reader.where());
    // As many rows of this length as the file has room for, at two bytes an entry.
    if (lines.size() == 1)
      values.reserve(std::min({kMostDense, outputs * outputs, static_cast<std::size_t>(reader.file_size() / 2 + 1)}));
    values.insert(values.end(), row.begin(), row.end());
  });
  const std::size_t rows = lines.size();
  return {.path = path, .rows = rows, .columns = outputs, .values = std::move(values), .lines = std::move(lines)};
}

// ---- NPY

StoredMatrix read_npy(const std::string& path, std::uintmax_t file_size) {
  std::ifstream file(path, std::ios::binary);
  const NpyHeader header = read_npy_header(file, path, "'<f8'");
  if (header.type != "<f8")
    throw InvalidArgument(fmt::format("{}: NPY type '{}', need '<f8'", path, printable(header.type)));
  require_dense_size(static_cast<double>(header.rows), static_cast<double>(header.columns), path);
  constexpr std::size_t entry = sizeof(double);
  header.require_data(file_size, entry, path);
  std::vector<double> values(header.rows * header.columns);
  std::vector<char> line((header.is_column_major ? header.rows : header.columns) * entry);
  const std::size_t outer = header.is_column_major ? header.columns : header.rows;
  const std::size_t inner = header.is_column_major ? header.rows : header.columns;
  for (std::size_t i = 0; i < outer; ++i) {
    file.read(line.data(), static_cast<std::streamsize>(line.size()));
    if (!file) throw InvalidArgument(fmt::format("{}: data that is cut off", path));
    for (std::size_t j = 0; j < inner; ++j) {
      double value = 0.0;
      std::memcpy(&value, line.data() + j * entry, entry);
      values[header.is_column_major ? j * header.columns + i : i * header.columns + j] = value;
    }
  }
  return {.path = path, .rows = header.rows, .columns = header.columns, .values = std::move(values)};
}

// ---- Matrix Market and edge lists: words separated by blanks

std::vector<std::string_view> words_of(std::string_view line, std::string_view separators) {
  std::vector<std::string_view> words;
  while (true) {
    const auto first = line.find_first_not_of(separators);
    if (first == std::string_view::npos) return words;
    const auto end = std::min(line.size(), line.find_first_of(separators, first));
    words.push_back(line.substr(first, end - first));
    line.remove_prefix(end);
  }
}

double parse_integer(std::string_view word, double least, double most, const LineReader& reader,
                     std::string_view name) {
  const double value = parse_number(word, reader.where(), name);
  if (!is_whole(value, least, most))
    throw InvalidArgument(
        fmt::format("{}: {} = {}, need an integer from {} to {}", reader.where(), name, value, least, most));
  return value;
}

struct MarketHeader {
  bool is_sparse = false;
  bool is_symmetric = false;
};

MarketHeader parse_market_header(std::string_view line, const LineReader& reader) {
  std::string lower(line);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto words = words_of(lower, " \t");
  const auto is_one_of = [&](std::size_t k, std::initializer_list<std::string_view> allowed) {
    if (words.size() == 5 && std::find(allowed.begin(), allowed.end(), words[k]) != allowed.end()) return;
    throw InvalidArgument(
        fmt::format("{}: '{}', need '%%MatrixMarket matrix coordinate|array real|integer general|symmetric'",
                    reader.where(), printable(line)));
  };
  is_one_of(1, {"matrix"});
  is_one_of(2, {"coordinate", "array"});
  is_one_of(3, {"real", "integer", "double"});
  is_one_of(4, {"general", "symmetric"});
  return {words[2] == "coordinate", words[4] == "symmetric"};
}

StoredMatrix read_sparse_entries(const std::string& path, LineReader& reader, const MarketHeader& header,
                                 std::size_t rows, std::size_t columns, std::size_t count) {
  std::vector<MatrixEntry> entries;
  entries.reserve(count * (header.is_symmetric ? 2 : 1));
  std::vector<std::size_t> lines(rows, 0);
  std::size_t read = 0;
  std::string_view line;
  for (; reader.next(line, '%'); ++read) {
    if (read == count)
      throw InvalidArgument(fmt::format("{}: more entries than the {} claimed", reader.where(), count));
    const auto words = words_of(line, " \t");
    if (words.size() != 3)
      throw InvalidArgument(fmt::format("{}: {} values, need row, column and entry", reader.where(), words.size()));
    const auto row =
        static_cast<std::uint32_t>(parse_integer(words[0], 1, static_cast<double>(rows), reader, "row")) - 1;
    const auto column =
        static_cast<std::uint32_t>(parse_integer(words[1], 1, static_cast<double>(columns), reader, "column")) - 1;
    const double value = parse_number(words[2], reader.where(), "entry");
    if (!(value >= 0.0 && value <= 1.0 + 1e-12))
      throw InvalidArgument(fmt::format("{}: entry = {}, need 0 <= entry <= 1", reader.where(), value));
    entries.push_back({row, column, value});
    lines[row] = reader.number();
    if (entries.size() >= kMostSparse)
      throw InvalidArgument(fmt::format("{}: too many entries, need at most {}", reader.where(), kMostSparse));
    if (header.is_symmetric && row != column) {
      entries.push_back({column, row, value});
      lines[column] = reader.number();
    }
  }
  if (read != count)
    throw InvalidArgument(fmt::format("{}: {} entries up to here, need {} as claimed", reader.where(), read, count));
  return {.path = path,
          .rows = rows,
          .columns = columns,
          .is_sparse = true,
          .entries = std::move(entries),
          .lines = std::move(lines)};
}

StoredMatrix read_dense_entries(const std::string& path, LineReader& reader, const MarketHeader& header,
                                std::size_t rows, std::size_t columns) {
  if (header.is_symmetric) throw InvalidArgument(fmt::format("{}: a symmetric array, need 'array real general'", path));
  require_dense_size(static_cast<double>(rows), static_cast<double>(columns), reader.where());
  // Two bytes a line, so that a claim alone allocates nothing.
  if (std::uintmax_t{rows} * columns > reader.file_size() / 2 + 1)
    throw InvalidArgument(fmt::format("{}: {} x {} entries claimed, but the file has {} bytes", reader.where(), rows,
                                      columns, reader.file_size()));
  std::vector<double> values(rows * columns);
  std::vector<std::size_t> lines(rows, 0);
  std::string_view line;
  std::size_t read = 0;
  for (; reader.next(line, '%'); ++read) {
    if (read == values.size())
      throw InvalidArgument(fmt::format("{}: more entries than the {} claimed", reader.where(), values.size()));
    // Columns one after another.
    values[(read % rows) * columns + read / rows] = parse_number(line, reader.where(), "entry");
    lines[read % rows] = reader.number();
  }
  if (read != values.size())
    throw InvalidArgument(
        fmt::format("{}: {} entries up to here, need {} as claimed", reader.where(), read, values.size()));
  return {.path = path, .rows = rows, .columns = columns, .values = std::move(values), .lines = std::move(lines)};
}

StoredMatrix read_market(const std::string& path) {
  LineReader reader(path, kKernelLimits);
  std::string_view line;
  reader.next_raw(line);
  const MarketHeader header = parse_market_header(line, reader);
  if (!reader.next(line, '%')) throw InvalidArgument(fmt::format("{}: no line with the sizes", reader.where()));
  const auto sizes = words_of(line, " \t");
  const std::size_t needed = header.is_sparse ? 3 : 2;
  if (sizes.size() != needed)
    throw InvalidArgument(fmt::format("{}: {} sizes, need {}", reader.where(), sizes.size(), needed));
  const double most = 0x1p31;
  const auto rows = static_cast<std::size_t>(parse_integer(sizes[0], 1, most, reader, "rows"));
  const auto columns = static_cast<std::size_t>(parse_integer(sizes[1], 1, most, reader, "columns"));
  if (!header.is_sparse) return read_dense_entries(path, reader, header, rows, columns);
  const auto count =
      static_cast<std::size_t>(parse_integer(sizes[2], 1, static_cast<double>(kMostSparse), reader, "entries"));
  // Nothing is allocated for a claim alone: an entry takes at least six bytes, and every row needs one.
  if (count > reader.file_size() / 6 + 1)
    throw InvalidArgument(
        fmt::format("{}: {} entries claimed, but the file has {} bytes", reader.where(), count, reader.file_size()));
  if (header.is_symmetric && rows != columns)
    throw InvalidArgument(
        fmt::format("{}: {} x {}, need a square for a symmetric matrix", reader.where(), rows, columns));
  const std::size_t expanded = header.is_symmetric ? 2 * count : count;
  if (rows > expanded)
    throw InvalidArgument(
        fmt::format("{}: {} entries, need at least one for each of {} rows", reader.where(), expanded, rows));
  if (columns > kMostColumnsPerEntry * expanded || columns > kMostSparse)
    throw InvalidArgument(fmt::format("{}: {} columns for {} entries, need at most {} for each and {} in all",
                                      reader.where(), columns, expanded, kMostColumnsPerEntry, kMostSparse));
  return read_sparse_entries(path, reader, header, rows, columns, count);
}

}  // namespace

std::string StoredMatrix::place(std::size_t row) const {
  return row < lines.size() && lines[row] > 0 ? fmt::format("{}:{}: ", path, lines[row]) : fmt::format("{}: ", path);
}

StoredMatrix read_stored_matrix(const std::string& path) {
  // Checks that it is a file at all.
  const LineReader reader(path, kKernelLimits);
  std::string start(16, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start.starts_with(kNpyMagic)) return read_npy(path, reader.file_size());
  if (start.starts_with(kMarketMagic)) return read_market(path);
  return read_csv(path);
}

Graph read_edges(const std::string& path) {
  LineReader reader(path, kKernelLimits);
  std::vector<Edge> edges;
  std::string_view line;
  while (reader.next(line)) {
    if (line.front() == '%') continue;
    const auto words = words_of(line, ", \t");
    if (words.size() != 2 && words.size() != 3)
      throw InvalidArgument(
          fmt::format("{}: {} values, need two nodes and possibly a weight", reader.where(), words.size()));
    if (edges.size() == kMostEdges)
      throw InvalidArgument(fmt::format("{}: too many edges, need at most {}", reader.where(), kMostEdges));
    Edge edge{static_cast<std::uint32_t>(parse_integer(words[0], 0, 0xffffffffU, reader, "node")),
              static_cast<std::uint32_t>(parse_integer(words[1], 0, 0xffffffffU, reader, "node"))};
    if (words.size() == 3) edge.weight = parse_number(words[2], reader.where(), "weight");
    if (!(edge.weight > 0.0))
      throw InvalidArgument(fmt::format("{}: weight = {}, need weight > 0", reader.where(), edge.weight));
    edges.push_back(edge);
  }
  if (edges.empty()) throw InvalidArgument("file", fmt::format("'{}'", path), "at least one edge");
  std::vector<std::uint32_t> nodes;
  for (const Edge& edge : edges) nodes.insert(nodes.end(), {edge.first, edge.second});
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const auto index = [&](std::uint32_t node) {
    return static_cast<std::uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
  };
  for (Edge& edge : edges) edge = {index(edge.first), index(edge.second), edge.weight};
  return {nodes.size(), std::move(edges)};
}

}  // namespace doeblin::io
