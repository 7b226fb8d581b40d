// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "doeblin/certificate/certificate.hpp"
#include "doeblin/mechanism/pipeline.hpp"

namespace doeblin::certificate {

/// What is not what this software, asked the same, says: numbers that differ by more than kReproducible, another
/// relation, another word in the derivation, another file. Empty for a certificate that nobody changed.
/// Domain: a certificate of this software's version that is not void; the pipeline of its program.
[[nodiscard]] std::vector<std::string> differences(const Certificate& certificate, const pipeline::Pipeline& pipeline);

/// Relative. Processors differ in the last digits.
inline constexpr double kReproducible = 1e-8;

}  // namespace doeblin::certificate
