// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/training/descent_plan.hpp"

namespace doeblin::training {

/// The guarantee of a run that this module makes: what an expression could only assert about the losses, the noise and
/// the projection holds here by construction, and what is left to assert is said.
[[nodiscard]] pipeline::Pipeline certified_run(const DescentPlan& plan, const Settings& settings = {});

}  // namespace doeblin::training
