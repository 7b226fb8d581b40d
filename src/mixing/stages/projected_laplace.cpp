// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_maker.hpp"
#include "mixing/stages/projected.hpp"

namespace doeblin::pipeline {

KernelMaker projected_laplace_maker() {
  return {[](const Call& a, const Settings&) { return projected_from(a, ProjectedLaw::kLaplace); }, projected_limits};
}

}  // namespace doeblin::pipeline
