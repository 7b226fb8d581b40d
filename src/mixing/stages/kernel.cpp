// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_file.hpp"
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

KernelMaker kernel_maker() {
  return {[](const Call& a, const Settings&) {
    const auto given = a.object<FiniteKernel>("file");
    return given ? kernel_of(*given, a.number("steps")) : kernel_of(read_kernel(a.text("file")), a.number("steps"));
  }};
}

Kernel kernel(const FiniteKernel& matrix, const std::string& name, double steps) {
  const language::Object file(std::make_shared<const FiniteKernel>(matrix), name);
  return made(kernel_maker(), call_of("kernel", {{"file", file}, {"steps", steps}}));
}

}  // namespace doeblin::pipeline
