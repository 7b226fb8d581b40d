// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/certificate/certificate.hpp"

namespace doeblin::report {

/// The privacy profile: a plot, and its numbers in a table; empty where the certificate has no curve.
[[nodiscard]] std::string profile_section(const certificate::Certificate& certificate);

/// Everybody's guarantee; empty where the certificate says nothing about single records.
[[nodiscard]] std::string people_section(const certificate::Certificate& certificate);

}  // namespace doeblin::report
