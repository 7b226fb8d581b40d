// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <mutex>

#include "verify/mixing/kernels.hpp"

namespace doeblin::verify {
namespace {

// Differences in doubles, and those in balls, that one value of kappa may take.
constexpr double kMostCurveTerms = 1e9;
constexpr double kMostBallTerms = 1e8;
constexpr long kMostCurveBits = 8192;

// The sum over y of (p(y) - (1 + h) q(y))_+ in doubles, from above: p rounded up, q and 1 + h down. Where a term is
// positive the product is below p, so that all roundings together are at most 2^-52 (outputs + 4) of the sum of p.
class Screen {
 public:
  Screen(const std::vector<std::vector<Ball>>& rows, const Ball& excess)
      : outputs_(rows[0].size()), slack_(0x1p-51 * (static_cast<double>(outputs_) + 4.0)) {
    const double limit = 1e300;
    g_ = excess.is_finite() ? std::min(limit, (Ball(1) + excess).lower()) : limit;
    for (const auto& row : rows)
      for (const Ball& entry : row) high_.push_back(entry.upper()), low_.push_back(std::max(0.0, entry.lower()));
  }

  [[nodiscard]] double upper(std::size_t first, std::size_t second) const {
    const double* p = high_.data() + first * outputs_;
    const double* q = low_.data() + second * outputs_;
    double sum = 0.0;
    for (std::size_t y = 0; y < outputs_; ++y) sum += std::max(0.0, p[y] - g_ * q[y]);
    return sum + slack_;
  }

 private:
  std::size_t outputs_;
  double slack_;
  double g_ = 1.0;
  std::vector<double> high_;
  std::vector<double> low_;
};

using StatePair = std::pair<std::size_t, std::size_t>;

template <typename Visit>
void for_each_pair(std::size_t states, const Visit& visit) {
  for (std::size_t x = 0; x < states; ++x)
    for (std::size_t other = 0; other < states; ++other)
      if (x != other) visit(StatePair{x, other});
}

// The largest divergence of two rows. Pairs whose sum in doubles is below one that is known are left out.
Ball worst_of(const KernelMatrix& matrix, const Ball& excess) {
  const auto& rows = matrix.rows;
  const double outputs = static_cast<double>(rows[0].size());
  if (static_cast<double>(rows.size() * rows.size()) * outputs > kMostCurveTerms)
    throw CannotCheck("the kernel has too many pairs of states");
  const auto value_of = [&](const StatePair& pair) {
    return row_divergence(rows[pair.first], rows[pair.second], excess);
  };
  const Screen screen(rows, excess);
  StatePair likely{0, 0};
  double most = -1.0;
  for_each_pair(rows.size(), [&](const StatePair& pair) {
    if (const double upper = screen.upper(pair.first, pair.second); upper > most) most = upper, likely = pair;
  });
  Ball worst = value_of(likely);
  double terms = 0.0;
  for_each_pair(rows.size(), [&](const StatePair& pair) {
    if (screen.upper(pair.first, pair.second) < worst.lower()) return;
    terms += outputs;
    if (terms > kMostBallTerms) throw CannotCheck("too many pairs of the kernel's states are nearly the worst");
    worst = max(worst, value_of(pair));
  });
  return worst;
}

// The value, of which it is known that it is at most `bound`.
Ball at_most(const Ball& value, const Ball& bound) {
  if (arb_is_zero(value.get()) != 0 || certainly_at_most(value, bound)) return value;
  if (certainly_at_most(bound, Ball(0))) return Ball(0);
  const Ball high = min(value.high_end(), bound.high_end());
  return Ball::between(min(positive_part(value.low_end()), high), high);
}

// What is known of the coefficients also bounds kappa: it falls, and is that of a locally private kernel.
Ball below_bounds(const Ball& value, const KernelMatrix& matrix, const Ball& excess) {
  Ball bounded = at_most(value, matrix.dobrushin);
  if (!matrix.ratio_excess) return bounded;
  return at_most(bounded, black_box_curve(*matrix.ratio_excess, Ball(0)).value(excess));
}

// The matrix of some kernels, at one precision after another.
class Precisions {
 public:
  explicit Precisions(std::vector<language::Call> calls) : calls_(std::move(calls)) {}

  [[nodiscard]] std::shared_ptr<const KernelMatrix> at(long bits) {
    const std::lock_guard guard(lock_);
    auto& matrix = matrices_[bits];
    if (!matrix) {
      const WithPrecision more(bits);
      matrix = std::make_shared<const KernelMatrix>(matrix_of(calls_));
    }
    return matrix;
  }

  [[nodiscard]] Ball value(const Ball& excess) {
    Ball value = kappa(*at(precision()), excess);
    for (long bits = 4 * precision(); bits <= kMostCurveBits; bits *= 4) {
      if (is_sharp(value) || is_negligible(value)) return value;
      try {
        const WithPrecision more(bits);
        value = kappa(*at(bits), excess);
      } catch (const CannotCheck&) {
        return value;
      }
    }
    return value;
  }

 private:
  std::vector<language::Call> calls_;
  std::mutex lock_;
  std::map<long, std::shared_ptr<const KernelMatrix>> matrices_;
};

}  // namespace

Ball row_divergence(const std::vector<Ball>& p, const std::vector<Ball>& q, const Ball& excess) {
  Ball sum(0);
  bool is_disjoint = true;
  const bool is_finite = excess.is_finite();
  const Ball g = is_finite ? Ball(1) + excess : Ball(0);
  for (std::size_t y = 0; y < p.size(); ++y) {
    if (arb_is_zero(p[y].get()) != 0) continue;
    const bool is_alone = arb_is_zero(q[y].get()) != 0;
    is_disjoint = is_disjoint && is_alone;
    if (is_alone)
      sum = sum + p[y];
    else if (is_finite)
      sum = sum + positive_part(p[y] - g * q[y]);
    else if (!certainly_less(Ball(0), q[y]))
      sum = sum + Ball::between(Ball(0), p[y]);
  }
  // Rows are laws: without a common output their divergence is 1, exactly.
  return is_disjoint ? Ball(1) : min(sum, Ball(1));
}

Ball kappa(const KernelMatrix& matrix, const Ball& excess) {
  if (matrix.rows.size() < 2) return Ball(0);
  return below_bounds(worst_of(matrix, excess), matrix, excess);
}

Curve matrix_curve(std::vector<language::Call> calls) {
  const auto matrices = std::make_shared<Precisions>(std::move(calls));
  return {.value = [matrices](const Ball& excess) { return matrices->value(excess); },
          .is_finite = true,
          .pure_excess = matrices->at(precision())->ratio_excess};
}

}  // namespace doeblin::verify
