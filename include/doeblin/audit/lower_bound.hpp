// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "doeblin/audit/event.hpp"

/// What an event that was fixed beforehand shows about a mechanism, with a given confidence.
namespace doeblin::audit {

/// How often the event came, on the input that makes it likely and on the other one.
struct EventCounts {
  double likely_hits = 0.0;
  double likely_runs = 0.0;
  double rare_hits = 0.0;
  double rare_runs = 0.0;

  friend bool operator==(const EventCounts&, const EventCounts&) = default;
};

/// P(E) >= likely_lower and Q(E) <= rare_upper, both at once but for a share `failure` of all experiments.
struct EventBounds {
  double likely_lower;
  double rare_upper;
};

/// Method   Clopper and Pearson with failure/2 each: the two fail together in at most the sum
[[nodiscard]] EventBounds bounds_of(const EventCounts& counts, double failure);

/// No mechanism with such an event is (epsilon, delta)-DP for any epsilon below this.
///
/// Formula  log((P - delta)/Q), 0 if that is negative: (epsilon, delta)-DP says P(E) <= e^epsilon Q(E) + delta
/// Domain   0 <= delta < 1
/// Bound    rounded down; finite
[[nodiscard]] double epsilon_lower(const EventBounds& bounds, double delta);

/// No mechanism with such an event is mu-GDP for any mu below this.
///
/// Formula  Phi^-1(P) - Phi^-1(Q), 0 if that is negative: mu-GDP says that a test with false positives Q(E) has at
///          least Phi(Phi^-1(1 - Q) - mu) false negatives, 1 - P(E)
/// Source   [DRS22] Definition 2.6
/// Bound    rounded down; finite
[[nodiscard]] double mu_lower(const EventBounds& bounds);

/// Epsilon at delta of the mechanism that is exactly mu-GDP: catalogue P1, rounded down.
/// Domain   0 < delta <= 1
[[nodiscard]] double gaussian_epsilon_lower(double mu, double delta);

}  // namespace doeblin::audit
