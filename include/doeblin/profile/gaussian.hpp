// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/gdp.hpp"

namespace doeblin {

/// Adds N(0, sigma^2) to a value that one person moves by at most `sensitivity` (Euclidean). Catalogue P1.
struct Gaussian {
  double sigma;
  double sensitivity = 1.0;

  void validate() const;
};

/// The mechanism is exactly sensitivity/sigma-GDP; everything else follows from that.
[[nodiscard]] Gdp gdp(const Gaussian& mechanism);

}  // namespace doeblin
