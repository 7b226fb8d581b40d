// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/chord_table.hpp"
#include "mixing/pair_search.hpp"

namespace doeblin {
namespace {

// A search over all pairs that costs more than this (in differences of entries) is avoided where possible.
constexpr double kCheapSearch = 5e3;

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
    return {value.lower(), upper};
  }

  std::shared_ptr<const FiniteKernel> kernel_;
  double level_;
  std::mutex lock_;
  std::vector<StatePair> pairs_;
  std::map<double, Bracket> values_;
};

constexpr double kFarthest = 700.0;

// kappa at equally spaced epsilons up to `end`.
ChordNodes equal_nodes(const Profile& kappa, double end, std::size_t count) {
  return [=, k = std::size_t{0}]() mutable -> std::optional<ChordNode> {
    if (k > count) return std::nullopt;
    const double epsilon = end * static_cast<double>(k++) / static_cast<double>(count);
    return ChordNode{epsilon, kappa.delta(Epsilon(epsilon)).upper()};
  };
}

// An upper bound on the largest finite log-ratio of two entries of a column; entries that may be 0 have none.
double largest_loss(const FiniteKernel& kernel) {
  const double level = ultra_mixing_coefficient(kernel).level.upper();
  if (std::isfinite(level) || kernel.absolute_error() > 0.0) return level;
  std::vector<double> smallest(kernel.outputs(), 1.0);
  std::vector<double> largest(kernel.outputs(), 0.0);
  for (std::size_t x = 0; x < kernel.states(); ++x) {
    const KernelRow row = kernel.row(x);
    for (std::size_t k = 0; k < row.values.size(); ++k) {
      if (row.values[k] == 0.0) continue;
      const std::size_t y = row.columns.empty() ? k : row.columns[k];
      smallest[y] = std::min(smallest[y], row.values[k]);
      largest[y] = std::max(largest[y], row.values[k]);
    }
  }
  double loss = 0.0;
  for (std::size_t y = 0; y < kernel.outputs(); ++y) {
    if (largest[y] == 0.0) continue;
    const Bracket low = kernel.enclosed(smallest[y]);
    if (!(low.lower() > 0.0)) return rounding::kInfinity;
    const Bracket ratio = numerics::log(Bracket(kernel.enclosed(largest[y]).upper())) - numerics::log(low);
    loss = std::max(loss, ratio.upper());
  }
  return loss;
}

}  // namespace

MixingKernel tabulated(const MixingKernel& kernel, std::size_t nodes) {
  ensure(nodes >= 1, "a table has nodes");
  ProfileTraits traits = kernel.profile.traits();
  traits.costly = false;
  traits.tight = false;
  const double end = std::min(traits.loss_bound, kFarthest);
  const ChordTable table(equal_nodes(kernel.profile, end, nodes));
  const auto upper = [kappa = kernel.profile, table, end](Epsilon epsilon) {
    // Asked on its own, to see whether anything is left there.
    return epsilon.value() >= end ? kappa.delta(Epsilon(end)).upper() : table.upper(epsilon.value());
  };
  return {Profile([upper](Epsilon epsilon) { return Bracket(0.0, upper(epsilon)); }, traits)};
}

MixingKernel mixing_kernel(std::shared_ptr<const FiniteKernel> kernel) {
  ProfileTraits traits;
  const double level = ultra_mixing_coefficient(*kernel).level.upper();
  traits.loss_bound = largest_loss(*kernel);
  const double cost = static_cast<double>(kernel->states()) * static_cast<double>(kernel->size());
  traits.costly = cost > kCheapSearch;
  const auto curve = std::make_shared<KernelCurve>(std::move(kernel), level);
  return {Profile([curve](Epsilon epsilon) { return curve->full(epsilon); }, traits),
          [curve](Epsilon epsilon) { return curve->known(epsilon); }};
}

}  // namespace doeblin
