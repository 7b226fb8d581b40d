// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "doeblin/certificate/certificate.hpp"

/// Certificates as JSON: docs/guides/certificate.md describes the format.
namespace doeblin::certificate {

/// Every number stands there in decimal and in hexadecimal, and the whole is sealed with its SHA-256.
[[nodiscard]] std::string text_of(const Certificate& certificate);

/// Reads what text_of() wrote, and nothing else: an unknown, missing, repeated or inconsistent field, a number whose
/// two forms differ and a broken seal are refused. `name` is what errors call the text.
/// Errors   InvalidArgument, one line
[[nodiscard]] Certificate read_certificate(const std::string& name, std::string_view text);

/// Errors   InvalidArgument; files over 64 MiB are refused
[[nodiscard]] Certificate read_certificate_file(const std::string& path);

}  // namespace doeblin::certificate
