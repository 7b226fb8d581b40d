// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "doeblin/profile/integer_law.hpp"
#include "doeblin/subsampling/noise_mixture.hpp"

namespace doeblin {

/// The divergence of two mixtures of noise on the integers from a table of half-lines, for those who ask many times.
///
/// Formula  P = sum_i w_i K(m_i), Q = sum_j v_j K(-n_j), in units of u integers. On the half-line from z on
///          P - e^eps Q = A(z) + e^eps B(z) - (e^eps - 1) T(z), T(z) = K(0)([z, infinity)),
///          A(z) = sum_i w_i K(0)([z - m_i u, z)), B(z) = sum_j v_j K(0)([z, z + n_j u)): positive sums of masses.
///          delta is the largest of these, at the first z where the log of the likelihood ratio is above eps
/// Bound    relative width <= 1e-11, or no answer
/// Cost     a search in the table
class IntegerMixture {
 public:
  /// The log of the likelihood ratio of P to Q at z, which never falls.
  using Level = std::function<Bracket(double z)>;

  /// `low` and `high` are the first and the last z of the table.
  IntegerMixture(const IntegerLaw& law, const NoiseMixture& p, const NoiseMixture& q, double low, double high,
                 const Level& level);

  /// Nothing where the table ends, or says less than it should.
  [[nodiscard]] std::optional<Bracket> divergence(double epsilon) const;

  /// Rows, and the work that each takes.
  [[nodiscard]] static double cost(const IntegerLaw& law, const NoiseMixture& p, const NoiseMixture& q, double low,
                                   double high);

 private:
  struct HalfLine {
    Bracket from_p, from_q, tail;
  };
  [[nodiscard]] Bracket at(const HalfLine& half_line, const Bracket& growth, double epsilon) const;

  std::vector<double> levels_below_;  // of the rows, never falling
  std::vector<double> levels_above_;
  std::vector<HalfLine> half_lines_;
  double rest_;
};

}  // namespace doeblin
