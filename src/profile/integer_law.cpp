// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/integer_law.hpp"

#include <cmath>
#include <vector>

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

constexpr double kLargestTabledSigma = 300.0;
constexpr double kSmallestTabledSigma = 1e-3;
// e^{-37.2^2/2} is about 1e-300.
constexpr double kFarthestSigmas = 37.2;

// f(k) = e^{-k^2/(2 sigma^2)} for k = 0, 1, ..., its sums from k on, and what they add up to on all integers.
class NormalTable {
 public:
  explicit NormalTable(double sigma) {
    const auto count = static_cast<std::size_t>(std::ceil(kFarthestSigmas * sigma)) + 2;
    const Bracket twice_variance = 2.0 * Bracket(sigma) * Bracket(sigma);
    for (std::size_t k = 0; k < count; ++k) {
      const auto x = static_cast<double>(k);
      masses_.push_back(numerics::exp(-(Bracket(x * x) / twice_variance)));
    }
    // Past the last k the masses fall at least geometrically, with ratio e^{-(2k+1)/(2 sigma^2)}.
    const double last = static_cast<double>(count - 1);
    const Bracket beyond = masses_.back() / numerics::expm1(Bracket(2.0 * last + 1.0) / twice_variance);
    tails_.assign(count + 1, Bracket(0.0, beyond.upper()));
    for (std::size_t k = count; k-- > 0;) tails_[k] = tails_[k + 1] + masses_[k];
    const Bracket total = tails_[0] + tails_[1];
    for (Bracket& mass : masses_) mass = mass / total;
    for (Bracket& tail : tails_) tail = tail / total;
  }

  [[nodiscard]] Bracket mass(double k) const {
    const double x = std::fabs(k);
    return x < static_cast<double>(masses_.size()) ? masses_[static_cast<std::size_t>(x)]
                                                   : Bracket(0.0, tails_.back().upper());
  }
  [[nodiscard]] Bracket tail(double k) const {
    if (k <= 0.0) return clamp(1.0 - tail(1.0 - k), 0.0, 1.0);
    return k < static_cast<double>(tails_.size()) ? tails_[static_cast<std::size_t>(k)]
                                                  : Bracket(0.0, tails_.back().upper());
  }

 private:
  std::vector<Bracket> masses_;
  std::vector<Bracket> tails_;
};

}  // namespace

std::shared_ptr<const IntegerLaw> law_of(const DiscreteGaussian& noise) {
  noise.validate();
  if (noise.sigma > kLargestTabledSigma || noise.sigma < kSmallestTabledSigma) return nullptr;
  const auto table = std::make_shared<const NormalTable>(noise.sigma);
  return std::make_shared<const IntegerLaw>(IntegerLaw{.unit = noise.sensitivity,
                                                       .mass = [table](double k) { return table->mass(k); },
                                                       .tail = [table](double k) { return table->tail(k); }});
}

// With t = e^{-1/b}: Pr[Z = k] = t^|k| (1 - t)/(1 + t), and Pr[Z >= k] = t^k/(1 + t) for k >= 0.
std::shared_ptr<const IntegerLaw> law_of(const DiscreteLaplace& noise) {
  noise.validate();
  const Bracket rate = Bracket(1.0) / noise.scale;
  const Bracket outer = 1.0 / (1.0 + numerics::exp(-rate));
  const Bracket inner = -numerics::expm1(-rate) * outer;
  const auto tail = [=](double k) {
    if (k >= 0.0) return clamp(numerics::exp(-(k * rate)) * outer, 0.0, 1.0);
    return clamp(1.0 - numerics::exp(-((1.0 - k) * rate)) * outer, 0.0, 1.0);
  };
  return std::make_shared<const IntegerLaw>(
      IntegerLaw{.unit = noise.sensitivity,
                 .mass = [=](double k) { return clamp(numerics::exp(-(std::fabs(k) * rate)) * inner, 0.0, 1.0); },
                 .tail = tail});
}

}  // namespace doeblin
