// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "iteration/hidden_release.hpp"

/// Runs whose end, or whose order, is drawn at random: mixtures of hidden releases (catalogue C6, I8, I9, I10).
namespace doeblin::pipeline {

/// One of `total` equally likely ends of the run, of which the first `count` come after the record was used: X at
/// step released(r) for r = 0, ..., count-1, with guarantees that get better with r. At the other ends the record has
/// not been used. `shows_its_end`: the maps may tell when the run ended, so that the average is attained.
[[nodiscard]] Mechanism mixture_mechanism(const RunModel& model, const std::vector<Use>& uses,
                                          const std::function<std::size_t(std::size_t)>& released, std::size_t count,
                                          double total, bool shows_its_end);

/// weight * profile: the record is used with this probability only.
[[nodiscard]] Profile weighted(const Profile& profile, const Bracket& weight);

}  // namespace doeblin::pipeline
