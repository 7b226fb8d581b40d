// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "doeblin/core/bracket.hpp"
#include "doeblin/io/kernel_file.hpp"

namespace doeblin {

/// The entries of one row of a kernel, and their columns in increasing order; a dense row has no columns, entry y
/// stands at y.
struct KernelRow {
  std::span<const double> values;
  std::span<const std::uint32_t> columns;
};

/// Upper bounds on a kernel's coefficients that are known from how it was made: nothing for a matrix that was given. In
/// the powers of a kernel rows agree more and more, until their entries differ by less than their errors; from there on
/// these bounds are all that is known.
struct MixingBounds {
  double dobrushin = 1.0;
  double doeblin = 1.0;
  double ultra_level = rounding::kInfinity;

  /// Of two kernels one after another.
  ///
  /// Formula  dobrushin and doeblin multiply; e^level = (1 + e^{a+b})/(e^a + e^b)
  /// Source   catalogue M1 and M5, pure case. Doeblin: either kernel forgets, with probability 1 - gamma each
  [[nodiscard]] static MixingBounds joined(const MixingBounds& first, const MixingBounds& second);
  [[nodiscard]] static MixingBounds better(const MixingBounds& first, const MixingBounds& second);
};

/// A Markov kernel between finite sets: row x of a row-stochastic matrix is the law K(x).
///
/// Every entry is known up to one relative and one absolute error: the true one lies within
/// relative_error() * entry + absolute_error() of the stored one. Both are 0 for rows that sum to 1 exactly.
class FiniteKernel {
 public:
  using Entry = io::MatrixEntry;
  /// What error messages about a row, counted from 0, begin with: "file:line: ".
  using RowPlace = std::function<std::string(std::size_t)>;

  /// The largest dense kernel, in entries, and the largest sparse one.
  static constexpr std::size_t kMostDense = io::kMostDense;
  static constexpr std::size_t kMostSparse = io::kMostSparse;

  /// Row-major values. Domain: entries in [0, 1], each row sum within 1e-12 per entry of 1. Within that, rows are
  /// divided by their sum and the error of doing so is charged.
  static FiniteKernel dense(std::size_t states, std::size_t outputs, std::vector<double> values,
                            const RowPlace& place = {});
  /// Entries in any order, none given twice; what is not given is 0.
  static FiniteKernel sparse(std::size_t states, std::size_t outputs, std::vector<Entry> entries,
                             const RowPlace& place = {});
  /// Row-major values of rows that sum to 1 by construction, each known up to these errors.
  static FiniteKernel calculated(std::size_t states, std::size_t outputs, std::vector<double> values,
                                 double relative_error, double absolute_error);

  [[nodiscard]] std::size_t states() const { return states_; }
  [[nodiscard]] std::size_t outputs() const { return outputs_; }
  [[nodiscard]] bool is_square() const { return states_ == outputs_; }
  [[nodiscard]] bool is_dense() const { return starts_.empty(); }
  /// How many entries are stored.
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] KernelRow row(std::size_t x) const;

  [[nodiscard]] double relative_error() const { return relative_error_; }
  [[nodiscard]] double absolute_error() const { return absolute_error_; }
  /// The entry as it is known.
  [[nodiscard]] Bracket enclosed(double entry) const;

  /// The same entries, each known less well.
  [[nodiscard]] FiniteKernel with_relative_error(double more) &&;

  [[nodiscard]] const MixingBounds& bounds() const { return bounds_; }
  [[nodiscard]] FiniteKernel with_bounds(const MixingBounds& bounds) &&;

  /// First `first`, then `second`. Domain: first.outputs() == second.states().
  ///
  /// Bound    all products are of non-negative numbers, so that relative errors add and nothing cancels
  /// Cost     states * outputs * inner, or the number of products for sparse kernels
  friend FiniteKernel product(const FiniteKernel& first, const FiniteKernel& second);

 private:
  FiniteKernel() = default;
  [[nodiscard]] FiniteKernel densified() const;
  [[nodiscard]] double smallest_entry() const;
  void charge_product(const FiniteKernel& first, const FiniteKernel& second);

  std::size_t states_ = 0;
  std::size_t outputs_ = 0;
  std::vector<std::size_t> starts_;     // of the rows of a sparse kernel, and the end of the last
  std::vector<std::uint32_t> columns_;  // of a sparse kernel
  std::vector<double> values_;
  double relative_error_ = 0.0;
  double absolute_error_ = 0.0;
  MixingBounds bounds_;
};

[[nodiscard]] FiniteKernel product(const FiniteKernel& first, const FiniteKernel& second);

}  // namespace doeblin
