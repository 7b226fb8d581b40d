// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>

#include <arb_mat.h>

#include "doeblin/io/kernel_file.hpp"
#include "doeblin/io/matrix_file.hpp"
#include "verify/mixing/kernels.hpp"

namespace doeblin::verify {
namespace {

using Rows = std::vector<std::vector<Ball>>;

// Beyond these a product, or all products of a program, would take minutes.
constexpr double kMostEntries = 1e6;
constexpr double kMostProducts = 5e8;
// The matrix of k-ary response is multiplied with others up to here; above it only its curve is used.
constexpr double kMostResponseStates = 512.0;

void require_size(double states, double outputs) {
  if (!(states * outputs <= kMostEntries)) throw CannotCheck("the kernel's matrix is too large for ball arithmetic");
}

// Rows that miss a sum of 1 are divided by it.
void normalise(std::vector<Ball>& row) {
  Ball sum(0);
  for (const Ball& entry : row) {
    if (!certainly_at_most(Ball(0), entry)) throw CannotCheck("the kernel's file has a negative entry");
    sum = sum + entry;
  }
  const Ball off = absolute(sum - Ball(1));
  const Ball allowed(1e-12 * static_cast<double>(row.size() + 1));
  if (!certainly_at_most(off, allowed)) throw CannotCheck("a row of the kernel's file does not sum to 1");
  if (arb_is_one(sum.get()) != 0) return;
  for (Ball& entry : row) entry = entry / sum;
}

Rows from_csv(const std::string& path) {
  Rows rows;
  const auto numbers = io::read_matrix(path);
  require_size(static_cast<double>(numbers.size()), static_cast<double>(numbers.at(0).size()));
  for (const auto& line : numbers) {
    rows.emplace_back(line.begin(), line.end());
    normalise(rows.back());
  }
  return rows;
}

Rows from_other_format(const std::string& path) {
  const io::StoredMatrix read = io::read_stored_matrix(path);
  require_size(static_cast<double>(read.rows), static_cast<double>(read.columns));
  Rows rows(read.rows, std::vector<Ball>(read.columns));
  for (std::size_t k = 0; k < read.values.size(); ++k) rows[k / read.columns][k % read.columns] = Ball(read.values[k]);
  for (const io::MatrixEntry& entry : read.entries) rows[entry.row][entry.column] = Ball(entry.value);
  for (auto& row : rows) normalise(row);
  return rows;
}

Rows from_file(const std::string& path) {
  std::string start(16, '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.starts_with("\x93NUMPY") || start.starts_with("%%MatrixMarket") ? from_other_format(path)
                                                                               : from_csv(path);
}

Rows response_rows(const KAryPower& power) {
  const auto n = static_cast<std::size_t>(power.states);
  Rows rows(n, std::vector<Ball>(n, power.elsewhere));
  for (std::size_t x = 0; x < n; ++x) rows[x][x] = power.diagonal;
  return rows;
}

// Noise j has probability ratio^|j| (1 - ratio)/(1 + ratio); an end also has the tail beyond it, ratio^|j|/(1 + ratio).
Rows geometric_rows(double states, const Ball& ratio) {
  require_size(states, states);
  const auto n = static_cast<std::size_t>(states);
  std::vector<Ball> ends;
  std::vector<Ball> inner;
  Ball scaled = Ball(1) / (Ball(1) + ratio);
  for (std::size_t j = 0; j < n; ++j, scaled = scaled * ratio) {
    ends.push_back(scaled);
    inner.push_back(scaled * (Ball(1) - ratio));
  }
  Rows rows(n, std::vector<Ball>(n));
  for (std::size_t x = 0; x < n; ++x)
    for (std::size_t y = 0; y < n; ++y) {
      const std::size_t distance = x > y ? x - y : y - x;
      rows[x][y] = y == 0 || y == n - 1 ? ends[distance] : inner[distance];
    }
  return rows;
}

Rows walk_rows(const std::string& path, const Ball& laziness) {
  const io::Graph graph = io::read_edges(path);
  const std::size_t n = graph.nodes;
  require_size(static_cast<double>(n), static_cast<double>(n));
  Rows rows(n, std::vector<Ball>(n));
  for (const auto& edge : graph.edges) {
    const Ball weight(edge.weight);
    rows[edge.first][edge.second] = rows[edge.first][edge.second] + weight;
    if (edge.first != edge.second) rows[edge.second][edge.first] = rows[edge.second][edge.first] + weight;
  }
  for (std::size_t x = 0; x < n; ++x) {
    Ball total(0);
    for (const Ball& weight : rows[x]) total = total + weight;
    for (Ball& entry : rows[x])
      if (arb_is_zero(entry.get()) == 0) entry = (Ball(1) - laziness) * entry / total;
    rows[x][x] = rows[x][x] + laziness;
  }
  return rows;
}

class ArbMatrix {
 public:
  ArbMatrix(std::size_t rows, std::size_t columns) {
    arb_mat_init(x_, static_cast<slong>(rows), static_cast<slong>(columns));
  }
  explicit ArbMatrix(const Rows& rows) : ArbMatrix(rows.size(), rows[0].size()) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows[i].size(); ++j) arb_set(at(i, j), rows[i][j].get());
  }
  ~ArbMatrix() { arb_mat_clear(x_); }
  ArbMatrix(const ArbMatrix&) = delete;
  ArbMatrix& operator=(const ArbMatrix&) = delete;

  [[nodiscard]] arb_ptr at(std::size_t i, std::size_t j) {
    return arb_mat_entry(x_, static_cast<slong>(i), static_cast<slong>(j));
  }
  [[nodiscard]] arb_mat_struct* get() { return x_; }

 private:
  arb_mat_t x_;
};

// How far the largest ratio of two entries of a column exceeds 1; nothing if one may be 0 where another is not.
std::optional<Ball> ratio_excess(const Rows& rows) {
  Ball largest(0);
  for (std::size_t y = 0; y < rows[0].size(); ++y) {
    Ball low = rows[0][y];
    Ball high = rows[0][y];
    for (const auto& row : rows) low = min(low, row[y]), high = max(high, row[y]);
    if (arb_is_zero(high.get()) != 0) continue;
    if (!certainly_less(Ball(0), low)) return std::nullopt;
    largest = max(largest, positive_part(high - low) / low);
  }
  return largest;
}

KernelMatrix with_bounds(KernelMatrix matrix) {
  matrix.dobrushin = kappa(matrix, Ball(0));
  const std::optional<Ball> own = ratio_excess(matrix.rows);
  if (own) matrix.ratio_excess = matrix.ratio_excess ? min(*matrix.ratio_excess, *own) : own;
  return matrix;
}

// Coefficients multiply (M1): after many steps the differences of rows are smaller than what is known of the entries.
KernelMatrix joined(const KernelMatrix& first, const KernelMatrix& second) {
  return with_bounds({product(first.rows, second.rows), first.dobrushin * second.dobrushin,
                      joined_pure(first.ratio_excess, second.ratio_excess)});
}

KernelMatrix one_step(const language::Call& call) {
  Rows rows;
  if (const auto response = k_ary_power(call))
    rows = response_rows(*response);
  else if (call.name == "kernel")
    rows = from_file(call.text("file"));
  else if (call.name == "truncated_geometric")
    rows = geometric_rows(call.number("states"), Ball(call.number("ratio")));
  else
    rows = walk_rows(call.text("file"), Ball(call.number("laziness")));
  return with_bounds({std::move(rows)});
}

void require_products(const Rows& rows, double count) {
  const double states = static_cast<double>(rows.size());
  const double limbs = static_cast<double>(precision()) / 256.0;
  if (!(states * states * static_cast<double>(rows[0].size()) * count * limbs <= kMostProducts))
    throw CannotCheck("the products of the kernel's matrices take too long in ball arithmetic");
}

KernelMatrix powered(const KernelMatrix& matrix, double steps) {
  if (steps == 1.0) return matrix;
  const auto count = static_cast<unsigned long>(steps);
  require_products(matrix.rows, 2.0 * std::log2(steps));
  if (matrix.rows.size() != matrix.rows[0].size()) throw CannotCheck("a power of a matrix that is not square");
  std::optional<KernelMatrix> result;
  // From the highest bit of the exponent on.
  for (int bit = 63; bit >= 0; --bit) {
    if (result) result = joined(*result, *result);
    if (((count >> bit) & 1U) != 0) result = result ? joined(*result, matrix) : matrix;
  }
  return *result;
}

}  // namespace

Rows product(const Rows& first, const Rows& second) {
  if (first[0].size() != second.size()) throw CannotCheck("kernels whose states do not match");
  require_products(second, static_cast<double>(first.size()) / static_cast<double>(second.size()));
  ArbMatrix left(first);
  ArbMatrix right(second);
  ArbMatrix result(first.size(), second[0].size());
  // Entry by entry: sums of non-negative terms keep their relative accuracy, which blocks would not.
  arb_mat_mul_classical(result.get(), left.get(), right.get(), precision());
  Rows rows(first.size(), std::vector<Ball>(second[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) arb_swap(rows[i][j].get(), result.at(i, j));
  return rows;
}

bool has_matrix(const language::Call& call) {
  if (call.name == "k_ary_response") return call.number("k") <= kMostResponseStates;
  return call.name == "binary_symmetric" || call.name == "kernel" || call.name == "truncated_geometric" ||
         call.name == "lazy_walk";
}

KernelMatrix matrix_of(const std::vector<language::Call>& calls) {
  std::optional<KernelMatrix> whole;
  for (const language::Call& call : calls) {
    // The powers of k-ary response are known in closed form.
    const double steps = k_ary_power(call) ? 1.0 : call.number("steps");
    const KernelMatrix next = powered(one_step(call), steps);
    whole = whole ? joined(*whole, next) : next;
  }
  return *whole;
}

}  // namespace doeblin::verify
