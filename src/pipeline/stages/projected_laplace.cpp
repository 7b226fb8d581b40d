// SPDX-License-Identifier: Apache-2.0
#include "pipeline/maker.hpp"
#include "pipeline/stages/projected.hpp"

namespace doeblin::pipeline {

Maker projected_laplace_maker() {
  return {[](const Call& a, const Settings&) { return projected_from(a, ProjectedLaw::kLaplace); }, projected_limits};
}

}  // namespace doeblin::pipeline
