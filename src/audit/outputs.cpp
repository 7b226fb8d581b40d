// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/outputs.hpp"

#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin::audit {

void Outputs::validate(std::size_t length) const {
  if (dimension != length)
    throw InvalidArgument("output", fmt::format("{} number{}", dimension, dimension == 1 ? "" : "s"),
                          fmt::format("{}, as in the first run", length));
  for (const double x : values) require(std::isfinite(x), "output", x, "finite numbers");
}

}  // namespace doeblin::audit
