// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/table_release.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"
#include "sampling/side_by_side.hpp"

namespace doeblin::sampling {
namespace {

// A cell takes up to 25 bytes of a file, so that a block of this many fits into what is read at once.
constexpr std::size_t kCells = std::size_t{1} << 15;
// Blocks for each thread between two calls of `progress`.
constexpr std::size_t kBlocksAtOnce = 4;

}  // namespace

TableNoise::TableNoise(const std::vector<ColumnPlan>& columns, LatticeLaw law, bool is_strict,
                       const RandomSource& source)
    : columns_(columns), is_strict_(is_strict), source_(source) {
  std::map<std::vector<double>, std::shared_ptr<const NoisePath>> known;
  for (const ColumnPlan& plan : columns) {
    std::vector<double> numbers;
    for (const GridTransition& step : plan.grid.path) numbers.insert(numbers.end(), {step.multiplier, step.noise});
    auto& path = known[numbers];
    if (!path) path = std::make_shared<const NoisePath>(law, plan.grid.path);
    paths_.push_back(path);
  }
}

std::size_t TableNoise::rows_per_block(std::size_t columns) { return std::max<std::size_t>(1, kCells / columns); }

RowBlock TableNoise::empty_block() const {
  return {.points = std::vector<std::vector<std::int64_t>>(columns_.size()),
          .clipped = std::vector<std::uint64_t>(columns_.size(), 0)};
}

bool TableNoise::take(RowBlock& block, std::size_t column, double x) const {
  const ColumnPlan& plan = columns_[column];
  if (!std::isfinite(x)) return false;
  if (x < plan.low || x > plan.high) {
    if (is_strict_ || !plan.is_bounded) return false;
    ++block.clipped[column];
    x = std::clamp(x, plan.low, plan.high);
  }
  block.points[column].push_back(plan.rounded(x) - plan.centre);
  return true;
}

std::string TableNoise::refusal(std::size_t column, double x, std::string_view text) const {
  const ColumnPlan& plan = columns_[column];
  if (!std::isfinite(x)) return fmt::format("'{}' is not a finite number", printable(text));
  return fmt::format("'{}' is outside [{}, {}]{}", printable(text), format_exact(plan.low), format_exact(plan.high),
                     plan.is_bounded ? "" : ", what the grid holds without bounds");
}

void TableNoise::draw(RowBlock& block, std::uint64_t number, const std::function<void(std::size_t)>& released) const {
  RandomStream random = source_.stream(number + 1);
  for (std::size_t release = 0; release < paths_[0]->releases(); ++release) {
    for (std::size_t c = 0; c < columns_.size(); ++c) paths_[c]->advance(release, random, block.points[c]);
    released(release);
  }
}

TableReleased release_table(const TableRelease& release, const RandomSource& source,
                            const std::function<void(std::uint64_t)>& progress) {
  const std::size_t width = release.columns.size();
  ensure(width > 0 && release.places.size() == width && release.values.size() % width == 0, "whole rows");
  const std::size_t rows = release.values.size() / width;
  if (rows > release.most_rows)
    throw InvalidArgument(Sentence{fmt::format("values: {} rows, need at most {} without ", rows, release.most_rows),
                                   Option{"rows_per_person"}});
  TableReleased done{.rows = rows};
  done.tables.assign(release.columns[0].grid.path.size(), std::vector<double>(release.values.size()));

  const TableNoise noise(release.columns, release.law, release.is_strict, source);
  const std::size_t rows_of_block = TableNoise::rows_per_block(width);
  const auto process = [&](std::size_t number) {
    const std::size_t first = number * rows_of_block;
    const std::size_t last = std::min(rows, first + rows_of_block);
    RowBlock block = noise.empty_block();
    for (std::size_t row = first; row < last; ++row)
      for (std::size_t c = 0; c < width; ++c) {
        const double x = release.values[row * width + release.places[c]];
        if (!noise.take(block, c, x))
          throw InvalidArgument(fmt::format("values[{}]: column '{}': {}", row, printable(release.columns[c].name),
                                            noise.refusal(c, x, format_exact(x))));
      }
    noise.draw(block, number, [&](std::size_t r) {
      for (std::size_t c = 0; c < width; ++c) {
        const ColumnPlan& plan = release.columns[c];
        double* to = done.tables[r].data() + first * width + release.places[c];
        for (const std::int64_t point : block.points[c]) *to = plan.value_of(point + plan.centre, r), to += width;
      }
    });
  };
  const std::size_t blocks = (rows + rows_of_block - 1) / rows_of_block;
  const std::size_t threads = thread_count(release.threads);
  for (std::size_t begin = 0; begin < blocks; begin += threads * kBlocksAtOnce) {
    const std::size_t end = std::min(blocks, begin + threads * kBlocksAtOnce);
    // Neighbouring blocks for each, so that the first mistake is that of the first thread with one.
    const std::size_t each = (end - begin + threads - 1) / threads;
    side_by_side((end - begin + each - 1) / each, [&](std::size_t t) {
      for (std::size_t i = begin + t * each; i < std::min(end, begin + (t + 1) * each); ++i) process(i);
    });
    progress(std::min(rows, end * rows_of_block));
  }
  return done;
}

}  // namespace doeblin::sampling
