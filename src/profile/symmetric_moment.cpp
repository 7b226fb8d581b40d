// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/symmetric_moment.hpp"

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {

SymmetricMoment::SymmetricMoment(Alpha alpha)
    : s_(Bracket(alpha.value()) - 1.0), log_excess_(Bracket(-rounding::kInfinity)) {}

void SymmetricMoment::add(const Bracket& log_mass, const Bracket& loss) {
  if (loss.upper() <= 0.0) return;
  const Bracket x = max(loss, Bracket(0.0));
  const auto log_rise = [](const Bracket& y) { return numerics::log(max(-numerics::expm1(-y), Bracket(0.0))); };
  const Bracket rise = s_ * x;
  log_excess_ = numerics::log_add_exp(log_excess_, log_mass + rise + log_rise(rise) + log_rise((s_ + 1.0) * x));
}

Bracket SymmetricMoment::divergence() const {
  if (log_excess_.upper() < 0.0) return numerics::log1p(numerics::exp(log_excess_)) / s_;
  return numerics::log_add_exp(Bracket(0.0), log_excess_) / s_;
}

}  // namespace doeblin
