// SPDX-License-Identifier: Apache-2.0
#include "verify/mixing/kernels.hpp"

namespace doeblin::verify {

// P4 in the excess: gamma + (1 - gamma) (e - h)_+/(2 + e), e^epsilon = 1 + e.
Curve black_box_curve(const Ball& excess, const Ball& gamma) {
  const Ball slope = (Ball(1) - gamma) / (Ball(2) + excess);
  const bool is_pure = arb_is_zero(gamma.get()) != 0;
  return {.value = [=](const Ball& h) { return h.is_finite() ? gamma + slope * positive_part(excess - h) : gamma; },
          .pure_excess = is_pure ? std::optional(excess) : std::nullopt};
}

std::optional<Curve> bounded_kernel(const language::Call& call) {
  if (call.name == "dobrushin") return black_box_curve(expm1(Ball(call.number("epsilon"))), Ball(call.number("gamma")));
  // K(x) >= (1 - gamma) omega: two rows differ on at most gamma (M6).
  if (call.name == "doeblin") return black_box_curve(Ball(0), Ball(call.number("gamma")));
  if (call.name != "ultra_mixing") return std::nullopt;
  const Ball gamma(call.number("gamma"));
  // e^e0 = 1/(1 - gamma); every kernel is 1-ultra-mixing.
  if (call.number("gamma") == 1.0) return black_box_curve(Ball(0), Ball(1));
  return black_box_curve(gamma / (Ball(1) - gamma), Ball(0));
}

}  // namespace doeblin::verify
