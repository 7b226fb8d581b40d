// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/laplace.hpp"

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/wide.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin {
namespace {

numerics::Wide level(const Laplace& mechanism) { return numerics::ratio(mechanism.sensitivity, mechanism.scale); }

}  // namespace

void Laplace::validate() const {
  require_noise("scale", scale);
  require_sensitivity(sensitivity);
}

Bracket delta(const Laplace& mechanism, Epsilon epsilon) {
  mechanism.validate();
  if (std::isinf(epsilon.value())) return Bracket(0.0);
  const Bracket gap = -numerics::difference(level(mechanism), epsilon.value());
  if (gap.lower() >= 0.0) return Bracket(0.0);
  return clamp(-numerics::expm1(gap / 2.0), 0.0, 1.0);
}

Bracket rdp(const Laplace& mechanism, Alpha order) {
  mechanism.validate();
  const double alpha = order.value();
  const Bracket t = enclose(level(mechanism));
  if (t.upper() == 0.0) return Bracket(0.0);
  if (std::isinf(alpha)) return t;
  const Bracket s = Bracket(alpha) - 1.0;
  const Bracket total = Bracket(alpha) + s;
  const Bracket rise = s * t;
  Bracket value;
  if (rise.upper() < 1.0) {
    // The sum is 1 + (alpha g((alpha-1) t) + (alpha-1) g(-alpha t))/(2 alpha - 1), g(x) = e^x - 1 - x >= 0.
    value =
        numerics::log1p((alpha * numerics::expm1_minus(rise) + s * numerics::expm1_minus(-(alpha * t))) / total) / s;
  } else {
    value = numerics::log_add_exp(numerics::log(alpha / total) + rise, numerics::log(s / total) - alpha * t) / s;
  }
  return {std::max(0.0, value.lower()), std::min(value.upper(), t.upper())};
}

ProfileTraits profile_traits(const Laplace& mechanism) {
  return {.tight = true, .loss_bound = enclose(level(mechanism)).upper(), .log_concave = false};
}

}  // namespace doeblin
