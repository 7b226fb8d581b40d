// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "verify/known.hpp"

/// What is known about a run in terms of Gaussian levels.
namespace doeblin::verify {

/// theta over balls. Below 1e-360, where no double is, only from above (and 0 from below): e^{-a^2/2}/2 bounds the
/// normal tail at a = epsilon/mu - mu/2.
[[nodiscard]] Ball profile_at(const Ball& epsilon, const Ball& mu);

/// Nothing depends on the person.
[[nodiscard]] Known known_nothing();

/// The level is `high` at most; some maps have `low`. Without rounding both are one number, and it is exactly Gaussian.
[[nodiscard]] Known known_level(const Ball& low, const Ball& high);

/// At most as bad as mu-GDP, and as `delta` says where that is better.
[[nodiscard]] Known known_dominated(const Ball& mu, std::function<Ball(const Ball& epsilon)> delta);

/// Each part `times` times: Gaussian levels compose; or epsilons and deltas add, every release with the same share.
[[nodiscard]] Known known_repeated(const std::vector<Known>& parts, double times);

}  // namespace doeblin::verify
