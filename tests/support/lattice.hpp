// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "doeblin/composition/tilted_lattice.hpp"

/// Lattices by their definition, for comparison.
namespace doeblin::test {

/// Sum over losses x > eps of p(x) (1 - e^{eps - x}), for any real eps.
inline long double delta_of(const LossLattice& lattice, double epsilon) {
  long double sum = lattice.infinite;
  for (std::size_t k = 0; k < lattice.mass.size(); ++k) {
    const long double x =
        lattice.offset + static_cast<long double>(lattice.first + static_cast<std::int64_t>(k)) * lattice.step;
    if (x > epsilon) sum += lattice.mass[k] * -std::expm1(static_cast<long double>(epsilon) - x);
  }
  return sum;
}

inline long double untilted_mass(const TiltedLattice& lattice, std::size_t k) {
  const long double x = static_cast<long double>(lattice.first + static_cast<std::int64_t>(k)) * lattice.step;
  return std::exp(static_cast<long double>(lattice.log_scale) - lattice.tilt * x) * lattice.mass[k];
}

inline long double delta_of(const TiltedLattice& lattice, double epsilon) {
  long double sum = lattice.infinite;
  for (std::size_t k = 0; k < lattice.mass.size(); ++k) {
    const long double x =
        lattice.offset + static_cast<long double>(lattice.first + static_cast<std::int64_t>(k)) * lattice.step;
    if (x > epsilon) sum += untilted_mass(lattice, k) * -std::expm1(static_cast<long double>(epsilon) - x);
  }
  return sum;
}

}  // namespace doeblin::test
