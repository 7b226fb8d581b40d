// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/noisy_steps.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

// Steps in one leaf of the tree.
constexpr std::size_t kLeaf = 8;

Stretch stretch_of(const NoisyStep& step) { return {step.lipschitz, step.noise * step.noise}; }

void require_step(const NoisyStep& step) {
  require(step.lipschitz.lower() >= 0.0 && std::isfinite(step.lipschitz.upper()), "lipschitz", step.lipschitz.upper(),
          "0 <= lipschitz < infinity");
  require(step.noise.lower() > 0.0 && std::isfinite(step.noise.upper()), "noise", step.noise.lower(),
          "0 < noise < infinity");
}

// m equal steps: c^m and s^2 (1 + c^2 + ... + c^{2(m-1)}). At each end of c the sum is a quotient of expm1's, which
// keeps its digits near c = 1; both grow with c.
Stretch repeated(const NoisyStep& step, double m) {
  const auto ends = [m](double c) -> std::pair<Bracket, Bracket> {
    if (c == 0.0) return {Bracket(m > 0.0 ? 0.0 : 1.0), Bracket(m > 0.0 ? 1.0 : 0.0)};
    if (c == 1.0) return {Bracket(1.0), Bracket(m)};
    // Near 1 the difference is exact; further off the logarithm itself has all digits.
    const Bracket log_c = c < 0.5 ? numerics::log(Bracket(c)) : numerics::log1p(Bracket(c) - 1.0);
    const Bracket sum = numerics::expm1(2.0 * m * log_c) / numerics::expm1(2.0 * log_c);
    return {numerics::exp(m * log_c), sum};
  };
  const auto [decay_low, sum_low] = ends(step.lipschitz.lower());
  if (step.lipschitz.is_exact()) return {decay_low, step.noise * step.noise * sum_low};
  const auto [decay_high, sum_high] = ends(step.lipschitz.upper());
  return {Bracket(decay_low.lower(), decay_high.upper()),
          step.noise * step.noise * Bracket(sum_low.lower(), sum_high.upper())};
}

void require_rounding(double rounding) {
  require(rounding >= 0.0 && std::isfinite(rounding), "rounding", rounding, "0 <= rounding < infinity");
}

}  // namespace

Stretch Stretch::joined(const Stretch& first, const Stretch& second) {
  return {first.decay * second.decay, first.variance * (second.decay * second.decay) + second.variance};
}

double NoisySteps::rounding_level() const {
  if (rounding_ == 0.0) return 0.0;
  return rounding::mul_up(rounding_, numerics::sqrt(Bracket(static_cast<double>(count_))).upper());
}

NoisySteps::NoisySteps(const NoisyStep& step, std::size_t count, double rounding)
    : steps_{step}, count_(count), rounding_(rounding), never_expands_(step.lipschitz.upper() <= 1.0) {
  require_step(step);
  require_rounding(rounding);
  require(count >= 1, "steps", static_cast<double>(count), "steps >= 1");
}

NoisySteps::NoisySteps(std::vector<NoisyStep> steps, double rounding)
    : steps_(std::move(steps)), count_(steps_.size()), rounding_(rounding) {
  require_rounding(rounding);
  require(count_ >= 1, "steps", static_cast<double>(count_), "steps >= 1");
  for (const NoisyStep& step : steps_) {
    require_step(step);
    never_expands_ = never_expands_ && step.lipschitz.upper() <= 1.0;
  }
  std::vector<Stretch> level;
  for (std::size_t first = 0; first < count_; first += kLeaf)
    level.push_back(plain(first, std::min(first + kLeaf, count_)));
  while (true) {
    levels_.push_back(level);
    if (level.size() <= 1) break;
    std::vector<Stretch> parents;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) parents.push_back(Stretch::joined(level[i], level[i + 1]));
    // An odd node out is its own parent.
    if (level.size() % 2 == 1) parents.push_back(level.back());
    level = std::move(parents);
  }
}

Stretch NoisySteps::plain(std::size_t first, std::size_t last) const {
  Stretch all;
  for (std::size_t t = first; t < last; ++t) all = Stretch::joined(all, stretch_of(steps_[t]));
  return all;
}

Stretch NoisySteps::between(std::size_t first, std::size_t last) const {
  ensure(first <= last && last <= count_, "a stretch lies inside of the run");
  if (is_homogeneous()) return repeated(steps_[0], static_cast<double>(last - first));
  if (last - first <= 2 * kLeaf) return plain(first, last);
  // Whole leaves from `low` to `high`, loose steps at both ends.
  std::size_t low = (first + kLeaf - 1) / kLeaf;
  std::size_t high = last / kLeaf;
  Stretch before = plain(first, low * kLeaf);
  Stretch after = plain(high * kLeaf, last);
  for (std::size_t level = 0; low < high; ++level) {
    if (low % 2 == 1) before = Stretch::joined(before, levels_[level][low++]);
    if (high % 2 == 1) after = Stretch::joined(levels_[level][--high], after);
    low /= 2;
    high /= 2;
  }
  return Stretch::joined(before, after);
}

}  // namespace doeblin
