// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/exchange.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/parallel.hpp"
#include "doeblin/numerics/solve.hpp"

namespace doeblin {
namespace {

// Counts that weigh less than this share of the answer, together, are charged in full.
constexpr double kLostShare = 0x1p-60;
constexpr std::size_t kFirstCounts = 6;
// Levels are moved back by this share of what they use up, so that rounding cannot make them use up more than there is.
constexpr double kSafety = 1e-12;
constexpr double kShares[] = {1.0, 1.0 - 1e-8, 0.99};
constexpr int kMostSteps = 100;

// The counts from 1 on, from the smallest to the largest.
class Counts {
 public:
  explicit Counts(const NoiseMixture& counts) : rests_({counts.rest}) {
    for (const Shift& shift : counts.shifts) {
      if (shift.multiple > 0.0)
        drawn_.push_back(shift);
      else
        none_ = shift.weight.lower();
    }
    for (std::size_t i = drawn_.size(); i-- > 0;)
      rests_.push_back(rounding::add_up(rests_.back(), drawn_[i].weight.upper()));
    std::reverse(rests_.begin(), rests_.end());
  }

  [[nodiscard]] std::size_t size() const { return drawn_.size(); }
  [[nodiscard]] const Shift& operator[](std::size_t i) const { return drawn_[i]; }
  /// At least the weight of all but the first counts.
  [[nodiscard]] double rest_after(std::size_t count) const { return rests_[count]; }
  /// At most the weight of no draw at all.
  [[nodiscard]] double none() const { return none_; }

 private:
  std::vector<Shift> drawn_;
  std::vector<double> rests_;
  double none_ = 0.0;
};

// What a search begins with, and leaves for the next one nearby.
struct LastSearch {
  double z = 0.0;
  std::size_t counts = kFirstCounts;
};

// sum_k w_k (e^{(a_k(z) - eps)_+} - 1) and its derivative in z, in plain doubles.
ShiftedNoise::Slope used_at(const ShiftedNoise& noise, const Counts& counts, std::size_t size, double epsilon,
                            double z) {
  double used = 0.0, rise = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    const ShiftedNoise::Slope ratio = noise.approximate_log_ratio(z, counts[i].multiple);
    if (!(ratio.value > epsilon)) continue;
    const double growth = std::expm1(ratio.value - epsilon);
    used += counts[i].weight.upper() * growth;
    rise += counts[i].weight.upper() * (growth + 1.0) * ratio.derivative;
  }
  return {used, rise};
}

// About the largest z that uses up no more than there is. Newton's method on the logarithm, in a bracket that shrinks.
double best_test(const ShiftedNoise& noise, const Counts& counts, std::size_t size, double epsilon, double budget,
                 double guess) {
  double high = noise.farthest(counts[size - 1].multiple);
  double low = -high;
  double z = std::clamp(guess, low, high);
  for (int i = 0; i < kMostSteps; ++i) {
    const ShiftedNoise::Slope used = used_at(noise, counts, size, epsilon, z);
    (used.value > budget ? high : low) = z;
    double next = rounding::kInfinity;
    if (used.value > 0.0 && std::isfinite(used.derivative))
      next = z - std::log(used.value / budget) * used.value / used.derivative;
    const bool is_settled = std::fabs(next - z) <= 1e-11 * std::fabs(z);
    if (!is_settled && !(next > low && next < high)) next = 0.5 * (low + high);
    z = std::clamp(next, low, high);
    if (is_settled || z == low || z == high) break;
  }
  return z;
}

class ExchangeBound {
 public:
  ExchangeBound(SharedNoise noise, const NoiseMixture& counts)
      : noise_(std::move(noise)), counts_(counts), loss_bound_(largest_loss()) {}

  [[nodiscard]] double at(double epsilon, LastSearch& last) const {
    if (epsilon >= loss_bound_ || std::isinf(epsilon)) return counts_.rest_after(counts_.size());
    last.counts = std::min(last.counts, counts_.size());
    while (true) {
      const double sum = sum_of(last.counts, epsilon, last.z);
      const double rest = counts_.rest_after(last.counts);
      if (last.counts == counts_.size() || rest <= kLostShare * sum) return std::min(1.0, rounding::add_up(sum, rest));
      last.counts = std::min(counts_.size(), last.counts + (last.counts + 1) / 2);
    }
  }

  /// Nothing but the rest is left from here on.
  [[nodiscard]] double loss_bound() const { return loss_bound_; }

 private:
  // w_0 (1 - e^{-eps}), from below: everything is divided by e^{eps}.
  [[nodiscard]] double budget_at(double epsilon) const {
    return std::max(0.0, -(counts_.none() * numerics::expm1(Bracket(-epsilon))).upper());
  }

  // From where on every count can have the largest loss of its own as its level.
  [[nodiscard]] double largest_loss() const {
    std::vector<double> levels;
    for (std::size_t i = 0; i < counts_.size(); ++i) levels.push_back(noise_->loss_bound(counts_[i].multiple));
    const double most = levels.empty() ? 0.0 : levels.back();
    if (std::isinf(most)) return most;
    const auto is_enough = [&](double epsilon) { return used_by(levels, epsilon) <= budget_at(epsilon); };
    return numerics::narrowed(numerics::Sides<double>{.safe = most, .unsafe = 0.0}, is_enough,
                              numerics::Halving{.steps = 100, .width = 1e-13})
        .safe;
  }

  [[nodiscard]] double sum_of(std::size_t size, double epsilon, double& z) const {
    const double budget = budget_at(epsilon);
    z = best_test(*noise_, counts_, size, epsilon, budget * (1.0 - kSafety), z);
    const std::vector<double> levels = levels_at(size, epsilon, budget, z);
    double sum = 0.0;
    for (std::size_t i = size; i-- > 0;) {
      const double delta = noise_->divergence(Bracket(levels[i]), counts_[i].multiple).upper();
      if (delta > 0.0) sum = rounding::add_up(sum, rounding::mul_up(counts_[i].weight.upper(), delta));
    }
    return sum;
  }

  // Those of the test at z; for tiny epsilons, where rounding is as large as the share that is left of the budget, less.
  [[nodiscard]] std::vector<double> levels_at(std::size_t size, double epsilon, double budget, double z) const {
    std::vector<double> levels(size);
    for (const double share : kShares) {
      for (std::size_t i = 0; i < size; ++i) {
        const double ratio = noise_->approximate_log_ratio(z, counts_[i].multiple).value;
        levels[i] = ratio > epsilon ? std::max(epsilon, epsilon + share * (ratio - epsilon)) : epsilon;
      }
      if (used_by(levels, epsilon) <= budget) return levels;
    }
    std::fill(levels.begin(), levels.end(), epsilon);
    return levels;
  }

  // Not less than sum_k w_k (e^{eps_k - eps} - 1).
  [[nodiscard]] double used_by(const std::vector<double>& levels, double epsilon) const {
    double used = 0.0;
    for (std::size_t i = 0; i < levels.size(); ++i)
      if (levels[i] > epsilon)
        used = rounding::add_up(
            used, rounding::mul_up(counts_[i].weight.upper(), numerics::expm1(Bracket(levels[i]) - epsilon).upper()));
    return used;
  }

  SharedNoise noise_;
  Counts counts_;
  double loss_bound_;
};

// Below this, starting threads takes longer than asking.
constexpr std::size_t kEpsilonsAtOnce = 64;

}  // namespace

Profile exchanged_counts(const SharedNoise& noise, const NoiseMixture& counts) {
  const auto bound = std::make_shared<const ExchangeBound>(noise, counts);
  ProfileTraits traits{.tight = false, .loss_bound = bound->loss_bound()};
  // As if all draws were the same person's.
  if (counts.rest == 0.0) traits.majorant = noise->majorant(counts.shifts.back().multiple);
  const auto one = [bound](Epsilon epsilon) {
    LastSearch last;
    return Bracket(bound->at(epsilon.value(), last));
  };
  // Each search begins where the last one ended. Blocks do not depend on the number of threads, nor do the values.
  const auto many = [bound](std::span<const double> epsilon, std::span<double> lower, std::span<double> upper) {
    numerics::parallel_for((epsilon.size() + kEpsilonsAtOnce - 1) / kEpsilonsAtOnce, [&](std::size_t block) {
      LastSearch last;
      const std::size_t end = std::min((block + 1) * kEpsilonsAtOnce, epsilon.size());
      for (std::size_t i = block * kEpsilonsAtOnce; i < end; ++i)
        lower[i] = upper[i] = bound->at(Epsilon(epsilon[i]).value(), last);
    });
    return 0.0;
  };
  return Profile(one, traits).with_batch(many);
}

}  // namespace doeblin
