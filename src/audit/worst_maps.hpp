// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace doeblin::audit {

/// Linear maps psi_t(x) = f_t x, 0 <= f_t <= lipschitz, on the line that hide the steps that differ least, when the
/// same noise follows every map and the domain is the whole line.
///
/// The state's difference in mean over its deviation is at most sqrt(sum a_t^2) for shifts a_t that are feasible (I3),
/// by the inequality of Cauchy and Schwarz, and equal to it where a_t is proportional to the weight of Z_t in the last
/// state: f_t = a_{t-1}/a_t, for the optimal shifts. These grow by 1/lipschitz from step to step within a stretch that
/// is pooled, and by more from one stretch to the next.
/// `differs`: for every step, whether it does; the first one does.
[[nodiscard]] std::vector<double> worst_maps(const std::vector<bool>& differs, double lipschitz);

}  // namespace doeblin::audit
