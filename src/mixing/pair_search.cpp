// SPDX-License-Identifier: Apache-2.0
#include "mixing/pair_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "doeblin/core/rounding.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/parallel.hpp"
#include "doeblin/numerics/positive_parts.hpp"
#include "mixing/row_screens.hpp"

namespace doeblin {
namespace {

using numerics::kLeft;
using numerics::kRight;
using rounding::add_up;
using rounding::div_down;
using rounding::kUnit;
using rounding::mul_down;
using rounding::mul_up;
using rounding::sub_down;

// Beyond this e^eps may overflow; the divergence only falls further.
constexpr double kLargestExponent = 700.0;
// Pairs that are calculated with outward rounding, which is slow; further ones are bounded less closely.
constexpr int kMostExactPairs = 20;
// Rows that are tried as one of a disjoint pair.
constexpr std::size_t kMostReached = 1000;
// Left panels that share one pass over the right ones.
constexpr std::size_t kPanelsPerTask = 8;
constexpr int kSeedRounds = 4;
constexpr std::size_t kFewStates = 24;
constexpr double kLittleWork = 2e5;
// Rows of these lengths are searched in integers, if the best divergence is so many times what rounding may lose.
constexpr std::size_t kFewestCoarse = 64;
constexpr std::size_t kMostCoarse = std::size_t{1} << 20;
constexpr double kCoarseGain = 20.0;

double longest_row(const FiniteKernel& kernel) {
  std::size_t longest = 0;
  for (std::size_t x = 0; x < kernel.states(); ++x) longest = std::max(longest, kernel.row(x).values.size());
  return static_cast<double>(longest);
}

// e^eps, moved so that the errors of entries and of rounding are on the safe side.
struct Multipliers {
  double for_upper;  // at most e^eps (1 - error)/(1 + error), and what a rounded product needs
  double for_lower;
  double factor_up;  // what a sum of positive parts is multiplied by
  double factor_down;
  double addend;  // what absolute errors and underflow cost

  Multipliers(const FiniteKernel& kernel, double epsilon) {
    const double error = kernel.relative_error();
    const bool is_exact = error == 0.0 && epsilon == 0.0;
    const Bracket g = numerics::exp(Bracket(std::min(epsilon, kLargestExponent)));
    const double shrink = div_down(sub_down(1.0, error), add_up(1.0, error));
    for_upper = is_exact ? 1.0 : mul_down(mul_down(g.lower(), shrink), 1.0 - 4.0 * kUnit);
    for_lower = is_exact ? 1.0 : mul_up(rounding::div_up(g.upper(), std::max(shrink, 1e-300)), 1.0 + 4.0 * kUnit);
    // Sparse rows are added up one entry after another, dense ones in at least four strands.
    const double length = kernel.is_dense() ? static_cast<double>(kernel.outputs()) / 4.0 : longest_row(kernel);
    const double sums = (length + 16.0) * kUnit;
    factor_up = mul_up(add_up(1.0, error), add_up(1.0, sums));
    factor_down = mul_down(std::max(0.0, sub_down(1.0, error)), 1.0 - sums);
    const double each = add_up(mul_up(add_up(1.0, g.upper()), kernel.absolute_error()), 2.0 * rounding::kSmallest);
    addend = is_exact && kernel.absolute_error() == 0.0 ? 0.0 : mul_up(static_cast<double>(kernel.outputs()), each);
  }

  [[nodiscard]] double upper(double sum) const { return std::min(1.0, add_up(mul_up(sum, factor_up), addend)); }
};

// Calls visit(p, q) for every column in which the first row has an entry.
template <typename Visit>
void for_each_entry(const KernelRow& p, const KernelRow& q, const Visit& visit) {
  if (p.columns.empty()) {
    for (std::size_t y = 0; y < p.values.size(); ++y) visit(p.values[y], q.values[y]);
    return;
  }
  std::size_t l = 0;
  for (std::size_t k = 0; k < p.values.size(); ++k) {
    while (l < q.columns.size() && q.columns[l] < p.columns[k]) ++l;
    const bool is_shared = l < q.columns.size() && q.columns[l] == p.columns[k];
    visit(p.values[k], is_shared ? q.values[l] : 0.0);
  }
}

double positive_sum(const KernelRow& p, const KernelRow& q, double g) {
  if (p.columns.empty()) return numerics::positive_part_sum(p.values.data(), q.values.data(), g, p.values.size());
  double sum = 0.0;
  for_each_entry(p, q, [&](double a, double b) { sum += std::max(a - g * b, 0.0); });
  return sum;
}

// With outward rounding. An entry that is not stored counts as 0, up to the absolute error.
Bracket exact_sum(const FiniteKernel& kernel, std::size_t first, std::size_t second, double epsilon) {
  const Bracket g = epsilon == 0.0 ? Bracket(1.0) : numerics::exp(Bracket(std::min(epsilon, kLargestExponent)));
  // Beyond the largest exponent only entries that the second row lacks are sure to count.
  const bool is_beyond = epsilon > kLargestExponent;
  Bracket sum(0.0);
  for_each_entry(kernel.row(first), kernel.row(second), [&](double a, double b) {
    if (a == 0.0 && kernel.absolute_error() == 0.0) return;
    const Bracket other = kernel.enclosed(b);
    Bracket term = max(kernel.enclosed(a) - (other.upper() == 0.0 ? Bracket(0.0) : g * other), Bracket(0.0));
    if (is_beyond && other.upper() > 0.0) term = Bracket(0.0, term.upper());
    sum = sum + term;
  });
  const bool has_gaps = kernel.absolute_error() > 0.0 && !kernel.is_dense();
  const double missing = has_gaps ? mul_up(static_cast<double>(kernel.outputs()), kernel.absolute_error()) : 0.0;
  return clamp(sum + Bracket(0.0, missing), 0.0, 1.0);
}

// Two rows without a common column: the first of them has a divergence of 1 from the second at every epsilon.
std::optional<StatePair> disjoint_rows(const FiniteKernel& kernel) {
  const std::size_t states = kernel.states();
  std::vector<std::size_t> starts(kernel.outputs() + 1, 0);
  for (std::size_t x = 0; x < states; ++x)
    for (const std::uint32_t y : kernel.row(x).columns) ++starts[y + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> users(kernel.size());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t x = 0; x < states; ++x)
    for (const std::uint32_t y : kernel.row(x).columns) users[next[y]++] = static_cast<std::uint32_t>(x);
  // Rows that share columns with few others first.
  std::vector<std::size_t> reach(states, 0);
  for (std::size_t x = 0; x < states; ++x)
    for (const std::uint32_t y : kernel.row(x).columns) reach[x] += starts[y + 1] - starts[y];
  std::vector<std::size_t> order(states);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t tried = std::min(kMostReached, states);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(tried), order.end(),
                    [&](std::size_t a, std::size_t b) { return reach[a] < reach[b]; });
  std::vector<std::size_t> seen_by(states, states);
  for (std::size_t k = 0; k < tried; ++k) {
    const std::size_t x = order[k];
    std::size_t met = 0;
    for (const std::uint32_t y : kernel.row(x).columns)
      for (std::size_t u = starts[y]; u < starts[y + 1]; ++u)
        if (std::exchange(seen_by[users[u]], x) != x) ++met;
    if (met == states) continue;
    const auto other = std::find_if(seen_by.begin(), seen_by.end(), [&](std::size_t by) { return by != x; });
    return StatePair{x, static_cast<std::size_t>(other - seen_by.begin())};
  }
  return std::nullopt;
}

// The best pair so far. Every pair's divergence is at most upper(), once it was considered or dismissed.
class Best {
 public:
  Best(const FiniteKernel& kernel, double epsilon)
      : kernel_(kernel), epsilon_(epsilon), multipliers_(kernel, epsilon) {}

  void consider(std::size_t first, std::size_t second) {
    if (is_largest_possible()) return;
    const double sum = positive_sum(kernel_.row(first), kernel_.row(second), multipliers_.for_upper);
    const double fast = multipliers_.upper(sum);
    if (fast <= upper_.load(std::memory_order_relaxed)) return;
    const std::lock_guard guard(lock_);
    if (fast <= upper_) return;
    Bracket value(0.0, fast);
    if (exact_++ < kMostExactPairs) {
      const Bracket exact = exact_sum(kernel_, first, second, epsilon_);
      value = {exact.lower(), std::min(exact.upper(), fast)};
    } else {
      const double low = positive_sum(kernel_.row(first), kernel_.row(second), multipliers_.for_lower);
      const double lower = sub_down(mul_down(low, multipliers_.factor_down), multipliers_.addend);
      value = {epsilon_ > kLargestExponent ? 0.0 : std::max(0.0, lower), fast};
    }
    if (value.lower() > pair_.value.lower() || !is_found_) {
      pair_ = {Bracket(value.lower(), std::max(value.upper(), pair_.value.upper())), first, second};
      is_found_ = true;
    }
    if (value.upper() > upper_) upper_ = value.upper();
  }

  /// Nothing can be above 1.
  [[nodiscard]] bool is_largest_possible() const { return upper() >= 1.0; }
  [[nodiscard]] double upper() const { return upper_.load(std::memory_order_relaxed); }
  [[nodiscard]] const Multipliers& multipliers() const { return multipliers_; }

  [[nodiscard]] PairCoefficient result() const {
    return {Bracket(pair_.value.lower(), upper_), pair_.first, pair_.second};
  }

 private:
  const FiniteKernel& kernel_;
  double epsilon_;
  Multipliers multipliers_;
  std::mutex lock_;
  std::atomic<double> upper_{0.0};
  PairCoefficient pair_;
  bool is_found_ = false;
  int exact_ = 0;
};

// A good pair early makes the screen sharper: from a row to the one farthest from it, and on from there.
void seed(const FiniteKernel& kernel, Best& best) {
  const double g = best.multipliers().for_upper;
  std::size_t row = 0;
  for (int round = 0; round < kSeedRounds; ++round) {
    std::size_t farthest = row;
    double largest = -1.0;
    for (std::size_t x = 0; x < kernel.states(); ++x) {
      if (x == row) continue;
      const double sum = positive_sum(kernel.row(row), kernel.row(x), g);
      if (sum > largest) largest = sum, farthest = x;
    }
    best.consider(row, farthest);
    best.consider(farthest, row);
    row = farthest;
  }
}

// Calls look(left panel, right panel) for all pairs of panels, on all cores; at eps = 0 both directions are the same,
// so half of them are enough.
void for_all_panels(std::size_t left_panels, std::size_t right_panels, std::size_t right_size, bool is_symmetric,
                    const SearchProgress& progress, const std::function<void(std::size_t, std::size_t)>& look) {
  const std::size_t tasks = (left_panels + kPanelsPerTask - 1) / kPanelsPerTask;
  numerics::parallel_for(
      tasks,
      [&](std::size_t task) {
        const std::size_t first = task * kPanelsPerTask;
        const std::size_t last = std::min(left_panels, first + kPanelsPerTask);
        for (std::size_t right = is_symmetric ? first * kLeft / right_size : 0; right < right_panels; ++right)
          for (std::size_t left = first; left < last; ++left) look(left, right);
      },
      [&](std::size_t done) {
        if (progress) progress(static_cast<double>(done) / static_cast<double>(tasks));
      });
}

// Considers the pairs of a tile that is_above says might be above the best.
template <typename IsAbove>
void consider_tile(const FiniteKernel& kernel, bool is_symmetric, Best& best, std::size_t first, std::size_t second,
                   std::size_t right_size, const IsAbove& is_above) {
  for (std::size_t i = 0; i < kLeft && first + i < kernel.states(); ++i)
    for (std::size_t j = 0; j < right_size && second + j < kernel.states(); ++j) {
      const std::size_t x = first + i;
      const std::size_t other = second + j;
      if (x == other || (is_symmetric && other < x)) continue;
      if (is_above(i, j)) best.consider(x, other);
    }
}

// In integers. False if the divergence is too small for that.
bool search_coarsely(const FiniteKernel& kernel, Epsilon epsilon, Best& best, const SearchProgress& progress) {
  if (!kernel.is_dense() || kernel.outputs() < kFewestCoarse || kernel.outputs() > kMostCoarse) return false;
  const Multipliers& multipliers = best.multipliers();
  const CoarseScreen screen(kernel, multipliers.for_upper);
  // What a sum and its loss may be without the pair being above the best.
  const auto threshold = [&] {
    return div_down(mul_down(sub_down(best.upper(), multipliers.addend), screen.scale()), multipliers.factor_up);
  };
  if (threshold() < kCoarseGain * screen.most_lost()) return false;
  const bool is_symmetric = epsilon.value() == 0.0;
  for_all_panels(screen.left_panels(), screen.right_panels(), numerics::kCoarseRight, is_symmetric, progress,
                 [&](std::size_t left, std::size_t right) {
                   if (best.is_largest_possible()) return;
                   std::uint32_t sums[kLeft][numerics::kCoarseRight];
                   const std::uint32_t largest =
                       numerics::coarse_parts_tile(screen.left(left), screen.right(right), screen.columns(), sums);
                   const double limit = threshold();
                   if (add_up(static_cast<double>(largest), screen.most_lost()) <= limit) return;
                   const std::size_t first = left * kLeft;
                   const std::size_t second = right * numerics::kCoarseRight;
                   consider_tile(kernel, is_symmetric, best, first, second, numerics::kCoarseRight,
                                 [&](std::size_t i, std::size_t j) {
                                   const double lost = screen.lost(first + i, second + j);
                                   return add_up(static_cast<double>(sums[i][j]), lost) > limit;
                                 });
                 });
  return true;
}

// In single precision.
void search_closely(const FiniteKernel& kernel, Epsilon epsilon, Best& best, const SearchProgress& progress) {
  const Multipliers& multipliers = best.multipliers();
  const Screen screen(kernel, multipliers.for_upper);
  const double certain = 1.0 - numerics::tile_error(screen.columns());
  // What a tile's sum may be without a pair in it being above the best: sum/(scale certain) * factor + addend <= best.
  const auto threshold = [&] {
    const double room = sub_down(best.upper(), multipliers.addend);
    return div_down(mul_down(mul_down(room, certain), Screen::kScale), multipliers.factor_up);
  };
  const bool is_symmetric = epsilon.value() == 0.0;
  for_all_panels(screen.left_panels(), screen.right_panels(), kRight, is_symmetric, progress,
                 [&](std::size_t left, std::size_t right) {
                   if (best.is_largest_possible()) return;
                   float sums[kLeft][kRight];
                   const float largest =
                       numerics::positive_parts_tile(screen.left(left), screen.right(right), screen.columns(), sums);
                   const double limit = threshold();
                   if (static_cast<double>(largest) <= limit) return;
                   consider_tile(kernel, is_symmetric, best, left * kLeft, right * kRight, kRight,
                                 [&](std::size_t i, std::size_t j) { return static_cast<double>(sums[i][j]) > limit; });
                 });
}

}  // namespace

Bracket hockey_stick(const FiniteKernel& kernel, std::size_t first, std::size_t second, Epsilon epsilon) {
  ensure(first < kernel.states() && second < kernel.states(), "the pair are states of the kernel");
  return first == second ? Bracket(0.0) : exact_sum(kernel, first, second, epsilon.value());
}

PairCoefficient worst_pair(const FiniteKernel& kernel, Epsilon epsilon, const SearchProgress& progress,
                           const std::vector<StatePair>& likely) {
  if (kernel.states() == 1) return {};
  if (!kernel.is_dense() && kernel.absolute_error() == 0.0)
    if (const auto pair = disjoint_rows(kernel)) return {Bracket(1.0), pair->first, pair->second};
  Best best(kernel, epsilon.value());
  const double work = static_cast<double>(kernel.states()) * static_cast<double>(kernel.size());
  if (kernel.states() <= kFewStates || work <= kLittleWork) {
    // All of them, without a screen that would be mostly padding, or cost more than it saves.
    for (std::size_t x = 0; x < kernel.states(); ++x)
      for (std::size_t other = 0; other < kernel.states(); ++other)
        if (x != other) best.consider(x, other);
    return best.result();
  }
  for (const auto& [first, second] : likely) best.consider(first, second);
  seed(kernel, best);
  if (!search_coarsely(kernel, epsilon, best, progress)) search_closely(kernel, epsilon, best, progress);
  return best.result();
}

}  // namespace doeblin
