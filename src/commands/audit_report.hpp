// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "commands/audit_run.hpp"

namespace doeblin::commands {

/// The verdict first; lower bounds are rounded down, upper ones up.
[[nodiscard]] std::string text_audit(const AuditReport& report);

[[nodiscard]] std::string json_audit(const AuditReport& report);

}  // namespace doeblin::commands
