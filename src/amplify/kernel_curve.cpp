// SPDX-License-Identifier: Apache-2.0
#include "doeblin/amplify/kernel_curve.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "amplify/pair_search.hpp"

namespace doeblin {
namespace {

// A search over all pairs that costs more than this (in differences of entries) is avoided where possible.
constexpr double kCheapSearch = 1e5;

class KernelCurve {
 public:
  explicit KernelCurve(std::shared_ptr<const FiniteKernel> kernel) : kernel_(std::move(kernel)) {}

  // Over all pairs.
  [[nodiscard]] Bracket full(Epsilon epsilon) {
    const std::lock_guard guard(lock_);
    if (const auto seen = values_.find(epsilon.value()); seen != values_.end()) return seen->second;
    const PairCoefficient worst = worst_pair(*kernel_, epsilon, {}, pairs_);
    const double upper = std::min(worst.value.upper(), kernel_->dobrushin_bound());
    const StatePair pair{worst.first, worst.second};
    if (worst.first != worst.second && std::find(pairs_.begin(), pairs_.end(), pair) == pairs_.end())
      pairs_.push_back(pair);
    return values_.emplace(epsilon.value(), Bracket(std::min(worst.value.lower(), upper), upper)).first->second;
  }

  // Over the pairs that were the worst somewhere.
  [[nodiscard]] Bracket known(Epsilon epsilon) {
    const std::lock_guard guard(lock_);
    Bracket largest(0.0);
    for (const auto& [first, second] : pairs_) largest = max(largest, hockey_stick(*kernel_, first, second, epsilon));
    const double upper = std::min(largest.upper(), kernel_->dobrushin_bound());
    return {std::min(largest.lower(), upper), upper};
  }

 private:
  std::shared_ptr<const FiniteKernel> kernel_;
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
  const auto curve = std::make_shared<KernelCurve>(std::move(kernel));
  return {Profile([curve](Epsilon epsilon) { return curve->full(epsilon); }, traits),
          [curve](Epsilon epsilon) { return curve->known(epsilon); }};
}

}  // namespace doeblin
