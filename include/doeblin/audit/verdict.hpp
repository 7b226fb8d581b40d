// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "doeblin/audit/audit.hpp"

namespace doeblin::audit {

/// What is said about a mechanism: (epsilon_upper, delta)-DP, and mu_upper-GDP if there is such a level.
struct Claim {
  double epsilon_upper;
  double delta;
  std::optional<double> mu_upper = std::nullopt;
};

enum class Verdict {
  kConsistent,  ///< nothing was seen that contradicts the claim
  kViolated     ///< the claim is false, but for the share of audits that may fail
};

/// "CONSISTENT" or "VIOLATED".
[[nodiscard]] std::string_view name(Verdict verdict);

/// Violated if a lower bound is above what is claimed. A level of Gaussian DP is held against the claimed level; if
/// there is none, its epsilon at delta against epsilon_upper, on the word of whoever asked for it that the claim is one
/// of Gaussian DP.
[[nodiscard]] Verdict verdict_of(const AuditResult& result, const Claim& claim);

}  // namespace doeblin::audit
