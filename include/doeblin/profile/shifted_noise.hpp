// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "doeblin/numerics/wide.hpp"
#include "doeblin/profile/discrete_gaussian.hpp"
#include "doeblin/profile/discrete_laplace.hpp"
#include "doeblin/profile/integer_law.hpp"
#include "doeblin/profile/twice_laplace.hpp"

namespace doeblin {

/// Symmetric noise whose shifts have a monotone likelihood ratio, on a line whose unit is what one person moves.
///
/// K(m) is the noise around m units. The likelihood ratio of K(m) against K(0), m >= 0, never falls with z, so that
/// half-lines are the best tests between any two shifts, and one half-line serves mixtures of them: that is what the
/// common test lemma asks for (catalogue N1). On the integers a half-line is randomised at its end, which is a z
/// between two integers here: the log of the ratio is taken to be linear in between.
class ShiftedNoise {
 public:
  virtual ~ShiftedNoise() = default;

  /// log dK(m)/dK(0) at z; -infinity < z < infinity, m >= 0.
  [[nodiscard]] virtual Bracket log_ratio(double z, double m) const = 0;
  /// D_{e^level}(K(m)||K(0)) at a level of either sign.
  [[nodiscard]] virtual Bracket divergence(const Bracket& level, double m) const = 0;

  /// About the log of the ratio and its slope, to begin a search with.
  struct Slope {
    double value;
    double derivative;
  };
  [[nodiscard]] virtual Slope approximate_log_ratio(double z, double m) const = 0;

  /// From here on, either the ratio no longer grows beyond its bracket or no mass of K(0), ..., K(m) is left that a
  /// double could see.
  [[nodiscard]] virtual double farthest(double m) const = 0;

  /// A log-concave profile at or above that of K(m) against K(0); null if none is known.
  [[nodiscard]] virtual std::shared_ptr<const Profile> majorant(double m) const = 0;
  /// At least the largest log ratio.
  [[nodiscard]] virtual double loss_bound(double m) const = 0;
  /// At least K(0)((z, infinity)), and at least the probability under K(0) of a ratio above the one at z.
  [[nodiscard]] virtual double tail(double /*z*/) const { return 1.0; }
  /// Point by point; null unless it is on the integers, and few of these matter.
  [[nodiscard]] virtual std::shared_ptr<const IntegerLaw> law() const { return nullptr; }
};

/// N(0, 1), in units of mu.
[[nodiscard]] std::shared_ptr<const ShiftedNoise> normal_noise(const numerics::Wide& mu);
/// Laplace noise of scale 1, in units of `level` = sensitivity/scale.
[[nodiscard]] std::shared_ptr<const ShiftedNoise> laplace_noise(const numerics::Wide& level);
/// The sum of two Laplace noises, in units of its sensitivity; z counts units of the larger scale. Null where one scale is
/// so much smaller than the other that it is not resolved.
[[nodiscard]] std::shared_ptr<const ShiftedNoise> twice_laplace_noise(const TwiceLaplace& noise);
/// Noise on the integers, in units of its sensitivity. Domain: whole multiples.
[[nodiscard]] std::shared_ptr<const ShiftedNoise> integer_noise(const DiscreteGaussian& noise);
[[nodiscard]] std::shared_ptr<const ShiftedNoise> integer_noise(const DiscreteLaplace& noise);

}  // namespace doeblin
