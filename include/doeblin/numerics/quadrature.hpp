// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "doeblin/core/bracket.hpp"

namespace doeblin::numerics {

/// A function f >= 0 of t >= 0, non-increasing and convex in e^t, sampled at t = 0, h, 2h, ... (h a power of two, so
/// the nodes are exact). There are cells + 3 samples: the two past the end give the last cells their lower bound.
struct ConvexSamples {
  double step = 0.0;
  std::vector<Bracket> log_values = {};
  std::vector<double> drops = {};  ///< A lower bound on 1 - f_{k+1}/f_k.
  double largest_log = 0.0;        ///< The largest finite |log f|.
};

[[nodiscard]] ConvexSamples sample_convex(const std::function<Bracket(double)>& f, double end, int least_cells);

/// The log of int_0^end e^{s t} f(t) dt, where `end` is the first node >= the one that was asked for.
///
/// Bound    encloses the log of the integral: a chord in e^t lies above a convex function, and the extension of the
///          next cell's chord lies below it; both are second order in the step. Upper bounds on a convex function need
///          not be convex: of these the upper end holds, and where the two would cross the lower end is -infinity
/// Method   log space throughout, so neither e^{s t} nor f overflows or underflows
[[nodiscard]] Bracket log_exp_weighted_integral(const ConvexSamples& samples, double s);

/// The node where the integral above ends.
[[nodiscard]] double end_of(const ConvexSamples& samples);

}  // namespace doeblin::numerics
