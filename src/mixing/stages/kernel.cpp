// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "doeblin/mixing/kernel_coefficients.hpp"
#include "doeblin/mixing/kernel_file.hpp"
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

Kernel kernel(const FiniteKernel& matrix, const std::string& name, double steps) {
  return kernel_of(std::make_shared<const FiniteKernel>(power(matrix, steps)), name,
                   {checked("rows are probability distributions, up to 1e-12 per entry"),
                    asserted("the matrix is the kernel that is applied")});
}

KernelMaker kernel_maker() {
  return {[](const Call& a, const Settings&) {
    const double steps = a.number("steps");
    if (const auto matrix = a.object<FiniteKernel>("file"))
      return kernel(*matrix, fmt::format("kernel({}, steps={})", file_text(a), steps), steps);
    return kernel(read_kernel(a.text("file")), fmt::format("kernel({}, steps={})", file_text(a), steps), steps);
  }};
}

}  // namespace doeblin::pipeline
