// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/format.hpp"
#include "doeblin/mechanism/mechanism.hpp"
#include "doeblin/profile/group.hpp"

namespace doeblin::pipeline {

/// A mechanism that adds noise to a value of known sensitivity, for k people.
template <typename M>
Mechanism noise_mechanism(const M& noise, double k = 1.0) {
  return Mechanism::of_pair(LossPair::symmetric_of(white_box_group(noise, k)), white_box_group_renyi(noise, k))
      .with_groups({[noise, k](double more) { return noise_mechanism(noise, k * more); },
                    "white box: k people move the value k times as far"});
}

inline Assumption sensitivity_assumption(double sensitivity, std::string_view norm) {
  return asserted("one person moves the released value by at most " + format_exact(sensitivity) + std::string(norm));
}

}  // namespace doeblin::pipeline
