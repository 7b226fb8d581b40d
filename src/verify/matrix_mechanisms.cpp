// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "verify/kernels.hpp"

namespace doeblin::verify {
namespace {

constexpr double kMostTerms = 2e7;

// Both directions of every pair of neighbours.
template <typename Visit>
void for_each_direction(const KnownMatrix& matrix, const Visit& visit) {
  for (const auto& [i, j] : matrix.neighbours) {
    visit(matrix.rows[i], matrix.rows[j]);
    visit(matrix.rows[j], matrix.rows[i]);
  }
}

Ball excess_of(const Ball& epsilon) { return epsilon.is_finite() ? expm1(epsilon) : epsilon; }

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

}  // namespace

Known known_of_matrix(std::shared_ptr<const KnownMatrix> matrix) {
  const double terms = static_cast<double>(matrix->neighbours.size()) * static_cast<double>(matrix->rows[0].size());
  if (terms > kMostTerms) throw CannotCheck("the mechanism's matrix has too many pairs of neighbours");
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

}  // namespace doeblin::verify
