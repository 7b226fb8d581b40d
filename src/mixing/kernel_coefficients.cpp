// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_coefficients.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/core/whole.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "mixing/pair_search.hpp"

namespace doeblin {
namespace {

// The smallest and the largest entry of a column, with the states that have them.
struct Column {
  double smallest = rounding::kInfinity;
  double largest = 0.0;
  std::size_t smallest_at = 0;
  std::size_t largest_at = 0;
  std::size_t count = 0;

  void add(double value, std::size_t state) {
    ++count;
    if (value < smallest) smallest = value, smallest_at = state;
    if (value > largest) largest = value, largest_at = state;
  }
};

Bracket at_most(const Bracket& value, double bound) { return {value.lower(), std::min(value.upper(), bound)}; }

std::vector<Column> columns_of(const FiniteKernel& kernel) {
  std::vector<Column> columns(kernel.outputs());
  for (std::size_t x = 0; x < kernel.states(); ++x) {
    const KernelRow row = kernel.row(x);
    for (std::size_t k = 0; k < row.values.size(); ++k)
      columns[row.columns.empty() ? k : row.columns[k]].add(row.values[k], x);
  }
  if (kernel.is_dense()) return columns;
  // Where a sparse column has a gap, its smallest entry is a zero that is not stored.
  std::vector<std::size_t> next(kernel.outputs(), 0);  // the first state not seen to have an entry
  for (std::size_t x = 0; x < kernel.states(); ++x)
    for (const std::uint32_t y : kernel.row(x).columns)
      if (next[y] == x) ++next[y];
  for (std::size_t y = 0; y < columns.size(); ++y)
    if (columns[y].count < kernel.states()) columns[y].smallest = 0.0, columns[y].smallest_at = next[y];
  return columns;
}

}  // namespace

PairCoefficient hockey_stick(const FiniteKernel& kernel, Epsilon epsilon, const SearchProgress& progress) {
  PairCoefficient found = worst_pair(kernel, epsilon, progress);
  // A divergence is largest at eps = 0.
  found.value = at_most(found.value, kernel.bounds().dobrushin);
  return found;
}

PairCoefficient dobrushin(const FiniteKernel& kernel, const SearchProgress& progress) {
  return hockey_stick(kernel, Epsilon(0.0), progress);
}

DoeblinCoefficient doeblin_coefficient(const FiniteKernel& kernel) {
  DoeblinCoefficient result;
  Bracket sum(0.0);
  double plain = 0.0;
  const std::vector<Column> columns = columns_of(kernel);
  for (const Column& column : columns) {
    if (column.smallest > 0.0 || kernel.absolute_error() > 0.0) sum = sum + kernel.enclosed(column.smallest);
    plain += column.smallest;
  }
  result.gamma = at_most(clamp(1.0 - sum, 0.0, 1.0), kernel.bounds().doeblin);
  if (plain > 0.0)
    for (const Column& column : columns) result.minorising.push_back(column.smallest / plain);
  return result;
}

UltraMixingCoefficient ultra_mixing_coefficient(const FiniteKernel& kernel) {
  UltraMixingCoefficient result;
  const std::vector<Column> columns = columns_of(kernel);
  double worst = rounding::kInfinity;
  for (std::size_t y = 0; y < columns.size(); ++y) {
    const Column& column = columns[y];
    const Bracket largest = kernel.enclosed(column.largest);
    if (largest.upper() == 0.0) continue;
    if (const double ratio = column.smallest / column.largest; ratio < worst) {
      worst = ratio;
      result.smaller = column.smallest_at;
      result.larger = column.largest_at;
      result.output = y;
    }
    // Entries that are the same to the last bit, and known exactly.
    if (largest.is_exact() && column.smallest == column.largest) continue;
    const Bracket smallest = kernel.enclosed(column.smallest);
    // A column whose entries may all be 0 bounds nothing from below.
    const bool is_surely_positive = largest.lower() > 0.0;
    const double low =
        is_surely_positive
            ? (numerics::log(Bracket(largest.lower())) - numerics::log(Bracket(smallest.upper()))).lower()
            : 0.0;
    const double high = (numerics::log(Bracket(largest.upper())) - numerics::log(Bracket(smallest.lower()))).upper();
    // One row's entry against itself: the ratio is 1.
    const double floor = std::max(0.0, low);
    result.level = max(result.level, Bracket(floor, std::max(floor, high)));
  }
  if (kernel.states() == 1) result.level = Bracket(0.0);
  result.level = at_most(result.level, kernel.bounds().ultra_level);
  const bool is_unbounded = result.level.lower() == rounding::kInfinity;
  result.gamma = is_unbounded ? Bracket(1.0) : clamp(-numerics::expm1(-result.level), 0.0, 1.0);
  return result;
}

FiniteKernel with_coefficients(FiniteKernel kernel) {
  const MixingBounds bounds{dobrushin(kernel).value.upper(), doeblin_coefficient(kernel).gamma.upper(),
                            ultra_mixing_coefficient(kernel).level.upper()};
  return std::move(kernel).with_bounds(bounds);
}

FiniteKernel power(const FiniteKernel& kernel, double steps, const SearchProgress& progress) {
  require_whole("steps", steps, 1.0, 0x1p53);
  require(kernel.is_square() || steps == 1.0, "steps", steps, "1 for a kernel whose outputs are not its states");
  if (steps == 1.0) return kernel;
  const auto count = static_cast<std::uint64_t>(steps);
  int bit = 63;
  while (((count >> bit) & 1U) == 0) --bit;
  const double total = bit;
  const FiniteKernel base = with_coefficients(kernel);
  FiniteKernel result = base;
  while (--bit >= 0) {
    result = with_coefficients(product(result, result));
    if ((count >> bit) & 1U) result = with_coefficients(product(result, base));
    if (progress) progress((total - bit) / total);
  }
  return result;
}

}  // namespace doeblin
