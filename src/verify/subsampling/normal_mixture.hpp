// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "verify/ball.hpp"

/// Mixtures of normal laws of variance 1 on the line.
namespace doeblin::verify {

struct NormalPart {
  Ball weight;
  Ball mean;
};
using NormalMixture = std::vector<NormalPart>;

/// D_{e^epsilon}(P||Q), for mixtures whose likelihood ratio P/Q is monotone in z (one has its means at or right of
/// those of the other, one of the two having a single mean or both lying on different sides of 0).
///
/// Method   the event is a half-line; its end is enclosed by certified signs of P - e^epsilon Q
[[nodiscard]] Ball divergence(const NormalMixture& p, const NormalMixture& q, const Ball& epsilon);

}  // namespace doeblin::verify
