// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "doeblin/io/matrix_file.hpp"
#include "verify/mixing/kernels.hpp"

namespace doeblin::verify {
namespace {

constexpr double kMostMatrixTerms = 2e7;

// Both directions of every pair of neighbours.
template <typename Visit>
void for_each_direction(const KnownMatrix& matrix, const Visit& visit) {
  for (const auto& [i, j] : matrix.neighbours) {
    visit(matrix.rows[i], matrix.rows[j]);
    visit(matrix.rows[j], matrix.rows[i]);
  }
}

Ball divergence_at(const KnownMatrix& matrix, const Ball& excess) {
  Ball largest(0);
  for_each_direction(matrix, [&](const std::vector<Ball>& p, const std::vector<Ball>& q) {
    largest = max(largest, row_divergence(p, q, excess));
  });
  return largest;
}

// The largest log-ratio of two neighbours; nothing if an output of one may be impossible for the other.
std::optional<Ball> pure_level(const KnownMatrix& matrix) {
  std::optional<Ball> largest = Ball(0);
  for_each_direction(matrix, [&](const std::vector<Ball>& p, const std::vector<Ball>& q) {
    for (std::size_t y = 0; y < p.size() && largest; ++y) {
      if (arb_is_zero(p[y].get()) != 0) continue;
      if (certainly_less(Ball(0), q[y]) && certainly_less(Ball(0), p[y]))
        largest = max(*largest, log(p[y]) - log(q[y]));
      else
        largest = std::nullopt;
    }
  });
  return largest;
}

// log(sum over y of p^alpha q^{1 - alpha})/(alpha - 1)
Ball row_renyi(const std::vector<Ball>& p, const std::vector<Ball>& q, const Ball& alpha) {
  Ball sum(0);
  for (std::size_t y = 0; y < p.size(); ++y) {
    if (arb_is_zero(p[y].get()) != 0) continue;
    if (!certainly_less(Ball(0), q[y])) return Ball(INFINITY);
    if (!certainly_less(Ball(0), p[y])) return Ball(INFINITY);
    sum = sum + p[y] * exp((alpha - Ball(1)) * (log(p[y]) - log(q[y])));
  }
  return log(sum) / (alpha - Ball(1));
}

Ball renyi_at(const KnownMatrix& matrix, const Ball& alpha) {
  Ball largest(0);
  bool is_infinite = false;
  for_each_direction(matrix, [&](const std::vector<Ball>& p, const std::vector<Ball>& q) {
    const Ball here = row_renyi(p, q, alpha);
    if (here.is_finite())
      largest = max(largest, here);
    else
      is_infinite = true;
  });
  return is_infinite ? Ball(INFINITY) : largest;
}

// Rows as they are read, divided by their sums.
std::vector<std::vector<Ball>> stochastic_rows(const std::vector<std::vector<double>>& entries) {
  std::vector<std::vector<Ball>> rows;
  for (const std::vector<double>& row : entries) {
    Ball sum(0);
    for (const double p : row) sum = sum + Ball(p);
    rows.emplace_back();
    for (const double p : row) rows.back().push_back(Ball(p) / sum);
  }
  return rows;
}

// Rows at distance at most k in the graph of neighbours, by steps from every row.
std::vector<std::pair<std::size_t, std::size_t>> reachable(const KnownMatrix& matrix, unsigned long k) {
  const std::size_t count = matrix.rows.size();
  std::vector<std::vector<std::size_t>> next(count);
  for (const auto& [i, j] : matrix.neighbours) next[i].push_back(j), next[j].push_back(i);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t start = 0; start < count; ++start) {
    std::vector<unsigned long> steps(count, k + 1);
    std::vector<std::size_t> queue{start};
    steps[start] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (const std::size_t other : next[queue[head]])
        if (steps[queue[head]] < k && steps[other] > k) {
          steps[other] = steps[queue[head]] + 1;
          queue.push_back(other);
        }
    for (const std::size_t other : queue)
      if (other > start) pairs.emplace_back(start, other);
  }
  return pairs;
}

}  // namespace

Known known_of_matrix(const std::shared_ptr<const KnownMatrix>& matrix) {
  const double terms = static_cast<double>(matrix->neighbours.size()) * static_cast<double>(matrix->rows[0].size());
  if (terms > kMostMatrixTerms) throw CannotCheck("the mechanism's matrix has too many pairs of neighbours");
  Known known;
  known.delta = [matrix](const Ball& epsilon) {
    const Ball exact = divergence_at(*matrix, excess_of(epsilon));
    return Enclosed{exact, exact};
  };
  // The worst pair of rows may be another one at every epsilon.
  const Divergence worst = [matrix](const Ball& epsilon) { return divergence_at(*matrix, excess_of(epsilon)); };
  known.pairs = Pairs{.forward = worst, .backward = worst, .are_attained = false, .is_symmetric = true};
  known.renyi = [matrix](const Ball& alpha) { return renyi_at(*matrix, alpha); };
  known.pure = pure_level(*matrix);
  known.matrix = matrix;
  return known;
}

Known known_finite(const language::Call& call) {
  KnownMatrix matrix{stochastic_rows(io::read_matrix(call.text("file"))), {}};
  if (call.text("adjacency").empty()) {
    for (std::size_t i = 0; i < matrix.rows.size(); ++i)
      for (std::size_t j = i + 1; j < matrix.rows.size(); ++j) matrix.neighbours.emplace_back(i, j);
  } else {
    for (const std::vector<double>& pair : io::read_matrix(call.text("adjacency")))
      matrix.neighbours.emplace_back(static_cast<std::size_t>(pair.at(0)) - 1,
                                     static_cast<std::size_t>(pair.at(1)) - 1);
  }
  for (const auto& [i, j] : matrix.neighbours)
    if (i >= matrix.rows.size() || j >= matrix.rows.size()) throw CannotCheck("neighbours that are no rows");
  const auto shared = std::make_shared<const KnownMatrix>(std::move(matrix));
  Known known = known_of_matrix(shared);
  known.group = [shared](unsigned long k) {
    return known_of_matrix(std::make_shared<const KnownMatrix>(KnownMatrix{shared->rows, reachable(*shared, k)}));
  };
  return known;
}

}  // namespace doeblin::verify
