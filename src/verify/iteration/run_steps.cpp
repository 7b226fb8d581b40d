// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_steps.hpp"

#include <algorithm>

namespace doeblin::verify {
namespace {

constexpr std::size_t kLeaf = 16;
// Stretches of alike steps up to this length are kept: records come back after the same few numbers of steps.
constexpr std::size_t kKept = 1 << 16;

// For an exact x: (x^m - 1)/(x - 1), where x - 1 is exact too, so that no digit is lost next to 1.
Ball geometric_sum_at(const Ball& x, std::size_t m) {
  if (m == 0) return Ball(0);
  if (arb_is_zero(x.get())) return Ball(1);
  if (arb_is_one(x.get())) return Ball(static_cast<double>(m));
  if (m < 8) {
    Ball sum(1);
    for (std::size_t i = 1; i < m; ++i) sum = sum * x + Ball(1);
    return sum;
  }
  Ball above;
  arb_sub(above.get(), x.get(), Ball(1).get(), ARF_PREC_EXACT);
  // Near 1 the logarithm of x is small and keeps its digits; x^m - 1 is expm1 of m times it.
  return expm1(log1p(above) * Ball(static_cast<double>(m))) / above;
}

}  // namespace

Ball geometric_sum(const Ball& x, std::size_t m) {
  if (arb_is_exact(x.get())) return geometric_sum_at(x, m);
  // Increasing in x.
  return Ball::between(geometric_sum_at(positive_part(x.low_end()), m), geometric_sum_at(x.high_end(), m));
}

Stretch joined(const Stretch& first, const Stretch& second) {
  return {first.decay * second.decay, first.variance * square(second.decay) + second.variance};
}

RunSteps::RunSteps(const RunStep& step, std::size_t count)
    : count_(count),
      alike_(true),
      never_expand_(certainly_at_most(step.lipschitz, Ball(1))),
      level_unit_(step.shift / step.noise),
      shift_(step.shift),
      lipschitz_(step.lipschitz),
      short_ones_(std::min(count + 1, kKept)) {}

RunSteps::RunSteps(const std::vector<RunStep>& steps) : count_(steps.size()), alike_(false) {
  for (const RunStep& step : steps) {
    never_expand_ = never_expand_ && certainly_at_most(step.lipschitz, Ball(1));
    single_.push_back({step.lipschitz, square(step.noise)});
    shifts_.push_back(step.shift);
  }
  std::vector<Stretch> level;
  for (std::size_t first = 0; first + kLeaf <= count_; first += kLeaf) level.push_back(plain(first, first + kLeaf));
  while (!level.empty()) {
    levels_.push_back(level);
    std::vector<Stretch> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(joined(level[i], level[i + 1]));
    level = std::move(next);
  }
}

Stretch RunSteps::plain(std::size_t first, std::size_t last) const {
  Stretch all;
  for (std::size_t t = first; t < last; ++t) all = joined(all, single_[t]);
  return all;
}

Stretch RunSteps::between(std::size_t first, std::size_t last) const {
  if (alike_) {
    const std::size_t m = last - first;
    const auto computed = [&] { return Stretch{power(lipschitz_, m), geometric_sum(square(lipschitz_), m)}; };
    if (m >= short_ones_.size()) return computed();
    if (!short_ones_[m]) short_ones_[m] = computed();
    return *short_ones_[m];
  }
  Stretch all;
  std::size_t at = first;
  while (at < last) {
    // The largest kept stretch that starts here and fits.
    std::size_t level = 0;
    if (at % kLeaf != 0 || at + kLeaf > last) {
      const std::size_t stop = std::min(last, (at / kLeaf + 1) * kLeaf);
      all = joined(all, plain(at, stop));
      at = stop;
      continue;
    }
    while (level + 1 < levels_.size() && at % (kLeaf << (level + 1)) == 0 && at + (kLeaf << (level + 1)) <= last)
      ++level;
    all = joined(all, levels_[level][at / (kLeaf << level)]);
    at += kLeaf << level;
  }
  return all;
}

}  // namespace doeblin::verify
