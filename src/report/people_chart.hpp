// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/certificate/certificate.hpp"

namespace doeblin::report {

/// Everybody's guarantee against the record's number, with the worst, the best and the median marked.
[[nodiscard]] std::string people_chart(const certificate::PeopleClaim& people);

}  // namespace doeblin::report
