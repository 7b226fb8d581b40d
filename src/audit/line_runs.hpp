// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "audit/draws.hpp"

/// Hidden iterations as processes on the line, for the neighbours and maps that their guarantees must allow for.
namespace doeblin::audit {

/// noisy_iteration(...)
[[nodiscard]] Draws iteration_draws(const language::Call& call, const MechanismOptions& options);

/// noisy_sgd(...) for one record, or for the least protected one.
/// Errors   InvalidArgument unless the order is fixed, the last state the only one released, and constants stay
///          the same
[[nodiscard]] Draws sgd_draws(const language::Call& call, std::optional<double> person,
                              const MechanismOptions& options);

}  // namespace doeblin::audit
