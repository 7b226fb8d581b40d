// SPDX-License-Identifier: Apache-2.0
#include "doeblin/amplify/kernel_curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "amplify/pair_search.hpp"
#include "doeblin/profile/black_box.hpp"

namespace doeblin {
namespace {

// A search over all pairs that costs more than this (in differences of entries) is avoided where possible.
constexpr double kCheapSearch = 1e5;

class KernelCurve {
 public:
  /// `level` bounds the kernel's ultra-mixing level.
  KernelCurve(std::shared_ptr<const FiniteKernel> kernel, double level) : kernel_(std::move(kernel)), level_(level) {}

  // Over all pairs.
  [[nodiscard]] Bracket full(Epsilon epsilon) {
    const std::lock_guard guard(lock_);
    if (const auto seen = values_.find(epsilon.value()); seen != values_.end()) return seen->second;
    const PairCoefficient worst = worst_pair(*kernel_, epsilon, {}, pairs_);
    const StatePair pair{worst.first, worst.second};
    if (worst.first != worst.second && std::find(pairs_.begin(), pairs_.end(), pair) == pairs_.end())
      pairs_.push_back(pair);
    return values_.emplace(epsilon.value(), below_bounds(worst.value, epsilon)).first->second;
  }

  // Over the pairs that were the worst somewhere.
  [[nodiscard]] Bracket known(Epsilon epsilon) {
    const std::lock_guard guard(lock_);
    Bracket largest(0.0);
    for (const auto& [first, second] : pairs_) largest = max(largest, hockey_stick(*kernel_, first, second, epsilon));
    return below_bounds(largest, epsilon);
  }

 private:
  // What is known from how the kernel was made, and from its largest ratio of entries: a locally private kernel.
  [[nodiscard]] Bracket below_bounds(const Bracket& value, Epsilon epsilon) const {
    double upper = std::min(value.upper(), kernel_->bounds().dobrushin);
    if (std::isfinite(level_)) upper = std::min(upper, delta(BlackBox{.epsilon = level_}, epsilon).upper());
    return {std::min(value.lower(), upper), upper};
  }

  std::shared_ptr<const FiniteKernel> kernel_;
  double level_;
  std::mutex lock_;
  std::vector<StatePair> pairs_;
  std::map<double, Bracket> values_;
};

}  // namespace

MixingKernel mixing_kernel(std::shared_ptr<const FiniteKernel> kernel) {
  ProfileTraits traits;
  traits.loss_bound = ultra_mixing_coefficient(*kernel).level.upper();
  const double cost = static_cast<double>(kernel->states()) * static_cast<double>(kernel->size());
  traits.costly = cost > kCheapSearch;
  const auto curve = std::make_shared<KernelCurve>(std::move(kernel), traits.loss_bound);
  return {Profile([curve](Epsilon epsilon) { return curve->full(epsilon); }, traits),
          [curve](Epsilon epsilon) { return curve->known(epsilon); }};
}

}  // namespace doeblin
