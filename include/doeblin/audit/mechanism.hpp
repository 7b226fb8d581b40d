// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/audit/audit.hpp"
#include "doeblin/language/program.hpp"
#include "doeblin/sampling/random_stream.hpp"

namespace doeblin::audit {

struct MechanismOptions {
  sampling::RandomSource source = sampling::RandomSource::secure();
  /// Multiplies the noise that is drawn: a mechanism that does not keep its promise, to see whether it is caught.
  double noise_factor = 1.0;
  /// Of the claim: decides which person of a run, or which pair of rows of a matrix, is the worst one.
  double delta = 0.0;
};

/// The mechanism that an expression describes, run on the two neighbours that are hardest to hide.
///
/// gaussian, laplace, twice_laplace, discrete_gaussian, discrete_laplace, brownian, ornstein_uhlenbeck: a number that
/// moves by the sensitivity. randomized_response: a bit that flips; the noise is the chance of a false answer. finite:
/// the pair of rows with the largest epsilon. noisy_iteration, noisy_sgd (fixed order, last state): the line with
/// linear maps, at most as steep as their Lipschitz constant c, neighbours' steps being pushed apart by their shift
/// where the record is used: of all c-Lipschitz maps those that hide it least, if the domain is unbounded. person(i)
/// chooses the record, compose and + give longer outputs, poisson lets the person take part with that probability.
///
/// Method   noise is drawn exactly on a grid of 2^-40 of its scale, by what `release` and `train` use too
/// Errors   InvalidArgument for anything else
[[nodiscard]] Subject mechanism_subject(const language::Program& program, const MechanismOptions& options);

}  // namespace doeblin::audit
