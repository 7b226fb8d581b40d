// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/audit/event.hpp"

/// Sets of numbers that may tell two samples apart. Samples are sorted.
namespace doeblin::audit {

/// {x >= t} and {x <= t} for values t of the samples, closer together towards the ends: each has about 2% more of the
/// values than the one before.
[[nodiscard]] std::vector<Interval> tails(const std::vector<double>& first, const std::vector<double>& second);

/// Cuts the line into cells: one for each value where few are different, otherwise up to 256 with about as many values
/// in each. A cell of one value is nothing but that value.
[[nodiscard]] std::vector<Interval> cells(const std::vector<double>& first, const std::vector<double>& second,
                                          bool is_categorical);

/// How many values of a sorted sample are in the interval.
[[nodiscard]] double count_in(const Interval& interval, const std::vector<double>& sample);

/// The cells in order of how much likelier they are in `likely` than in `rare`, the best first.
[[nodiscard]] std::vector<Interval> by_likelihood_ratio(std::vector<Interval> cells, const std::vector<double>& likely,
                                                        const std::vector<double>& rare);

/// Increasing, with those joined that have no number between them.
[[nodiscard]] std::vector<Interval> joined(std::vector<Interval> intervals);

}  // namespace doeblin::audit
