// SPDX-License-Identifier: Apache-2.0
#include "verify/mixing/kernels.hpp"

namespace doeblin::verify {
namespace {

// 1 - p is exact for every double p, and a power of it still has hundreds of bits next to 1.
constexpr long kBits = 4096;

}  // namespace

// K = l I + (1 - l) J/k with l = 1 - (1 - p) k/(k - 1), so that K^r has l^r in place of l.
std::optional<KAryPower> k_ary_power(const language::Call& call) {
  const bool is_binary = call.name == "binary_symmetric";
  if (!is_binary && call.name != "k_ary_response") return std::nullopt;
  const WithPrecision more(kBits);
  const double states = is_binary ? 2.0 : call.number("k");
  const Ball k(states);
  const Ball replaced = is_binary ? Ball(call.number("flip")) : Ball(1) - Ball(call.number("p"));
  // One step has its entries as they are given, zeros included.
  if (call.number("steps") == 1.0) return KAryPower{states, Ball(1) - replaced, replaced / (k - Ball(1))};
  const Ball memory = power(Ball(1) - replaced * k / (k - Ball(1)), static_cast<unsigned long>(call.number("steps")));
  return KAryPower{states, positive_part(Ball(1) + (k - Ball(1)) * memory) / k, positive_part(Ball(1) - memory) / k};
}

// Two rows differ in two places, where one of them has the smaller entry: (larger - smaller - h smaller)_+.
Curve k_ary_curve(const KAryPower& power) {
  const WithPrecision more(kBits);
  const Ball smaller = min(power.diagonal, power.elsewhere);
  const Ball difference = absolute(power.diagonal - power.elsewhere);
  return {.value =
              [=](const Ball& h) {
                if (!h.is_finite()) return certainly_less(Ball(0), smaller) ? Ball(0) : difference;
                return positive_part(difference - h * smaller);
              },
          .is_finite = true,
          .pure_excess = certainly_less(Ball(0), smaller) ? std::optional(difference / smaller) : std::nullopt};
}

}  // namespace doeblin::verify
