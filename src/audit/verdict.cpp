// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/verdict.hpp"

#include "doeblin/core/words.hpp"

namespace doeblin::audit {

std::string_view name(Verdict verdict) {
  constexpr auto kVerdicts = words<Verdict>({{"CONSISTENT", Verdict::kConsistent}, {"VIOLATED", Verdict::kViolated}});
  return kVerdicts.word_of(verdict);
}

Verdict verdict_of(const AuditResult& result, const Claim& claim) {
  if (result.epsilon_lower > claim.epsilon_upper) return Verdict::kViolated;
  if (!result.gaussian) return Verdict::kConsistent;
  const bool is_violated = claim.mu_upper ? result.mu_lower > *claim.mu_upper
                                          : gaussian_epsilon_lower(result.mu_lower, claim.delta) > claim.epsilon_upper;
  return is_violated ? Verdict::kViolated : Verdict::kConsistent;
}

}  // namespace doeblin::audit
