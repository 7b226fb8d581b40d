// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/certificate/certificate.hpp"
#include "json/json.hpp"

/// The JSON of a certificate in both directions; docs/guides/certificate.md is its description.
namespace doeblin::certificate {

inline constexpr const char* kFormat = "doeblin certificate";

/// Everything but the seal.
[[nodiscard]] Json unsealed_json(const Certificate& certificate);

/// Errors   InvalidArgument that names the field
[[nodiscard]] Certificate certificate_from(const Json& json);

}  // namespace doeblin::certificate
