// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "commands/answer.hpp"
#include "commands/people_report.hpp"
#include "doeblin/certificate/certificate.hpp"
#include "doeblin/io/atomic_file.hpp"
#include "doeblin/issuing/issue.hpp"

/// From what a command found out to a certificate of it.
namespace doeblin::commands {

/// The certificate with its curve, showing progress where that takes long.
[[nodiscard]] certificate::Certificate issued(certificate::Kind kind, const certificate::Subject& subject);

[[nodiscard]] certificate::Certificate certificate_of(const Report& report, const Settings& settings);
[[nodiscard]] certificate::Certificate certificate_of(const PeopleReport& report, const Settings& settings);

/// Everybody's answer to a question, as a certificate has it.
[[nodiscard]] certificate::PeopleClaim people_claim_of(const PeopleAnswer& answer);

/// Appears whole or not at all.
void write_certificate(const std::string& path, const certificate::Certificate& certificate,
                       const FileOptions& options = {});

}  // namespace doeblin::commands
