// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "doeblin/profile/discrete_gaussian.hpp"
#include "doeblin/profile/discrete_laplace.hpp"

namespace doeblin {

/// Symmetric noise on the integers, point by point, for those who ask at many places.
///
/// Bound  relative width <= 1e-11 wherever the value is above 1e-290
struct IntegerLaw {
  double unit;                            ///< so many integers are what one person moves
  std::function<Bracket(double k)> mass;  ///< Pr[Z = k]
  std::function<Bracket(double k)> tail;  ///< Pr[Z >= k]
};

/// Null where a table of all integers with mass would be long: sigma > 300.
[[nodiscard]] std::shared_ptr<const IntegerLaw> law_of(const DiscreteGaussian& noise);
[[nodiscard]] std::shared_ptr<const IntegerLaw> law_of(const DiscreteLaplace& noise);

}  // namespace doeblin
