// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/format.hpp"
#include "doeblin/mechanism/mechanism.hpp"
#include "doeblin/profile/group.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/twice_laplace.hpp"

namespace doeblin::pipeline {

/// The noise in units of what one person moves, where its shifts have a monotone likelihood ratio; else null.
template <typename M>
std::shared_ptr<const ShiftedNoise> shifted_noise(const M& noise) {
  if constexpr (std::is_same_v<M, Laplace>)
    return laplace_noise(numerics::ratio(noise.sensitivity, noise.scale));
  else if constexpr (std::is_same_v<M, TwiceLaplace>)
    return twice_laplace_noise(noise);
  else if constexpr (requires { integer_noise(noise); })
    return integer_noise(noise);
  else
    return nullptr;
}

/// A mechanism that adds noise to a value of known sensitivity, for k people.
template <typename M>
Mechanism noise_mechanism(const M& noise, double k = 1.0) {
  return Mechanism::of_pair(LossPair::symmetric_of(white_box_group(noise, k)), white_box_group_renyi(noise, k))
      .with_noise(k == 1.0 ? shifted_noise(noise) : nullptr)
      .with_groups({[noise, k](double more) { return noise_mechanism(noise, k * more); },
                    "white box: k people move the value k times as far"});
}

inline Assumption sensitivity_assumption(double sensitivity, std::string_view norm) {
  return asserted("one person moves the released value by at most " + format_exact(sensitivity) + std::string(norm));
}

}  // namespace doeblin::pipeline
