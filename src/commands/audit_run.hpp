// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "commands/audit_request.hpp"
#include "doeblin/audit/verdict.hpp"

namespace doeblin::commands {

/// What is run, and what is said about it by whom.
struct AuditCase {
  audit::Subject subject;
  audit::Claim claim;
  std::string claimed_by;
  bool is_gaussian;
};

/// A finished audit.
struct AuditReport {
  AuditRequest asked;
  std::string subject;
  audit::Claim claim;
  std::string claimed_by;
  audit::AuditResult result;
  audit::Verdict verdict;
  /// The event in words.
  std::string event;
};

/// Empty when it was interrupted by a signal.
/// Errors   InvalidArgument
[[nodiscard]] std::optional<AuditReport> audit_run(const AuditRequest& asked);
/// Likewise, but signals do what they always do, and it ends soon after `stop` is set.
[[nodiscard]] std::optional<AuditReport> audit_run(const AuditRequest& asked, const std::atomic<bool>& stop);

/// `subject` against the epsilon and delta of the request, or its certificate.
/// Errors   InvalidArgument unless one of them is there
[[nodiscard]] AuditCase claimed_case(const AuditRequest& asked, const audit::Subject& subject);
[[nodiscard]] std::optional<AuditReport> audit_run(const AuditRequest& asked, const AuditCase& one,
                                                   const std::atomic<bool>& stop);

}  // namespace doeblin::commands
