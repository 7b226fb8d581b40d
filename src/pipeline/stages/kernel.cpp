// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "doeblin/amplify/kernel_coefficients.hpp"
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/kernel_file.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/kernels.hpp"

namespace doeblin::pipeline {

Kernel kernel(const FiniteKernel& matrix, const std::string& name, double steps) {
  return kernel_of(std::make_shared<const FiniteKernel>(power(matrix, steps)), name,
                   {checked("rows are probability distributions, up to 1e-12 per entry"),
                    asserted("the matrix is the kernel that is applied")});
}

Definition kernel_definition() {
  return {.name = "kernel",
          .summary = "post-processing by a Markov kernel that is given by its matrix",
          .example = "black_box(epsilon=1, delta=1e-6) | kernel('channel.csv', steps=3)",
          .parameters = {{.name = "file",
                          .meaning = "CSV, NPY or Matrix Market: a row of probabilities for each state",
                          .is_text = true},
                         steps_parameter()},
          .make = [](const Arguments& a) {
            const double steps = a.number("steps");
            return kernel(read_kernel(a.text("file")), fmt::format("kernel('{}', steps={})", a.text("file"), steps),
                          steps);
          }};
}

}  // namespace doeblin::pipeline
