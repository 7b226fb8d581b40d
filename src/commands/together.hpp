// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "doeblin/training/communicator.hpp"

namespace doeblin::commands {

/// Does something that may fail on every rank, and goes on only if it failed on none. The first rank that failed says
/// so, the others leave in silence: one message, not one for each rank.
void together(training::Communicator& communicator, const std::function<void()>& work);

}  // namespace doeblin::commands
