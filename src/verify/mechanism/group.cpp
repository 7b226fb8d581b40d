// SPDX-License-Identifier: Apache-2.0
#include "verify/mechanism/noise.hpp"
#include "verify/programs.hpp"

namespace doeblin::verify {
namespace {

// C4: (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k), k delta(0) at 0.
Ball rule(const Known& base, unsigned long k, const Ball& epsilon) {
  const Ball count(static_cast<double>(k));
  const Ball share = epsilon / count;
  const Ball growth = arb_is_zero(epsilon.get()) != 0 ? count : expm1(epsilon) / expm1(share);
  return growth * base.delta(share).upper;
}

}  // namespace

Known known_group(const Known& base, unsigned long k) {
  if (k == 1) return base;
  if (base.group) return base.group(k);
  Known known{.delta = [base, k](const Ball& epsilon) {
    // A delta never grows with epsilon: the rule at any smaller one holds too.
    Ball least(1);
    for (const double part : {1.0, 0.75, 0.5, 0.25, 0.0}) least = min(least, rule(base, k, epsilon * Ball(part)));
    // From the largest loss on, and certainly from a little more, nothing becomes less.
    if (base.largest_loss) {
      const Ball last = base.largest_loss->high_end() * Ball(static_cast<double>(k)) * (Ball(1) + Ball(0x1p-100));
      if (certainly_less(last, epsilon)) least = min(least, rule(base, k, last));
    }
    if (base.pure) {
      const Ball level = *base.pure * Ball(static_cast<double>(k));
      least = min(least, known_black_box(level, Ball(0)).delta(epsilon).upper);
    }
    // A group is at least as badly off as one person.
    return Enclosed{least, base.delta(epsilon).lower};
  }};
  if (base.pure) known.pure = *base.pure * Ball(static_cast<double>(k));
  return known;
}

}  // namespace doeblin::verify
