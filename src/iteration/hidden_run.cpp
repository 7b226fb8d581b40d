// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/hidden_run.hpp"

#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/mills.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/numerics/theta.hpp"
#include "doeblin/numerics/theta_inverse.hpp"

namespace doeblin {
namespace {

using numerics::Wide;

constexpr std::size_t kMostSingleSteps = 10'000'000;

// Remembers values of a function of integers, each in the place of its remainder.
class Memo {
 public:
  template <typename Function>
  double at(std::size_t key, const Function& compute) {
    auto& [kept, value] = places_[key % places_.size()];
    {
      const std::lock_guard guard(lock_);
      if (kept == key) return value;
    }
    // Without the lock: two threads may find the same value twice.
    const double found = compute();
    const std::lock_guard guard(lock_);
    kept = key, value = found;
    return found;
  }

 private:
  std::mutex lock_;
  std::vector<std::pair<std::size_t, double>> places_{512, {std::numeric_limits<std::size_t>::max(), 0.0}};
};

Bracket theta_of_level(Epsilon epsilon, const Bracket& level) {
  return {numerics::theta(epsilon.value(), Wide(level.lower())).lower(),
          numerics::theta(epsilon.value(), Wide(level.upper())).upper()};
}

Stops every_step(std::size_t steps) {
  Stops stops(steps + 1);
  std::iota(stops.begin(), stops.end(), std::size_t{0});
  return stops;
}

}  // namespace

HiddenTail tail_of(std::shared_ptr<const HiddenRun> run, std::vector<Use> uses, std::size_t released) {
  const std::size_t steps = released - uses.back().step;
  const bool is_alike = run->steps.is_homogeneous();
  // Where all steps are alike the uses may as well begin at the first one.
  if (is_alike)
    for (const std::size_t first = uses.front().step; Use & use : uses) use.step -= first - 1;
  const std::size_t last = uses.back().step;
  const auto starts = std::make_shared<Memo>();
  const auto start_level = [=](std::size_t stop) {
    return starts->at(stop, [&] { return shift_level(run->steps, uses, run->diameter, last + stop).upper(); });
  };
  const auto block = [run](std::size_t from, std::size_t to) {
    return kernel_level(run->steps, from, to, run->diameter).upper();
  };
  if (!is_alike)
    return {steps, start_level, [=](std::size_t from, std::size_t to) { return block(last + from, last + to); }};
  const auto lengths = std::make_shared<Memo>();
  return {steps, start_level, [=](std::size_t from, std::size_t to) {
            return lengths->at(to - from, [&] { return block(0, to - from); });
          }};
}

HiddenRelease::HiddenRelease(std::shared_ptr<const HiddenRun> run, std::vector<Use> uses, std::size_t released,
                             IterationAnalysis analysis)
    : run_(std::move(run)), uses_(std::move(uses)), released_(released), analysis_(analysis) {
  if (!uses_.empty()) level_ = shift_level(run_->steps, uses_, run_->diameter, released_);
  const bool is_bounded = std::isfinite(run_->diameter);
  if (analysis == IterationAnalysis::kContraction && !is_bounded)
    throw InvalidArgument("diameter", rounding::kInfinity, "a finite diameter for contraction");
  if (!is_bounded || uses_.empty() || analysis == IterationAnalysis::kShift || level_.upper() == 0.0) return;
  tail_ = tail_of(run_, uses_, released_);
  if (analysis == IterationAnalysis::kContraction)
    require(tail_->steps <= kMostSingleSteps, "later steps", static_cast<double>(tail_->steps),
            "at most 1e7 for contraction step by step");
}

double HiddenRelease::log_delta(Epsilon epsilon) const {
  const double by_shift = numerics::log_theta(epsilon.value(), Wide(level_.upper())).upper();
  if (!tail_) return by_shift;
  if (analysis_ == IterationAnalysis::kContraction)
    return doeblin::log_delta(*tail_, every_step(tail_->steps), epsilon);
  return std::min(by_shift, doeblin::log_delta(*tail_, best_stops(*tail_, epsilon), epsilon));
}

Bracket HiddenRelease::delta(Epsilon epsilon) const {
  if (uses_.empty() || std::isinf(epsilon.value())) return Bracket(0.0);
  if (!std::isfinite(run_->diameter)) return theta_of_level(epsilon, level_);
  double upper = numerics::theta(epsilon.value(), Wide(level_.upper())).upper();
  if (tail_) {
    const double by_blocks = std::min(1.0, numerics::exp(Bracket(log_delta(epsilon))).upper());
    upper = analysis_ == IterationAnalysis::kBest ? std::min(upper, by_blocks) : by_blocks;
  }
  return {attained(epsilon), upper};
}

double HiddenRelease::level_of_last_step() const {
  if (uses_.empty() || uses_.back().step != released_) return 0.0;
  const Bracket level = uses_.back().shift / run_->steps.at(released_).noise;
  return std::max(0.0, rounding::mul_down(run_->share_in_many_dimensions, level.lower()));
}

double HiddenRelease::attained(Epsilon epsilon) const {
  const double level = level_of_last_step();
  const double in_many = level > 0.0 ? numerics::theta(epsilon.value(), Wide(level)).lower() : 0.0;
  // Nobody attains more than the whole shift.
  if (level > 0.0 && run_->share_in_many_dimensions == 1.0) return in_many;
  return std::max(in_many, attained_on_an_interval(epsilon));
}

// Before the last use everything is sent to the middle; after it the maps are linear. On an interval of the diameter's
// length the state differs from the unprojected Gaussian process only if that one leaves the interval before the
// release, and a threshold inside of it does not see the last projection. With M the distance of the means and v the
// standard deviation at the release: delta >= Q((t - M/2)/v) - g Q((t + M/2)/v) - (1 + g) Pr[leaves].
double HiddenRelease::attained_on_an_interval(Epsilon epsilon) const {
  const Use& use = uses_.back();
  const Stretch after = run_->steps.between(use.step, released_);
  const NoisyStep& at = run_->steps.at(use.step);
  const Stretch whole = Stretch::joined({Bracket(0.0), at.noise * at.noise}, after);
  const double half = run_->diameter / 2.0;
  const Bracket mean = use.shift * after.decay / 2.0;
  if (!(mean.lower() > 0.0) || !(mean.upper() < rounding::kInfinity)) return 0.0;
  const Bracket deviation = numerics::sqrt(whole.variance);
  const std::size_t later = released_ - use.step;
  double leaves = 0.0;
  if (later > 0) {
    if (!run_->steps.is_homogeneous()) return 0.0;
    // Before the release the deviation is at most that of the last state before it, and the mean at most this.
    const double mean_before = rounding::mul_up(use.shift.upper() / 2.0, std::max(1.0, after.decay.upper()));
    const Bracket deviation_before = numerics::sqrt(run_->steps.between(0, later).variance);
    const double reach = rounding::div_down(rounding::sub_down(half, mean_before), deviation_before.upper());
    if (!(reach > 0.0)) return 0.0;
    leaves = rounding::mul_up(2.0 * static_cast<double>(later), numerics::normal_tail(reach).upper());
  }
  // The best threshold, or the end of the interval.
  const double best = deviation.middle() * deviation.middle() * epsilon.value() / (2.0 * mean.middle());
  const double threshold = std::min(best, half);
  const Bracket above = (Bracket(threshold) - mean) / deviation;
  const Bracket below = (Bracket(threshold) + mean) / deviation;
  const double charge = rounding::mul_up((1.0 + numerics::exp(Bracket(epsilon.value()))).upper(), leaves);
  const double value =
      threshold < half
          ? numerics::theta(epsilon.value(), Wide((mean * 2.0 / deviation).lower())).lower()
          : rounding::sub_down(numerics::normal_tail(above.upper()).lower(),
                               numerics::exp(epsilon.value() + numerics::log_normal_tail(below.lower())).upper());
  const double result = leaves == 0.0 ? value : rounding::sub_down(value, charge);
  return std::max(0.0, std::isnan(result) ? 0.0 : result);
}

Bracket HiddenRelease::epsilon(Delta delta, Stops* guess) const {
  if (uses_.empty()) return Bracket(0.0);
  const Bracket by_shift = numerics::theta_inverse(delta.value(), level_);
  if (!std::isfinite(run_->diameter)) return by_shift;
  double upper = by_shift.upper();
  if (tail_) {
    Stops stops = guess ? *guess : Stops{};
    if (analysis_ == IterationAnalysis::kContraction) {
      const double at_last_use = numerics::theta_inverse(delta.value(), Wide(tail_->start_level(0))).upper();
      upper = epsilon_bound(*tail_, every_step(tail_->steps), delta, at_last_use);
    } else
      upper = std::min(upper, epsilon_bound(*tail_, delta, stops));
    if (guess) *guess = stops;
  }
  // From below by what is attained.
  const auto is_below = [&](double epsilon) { return attained(Epsilon(epsilon)) > delta.value(); };
  const auto found = numerics::narrowed<double>({.safe = 0.0, .unsafe = upper}, is_below,
                                                numerics::Halving{.steps = 50, .width = 1e-9});
  return {found.safe, upper};
}

}  // namespace doeblin
