// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "doeblin/core/settings.hpp"

/// What a certificate calls the settings that it keeps.
namespace doeblin::certificate {

inline constexpr std::array<std::pair<const char*, double AccuracyGoal::*>, 4> kGoalFields = {
    {{"epsilon_width", &AccuracyGoal::epsilon_width},
     {"epsilon_relative_width", &AccuracyGoal::epsilon_relative_width},
     {"large_epsilon", &AccuracyGoal::large_epsilon},
     {"delta_width", &AccuracyGoal::delta_width}}};

}  // namespace doeblin::certificate
