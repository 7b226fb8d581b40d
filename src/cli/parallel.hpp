// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/training/communicator.hpp"

namespace doeblin::cli {

/// The other processes of this job, if mpirun started it; otherwise nobody.
/// Errors   InvalidArgument when this build has no MPI
[[nodiscard]] training::Communicator& communicator();

}  // namespace doeblin::cli
