// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/csv_release.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/csv_blocks.hpp"
#include "doeblin/io/csv_fields.hpp"
#include "doeblin/sampling/table_release.hpp"
#include "sampling/dyadic_text.hpp"
#include "sampling/side_by_side.hpp"

namespace doeblin::sampling {
namespace {

// A column of the file: noise on columns[index], copied, or left out.
struct Role {
  enum class Kind { kNoise, kPublic, kDropped };
  Kind kind;
  std::size_t index = 0;
  std::string name = {};
};

// One block of lines on its way through.
struct Block {
  std::string text;
  std::uint64_t number = 0;
  std::vector<std::string> outputs = {};
  std::uint64_t lines = 0;
  std::uint64_t rows = 0;
  std::vector<std::uint64_t> clipped = {};
  /// The first mistake: what it is, and in which line of the block (from 0).
  std::string problem = {};
};

// What is to become of each column of the file; every one must be declared, once.
std::vector<Role> roles_of(const CsvRelease& release, const std::vector<std::string>& header, const std::string& file) {
  std::unordered_map<std::string, Role> declared;
  const auto declare = [&](const std::string& name, Role::Kind kind, std::size_t index = 0) {
    if (!declared.try_emplace(name, Role{kind, index, name}).second)
      throw InvalidArgument(
          fmt::format("column '{}' is declared twice, need one of noise, public and drop", printable(name)));
  };
  for (std::size_t i = 0; i < release.columns.size(); ++i) declare(release.columns[i].name, Role::Kind::kNoise, i);
  for (const std::string& name : release.public_columns) declare(name, Role::Kind::kPublic);
  for (const std::string& name : release.dropped_columns) declare(name, Role::Kind::kDropped);

  std::vector<Role> roles;
  std::unordered_set<std::string> seen;
  for (const std::string& name : header) {
    if (!seen.insert(name).second)
      throw InvalidArgument(fmt::format("{}:1: two columns are called '{}'", file, printable(name)));
    const auto found = declared.find(name);
    if (found == declared.end())
      throw InvalidArgument(
          fmt::format("{}:1: nothing is declared about column '{}', need bounds, a sensitivity, public or drop", file,
                      printable(name)));
    roles.push_back(found->second);
  }
  const auto missing = [&](const std::string& name) {
    if (!seen.contains(name))
      throw InvalidArgument(fmt::format("{}:1: there is no column '{}'", file, printable(name)));
  };
  for (const ColumnPlan& plan : release.columns) missing(plan.name);
  for (const std::string& name : release.public_columns) missing(name);
  for (const std::string& name : release.dropped_columns) missing(name);
  return roles;
}

class Worker {
 public:
  Worker(const CsvRelease& release, const std::vector<Role>& roles, const RandomSource& source)
      : release_(release), roles_(roles), noise_(release.columns, release.law, release.is_strict, source) {}

  void process(Block& block) const {
    Table table{noise_.empty_block(), {}};
    const bool is_good = read(block, table);
    block.clipped = table.numbers.clipped;
    if (!is_good) return;
    block.outputs.assign(release_.outputs.size(), {});
    noise_.draw(table.numbers, block.number, [&](std::size_t release) { write(block, table, release); });
  }

 private:
  struct Table {
    RowBlock numbers;
    /// Row by row: the text of the public columns.
    std::vector<std::string_view> texts;
  };

  bool read(Block& block, Table& table) const {
    std::string_view rest = block.text;
    for (std::string_view line; io::next_line(rest, line); ++block.lines) {
      // In a file of one column a blank line may be a missing value.
      if (line.empty() && roles_.size() > 1) continue;
      io::FieldReader fields(line);
      for (const Role& role : roles_) {
        std::string_view field;
        if (!fields.next(field)) return fail(block, fields.problem(), role.name);
        if (role.kind == Role::Kind::kPublic) table.texts.push_back(field);
        if (role.kind == Role::Kind::kNoise && !take(block, table, role, field)) return false;
      }
      if (!fields.is_at_end())
        return fail(block, fmt::format("more than the {} columns of the header", roles_.size()), "");
      ++block.rows;
    }
    return true;
  }

  bool take(Block& block, Table& table, const Role& role, std::string_view field) const {
    double x = 0.0;
    if (!io::parse_number(field, x))
      return fail(block, fmt::format("'{}' is not a finite number", printable(field)), role.name);
    return noise_.take(table.numbers, role.index, x) || fail(block, noise_.refusal(role.index, x, field), role.name);
  }

  static bool fail(Block& block, const std::string& problem, const std::string& column) {
    block.problem = column.empty() ? problem : fmt::format("column '{}': {}", printable(column), problem);
    return false;
  }

  void write(Block& block, const Table& table, std::size_t release) const {
    std::string& out = block.outputs[release];
    out.reserve(block.text.size() + block.text.size() / 2);
    struct Scale {
      int bits;
      std::int64_t half;
      int exponent;
      std::int64_t centre;
    };
    std::vector<Scale> scales;
    for (const ColumnPlan& plan : release_.columns) {
      const int bits = plan.coarse_bits(release);
      scales.push_back({bits, bits > 0 ? std::int64_t{1} << (bits - 1) : 0, plan.grid.exponent + bits, plan.centre});
    }
    std::size_t text = 0;
    char digits[kLongestNumber];
    for (std::uint64_t row = 0; row < block.rows; ++row) {
      bool is_first = true;
      for (const Role& role : roles_) {
        if (role.kind == Role::Kind::kDropped) continue;
        if (!is_first) out += ',';
        is_first = false;
        if (role.kind == Role::Kind::kPublic) {
          out += table.texts[text++];
          continue;
        }
        const Scale& scale = scales[role.index];
        const std::int64_t steps = table.numbers.points[role.index][row] + scale.centre;
        char* const end = write_dyadic(digits, (steps + scale.half) >> scale.bits, scale.exponent);
        out.append(digits, static_cast<std::size_t>(end - digits));
      }
      out += '\n';
    }
  }

  const CsvRelease& release_;
  const std::vector<Role>& roles_;
  TableNoise noise_;
};

std::string header_of(const std::vector<Role>& roles, const std::vector<std::string>& raw) {
  std::string line;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i].kind == Role::Kind::kDropped) continue;
    if (!line.empty()) line += ',';
    line += raw[i];
  }
  return line + "\n";
}

}  // namespace

std::vector<std::string> csv_columns(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw InvalidArgument("input", fmt::format("'{}'", path), "a regular file, to be read twice");
  io::BlockReader reader(path);
  std::vector<std::string> raw;
  return io::split_header(reader.first_line(), reader.name(), raw);
}

CsvReleased release_csv(const CsvRelease& release, const RandomSource& source,
                        const std::function<void(std::uint64_t)>& progress) {
  ensure(!release.columns.empty(), "a column that gets noise");
  for (const ColumnPlan& plan : release.columns)
    ensure(plan.grid.path.size() == release.outputs.size(), "one output for each release");
  io::BlockReader reader(release.input);
  std::vector<std::string> raw;
  const std::vector<std::string> header = io::split_header(reader.first_line(), reader.name(), raw);
  const std::vector<Role> roles = roles_of(release, header, reader.name());
  if (std::none_of(roles.begin(), roles.end(), [](const Role& role) { return role.kind == Role::Kind::kNoise; }))
    throw InvalidArgument(fmt::format("{}: no column gets noise", reader.name()));
  std::vector<AtomicFile> files;
  for (const std::string& path : release.outputs) {
    files.emplace_back(Option{"output"}, path, release.files);
    files.back().write(header_of(roles, raw));
  }
  const Worker worker(release, roles, source);
  const unsigned threads = thread_count(release.threads);
  const std::size_t rows_per_block = TableNoise::rows_per_block(release.columns.size());

  CsvReleased done{.clipped = std::vector<std::uint64_t>(release.columns.size(), 0)};
  std::uint64_t line = 2;
  std::uint64_t number = 0;
  for (bool is_more = true; is_more;) {
    std::vector<Block> blocks;
    while (blocks.size() < threads && is_more) {
      Block block{.text = {}, .number = number++};
      is_more = reader.next(block.text, rows_per_block);
      if (!block.text.empty()) blocks.push_back(std::move(block));
    }
    if (blocks.empty()) break;
    side_by_side(blocks.size(), [&](std::size_t i) { worker.process(blocks[i]); });
    for (Block& block : blocks) {
      if (!block.problem.empty())
        throw InvalidArgument(fmt::format("{}:{}: {}", reader.name(), line + block.lines, block.problem));
      line += block.lines;
      done.rows += block.rows;
      if (done.rows > release.most_rows)
        throw InvalidArgument(
            Sentence{fmt::format("{}:{}: more than {} rows, need ", reader.name(), line, release.most_rows),
                     Option{"rows_per_person"}, " for files as long as this"});
      for (std::size_t c = 0; c < block.clipped.size(); ++c) done.clipped[c] += block.clipped[c];
      for (std::size_t i = 0; i < files.size(); ++i) files[i].write(block.outputs[i]);
    }
    progress(done.rows);
  }
  // All of them are on the disk before the first one appears.
  for (AtomicFile& file : files) file.finish();
  for (AtomicFile& file : files) file.commit();
  return done;
}

}  // namespace doeblin::sampling
