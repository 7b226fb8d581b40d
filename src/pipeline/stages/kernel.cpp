// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "doeblin/amplify/kernel_coefficients.hpp"
#include "doeblin/pipeline/kernel_file.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/maker.hpp"

namespace doeblin::pipeline {

Kernel kernel(const FiniteKernel& matrix, const std::string& name, double steps) {
  return kernel_of(std::make_shared<const FiniteKernel>(power(matrix, steps)), name,
                   {checked("rows are probability distributions, up to 1e-12 per entry"),
                    asserted("the matrix is the kernel that is applied")});
}

Maker kernel_maker() {
  return {[](const Call& a, const Settings&) {
    const double steps = a.number("steps");
    if (const auto matrix = a.object<FiniteKernel>("file"))
      return kernel(*matrix, fmt::format("kernel({}, steps={})", file_text(a), steps), steps);
    return kernel(read_kernel(a.text("file")), fmt::format("kernel({}, steps={})", file_text(a), steps), steps);
  }};
}

}  // namespace doeblin::pipeline
