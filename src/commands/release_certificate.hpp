// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/release_report.hpp"
#include "doeblin/certificate/certificate.hpp"

namespace doeblin::commands {

/// One for each file, in their order: what it and all later ones together guarantee.
[[nodiscard]] std::vector<certificate::Certificate> certificates_of(const ReleaseReport& report);

/// The guarantee of the release that a certificate describes, planned again from what was declared.
/// Errors   InvalidArgument when there is no such release, or its noise is not that of the certificate's program
[[nodiscard]] pipeline::Pipeline released_again(const certificate::Certificate& certificate);

/// Refuses, before anything is released, a path that certificates cannot be written to or that is one of the release.
void require_room_for_certificate(const std::string& path, const ReleaseRequest& asked);

/// Writes those of a release, each of which appears whole or not at all.
void write_certificates(const std::string& path, const ReleaseReport& report);

/// "noise.json", or "noise.tier2.json" for the second of several files.
[[nodiscard]] std::string certificate_path(const std::string& path, std::size_t number, std::size_t count);

}  // namespace doeblin::commands
