// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/types.hpp"

namespace doeblin {

/// The Renyi divergence of a symmetric pair, from the atoms of its privacy loss.
///
/// Formula  E[e^{sL}] - 1 = sum over atoms with L > 0 of p (e^{sL} - 1)(1 - e^{-(s+1)L}), s = alpha - 1, p the mass
///          under the first law: the mirror image of an atom has loss -L and mass p e^{-L}
/// Method   positive terms only, summed in log space
class SymmetricMoment {
 public:
  explicit SymmetricMoment(Alpha alpha);

  /// Adds an atom of mass e^{log_mass} at loss >= 0.
  void add(const Bracket& log_mass, const Bracket& loss);

  [[nodiscard]] Bracket divergence() const;

 private:
  Bracket s_;
  Bracket log_excess_;
};

}  // namespace doeblin
