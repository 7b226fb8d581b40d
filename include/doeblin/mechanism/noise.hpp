// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/format.hpp"
#include "doeblin/mechanism/pipeline.hpp"
#include "doeblin/profile/group.hpp"

namespace doeblin::pipeline {

/// The guarantee for k people of a mechanism that adds noise to a value of known sensitivity.
template <typename M>
Guarantee noise_guarantee(const M& mechanism, double k = 1.0) {
  const Profile profile = white_box_group(mechanism, k);
  return {.profile = profile,
          .renyi = white_box_group_renyi(mechanism, k),
          .pairs = LossPairs::exact(LossPair::symmetric_of(profile)),
          .white_box_group = [mechanism, k](double more) { return noise_guarantee(mechanism, k * more); }};
}

inline Assumption sensitivity_assumption(double sensitivity, std::string_view norm) {
  return asserted("one person moves the released value by at most " + format_exact(sensitivity) + std::string(norm));
}

}  // namespace doeblin::pipeline
