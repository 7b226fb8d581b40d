// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/audit_question.hpp"
#include "doeblin/audit/verdict.hpp"

namespace doeblin::cli {

/// A finished audit.
struct AuditReport {
  AuditQuestion question;
  /// What was run, and what was said about it by whom.
  std::string subject;
  audit::Claim claim;
  std::string claimed_by;
  audit::AuditResult result;
  audit::Verdict verdict;
  /// The event in words.
  std::string event;
};

/// Empty when it was interrupted.
/// Errors   InvalidArgument
[[nodiscard]] std::optional<AuditReport> audit_run(const AuditQuestion& question);

}  // namespace doeblin::cli
