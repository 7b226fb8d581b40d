// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/finite_kernel.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "doeblin/core/rounding.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/parallel.hpp"
#include "doeblin/numerics/wide.hpp"
#include "mixing/dense_product.hpp"

namespace doeblin {
namespace {

using rounding::add_up;
using rounding::kUnit;
using rounding::mul_up;

constexpr double kSmallestNormal = 0x1p-1022;
constexpr double kTolerancePerEntry = 1e-12;
// Rows multiplied by one task.
constexpr std::size_t kRowsPerTask = 256;
// A sparse product that is at least this full becomes dense.
constexpr double kDenseShare = 0.25;

std::string name_of(const FiniteKernel::RowPlace& place, std::size_t row) {
  return fmt::format("row {}", row + 1).insert(0, place ? place(row) : "");
}

void require_sizes(std::size_t states, std::size_t outputs) {
  require(states >= 1, "states", static_cast<double>(states), "at least 1");
  require(outputs >= 1, "outputs", static_cast<double>(outputs), "at least 1");
  require(states <= 0xffffffffU, "states", static_cast<double>(states), "fewer than 2^32");
  require(outputs <= 0xffffffffU, "outputs", static_cast<double>(outputs), "fewer than 2^32");
}

// What dividing a row by its sum does to the error of its entries.
struct Errors {
  double relative = 0.0;
  double absolute = 0.0;
};

// Checks a row and divides it by its sum.
Errors normalise(std::span<double> row, std::span<const std::uint32_t> columns, const FiniteKernel::RowPlace& place,
                 std::size_t number) {
  double sum = 0.0;
  double rest = 0.0;
  bool is_exact = true;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (!(row[k] >= 0.0 && row[k] <= 1.0 + kTolerancePerEntry))
      throw InvalidArgument(
          fmt::format("{}, column {}", name_of(place, number), (columns.empty() ? k : columns[k]) + 1),
          fmt::format("{}", row[k]), "0 <= entry <= 1");
    const auto [next, error] = numerics::two_sum(sum, row[k]);
    sum = next;
    rest += error;
    is_exact = is_exact && error == 0.0;
  }
  if (is_exact && sum == 1.0) return {};
  // The rests are at most 2^-53 each, so adding them up is off by at most n^2 2^-106: less than 2^-53 for any n here.
  const double total = sum + rest;
  if (!(std::fabs(total - 1.0) <= kTolerancePerEntry * static_cast<double>(row.size())))
    throw InvalidArgument(fmt::format("{}sum of row {}", place ? place(number) : "", number + 1),
                          fmt::format("{}", total), "1 (within 1e-12 per entry)");
  Errors errors{.relative = 8.0 * kUnit};
  for (double& entry : row) {
    entry /= total;
    if (entry > 0.0 && entry < kSmallestNormal) errors.absolute = rounding::kSmallest;
  }
  return errors;
}

}  // namespace

MixingBounds MixingBounds::joined(const MixingBounds& first, const MixingBounds& second) {
  const double a = std::min(first.ultra_level, second.ultra_level);
  const double b = std::max(first.ultra_level, second.ultra_level);
  double level = a;
  // log(1 + (e^a - 1)(e^b - 1)/(e^a + e^b)), or the smaller of the two where that overflows.
  if (b < 300.0) {
    const Bracket both = numerics::expm1(Bracket(a)) * numerics::expm1(Bracket(b));
    level = numerics::log1p(both / (numerics::exp(Bracket(a)) + numerics::exp(Bracket(b)))).upper();
  }
  return {std::min(1.0, mul_up(first.dobrushin, second.dobrushin)),
          std::min(1.0, mul_up(first.doeblin, second.doeblin)), std::min(a, level)};
}

MixingBounds MixingBounds::better(const MixingBounds& first, const MixingBounds& second) {
  return {std::min(first.dobrushin, second.dobrushin), std::min(first.doeblin, second.doeblin),
          std::min(first.ultra_level, second.ultra_level)};
}

FiniteKernel FiniteKernel::dense(std::size_t states, std::size_t outputs, std::vector<double> values,
                                 const RowPlace& place) {
  FiniteKernel kernel = calculated(states, outputs, std::move(values), 0.0, 0.0);
  for (std::size_t x = 0; x < states; ++x) {
    const Errors errors = normalise({kernel.values_.data() + x * outputs, outputs}, {}, place, x);
    kernel.relative_error_ = rounding::larger(kernel.relative_error_, errors.relative);
    kernel.absolute_error_ = rounding::larger(kernel.absolute_error_, errors.absolute);
  }
  return kernel;
}

FiniteKernel FiniteKernel::sparse(std::size_t states, std::size_t outputs, std::vector<Entry> entries,
                                  const RowPlace& place) {
  require_sizes(states, outputs);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.row, a.column) < std::tie(b.row, b.column); });
  FiniteKernel kernel;
  kernel.states_ = states;
  kernel.outputs_ = outputs;
  kernel.starts_.assign(states + 1, 0);
  kernel.columns_.reserve(entries.size());
  kernel.values_.reserve(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& entry = entries[k];
    ensure(entry.row < states && entry.column < outputs, "entries lie in the kernel");
    if (k > 0 && entries[k - 1].row == entry.row && entries[k - 1].column == entry.column)
      throw InvalidArgument(
          fmt::format("{}, column {}: the entry is given twice", name_of(place, entry.row), entry.column + 1));
    if (entry.value == 0.0) continue;
    ++kernel.starts_[entry.row + 1];
    kernel.columns_.push_back(entry.column);
    kernel.values_.push_back(entry.value);
  }
  for (std::size_t x = 0; x < states; ++x) kernel.starts_[x + 1] += kernel.starts_[x];
  for (std::size_t x = 0; x < states; ++x) {
    const std::size_t begin = kernel.starts_[x];
    const std::size_t count = kernel.starts_[x + 1] - begin;
    const Errors errors =
        normalise({kernel.values_.data() + begin, count}, {kernel.columns_.data() + begin, count}, place, x);
    kernel.relative_error_ = rounding::larger(kernel.relative_error_, errors.relative);
    kernel.absolute_error_ = rounding::larger(kernel.absolute_error_, errors.absolute);
  }
  return kernel;
}

FiniteKernel FiniteKernel::calculated(std::size_t states, std::size_t outputs, std::vector<double> values,
                                      double relative_error, double absolute_error) {
  require_sizes(states, outputs);
  ensure(values.size() == states * outputs, "a dense kernel has states * outputs entries");
  FiniteKernel kernel;
  kernel.states_ = states;
  kernel.outputs_ = outputs;
  kernel.values_ = std::move(values);
  kernel.relative_error_ = relative_error;
  kernel.absolute_error_ = absolute_error;
  return kernel;
}

KernelRow FiniteKernel::row(std::size_t x) const {
  if (is_dense()) return {{values_.data() + x * outputs_, outputs_}, {}};
  const std::size_t count = starts_[x + 1] - starts_[x];
  return {{values_.data() + starts_[x], count}, {columns_.data() + starts_[x], count}};
}

Bracket FiniteKernel::enclosed(double entry) const {
  if (relative_error_ == 0.0 && absolute_error_ == 0.0) return Bracket(entry);
  const double margin = add_up(mul_up(relative_error_, entry), absolute_error_);
  return {std::max(0.0, rounding::sub_down(entry, margin)), std::min(1.0, add_up(entry, margin))};
}

FiniteKernel FiniteKernel::with_relative_error(double more) && {
  relative_error_ = rounding::sub_up(mul_up(add_up(1.0, relative_error_), add_up(1.0, more)), 1.0);
  return std::move(*this);
}

FiniteKernel FiniteKernel::with_bounds(const MixingBounds& bounds) && {
  bounds_ = MixingBounds::better(bounds_, bounds);
  return std::move(*this);
}

FiniteKernel FiniteKernel::densified() const {
  if (is_dense()) return *this;
  if (states_ > kMostDense / outputs_)
    throw InvalidArgument("entries of the product", fmt::format("up to {} x {}", states_, outputs_),
                          fmt::format("at most {}", kMostDense));
  FiniteKernel full = *this;
  full.starts_.clear();
  full.columns_.clear();
  full.values_.assign(states_ * outputs_, 0.0);
  for (std::size_t x = 0; x < states_; ++x) {
    const KernelRow sparse_row = row(x);
    for (std::size_t k = 0; k < sparse_row.values.size(); ++k)
      full.values_[x * outputs_ + sparse_row.columns[k]] = sparse_row.values[k];
  }
  return full;
}

double FiniteKernel::smallest_entry() const {
  double smallest = 1.0;
  for (const double value : values_)
    if (value > 0.0) smallest = std::min(smallest, value);
  return smallest;
}

void FiniteKernel::charge_product(const FiniteKernel& first, const FiniteKernel& second) {
  const double inner = static_cast<double>(first.outputs_);
  // (1 + a)(1 + b)(1 + (n + 2) 2^-53) - 1, which also covers the product of the lower ends.
  const double sums = mul_up(inner + 2.0, kUnit);
  const double factor =
      mul_up(mul_up(add_up(1.0, first.relative_error_), add_up(1.0, second.relative_error_)), add_up(1.0, sums));
  relative_error_ = rounding::sub_up(factor, 1.0);
  const bool is_exact = first.absolute_error_ == 0.0 && second.absolute_error_ == 0.0;
  // No product underflows; a sum of products is at least as large as the smallest.
  if (is_exact && first.smallest_entry() * second.smallest_entry() >= 2.0 * kSmallestNormal) return;
  // Columns of the second kernel sum to at most `inner`, rows of the first to 1; each product may lose 2^-1074.
  absolute_error_ = add_up(add_up(mul_up(2.0 * inner, first.absolute_error_), mul_up(4.0, second.absolute_error_)),
                           mul_up(2.0 * inner, rounding::kSmallest));
}

FiniteKernel product(const FiniteKernel& first, const FiniteKernel& second) {
  if (first.outputs_ != second.states_)
    throw InvalidArgument("states", fmt::format("{}", second.states_),
                          fmt::format("the {} outputs of the kernel before it", first.outputs_));
  FiniteKernel result;
  result.states_ = first.states_;
  result.outputs_ = second.outputs_;
  result.charge_product(first, second);
  result.bounds_ = MixingBounds::joined(first.bounds_, second.bounds_);
  const std::size_t tasks = (first.states_ + kRowsPerTask - 1) / kRowsPerTask;
  if (first.is_dense() || second.is_dense()) {
    if (result.states_ > FiniteKernel::kMostDense / result.outputs_)
      throw InvalidArgument("entries of the product", fmt::format("{} x {}", result.states_, result.outputs_),
                            fmt::format("at most {}", FiniteKernel::kMostDense));
    const FiniteKernel left = first.densified();
    const FiniteKernel right = second.densified();
    result.values_.resize(result.states_ * result.outputs_);
    numerics::parallel_for(tasks, [&](std::size_t task) {
      const std::size_t begin = task * kRowsPerTask;
      multiply(left.values_.data() + begin * right.states_, right.values_.data(),
               result.values_.data() + begin * result.outputs_, std::min(kRowsPerTask, result.states_ - begin),
               right.states_, result.outputs_);
    });
    return result;
  }
  // Row by row: a dense row of sums, and the columns that were touched.
  std::vector<std::vector<std::pair<std::uint32_t, double>>> rows(result.states_);
  std::atomic<std::size_t> count{0};
  numerics::parallel_for(tasks, [&](std::size_t task) {
    std::vector<double> sums(result.outputs_, 0.0);
    std::vector<std::uint32_t> touched;
    for (std::size_t x = task * kRowsPerTask; x < std::min(result.states_, (task + 1) * kRowsPerTask); ++x) {
      touched.clear();
      const KernelRow left = first.row(x);
      for (std::size_t k = 0; k < left.values.size(); ++k) {
        const KernelRow right = second.row(left.columns[k]);
        for (std::size_t l = 0; l < right.values.size(); ++l) {
          double& sum = sums[right.columns[l]];
          if (sum == 0.0) touched.push_back(right.columns[l]);
          // A product that underflows leaves a trace, so that no column is listed twice.
          sum += std::max(left.values[k] * right.values[l], rounding::kSmallest);
        }
      }
      std::sort(touched.begin(), touched.end());
      if ((count += touched.size()) > FiniteKernel::kMostSparse)
        throw InvalidArgument("entries of the product", fmt::format("more than {}", FiniteKernel::kMostSparse),
                              "fewer: the product of these sparse kernels is too full");
      rows[x].reserve(touched.size());
      for (const std::uint32_t y : touched) rows[x].emplace_back(y, std::exchange(sums[y], 0.0));
    }
  });
  result.starts_.assign(1, 0);
  for (auto& entries : rows) {
    for (const auto& [column, value] : entries) {
      result.columns_.push_back(column);
      result.values_.push_back(value);
    }
    result.starts_.push_back(result.values_.size());
    std::vector<std::pair<std::uint32_t, double>>().swap(entries);
  }
  const double full = static_cast<double>(result.states_) * static_cast<double>(result.outputs_);
  const bool becomes_dense =
      full <= static_cast<double>(FiniteKernel::kMostDense) && static_cast<double>(result.size()) >= kDenseShare * full;
  return becomes_dense ? result.densified() : result;
}

}  // namespace doeblin
