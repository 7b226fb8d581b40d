// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/train_run.hpp"
#include "doeblin/certificate/certificate.hpp"

namespace doeblin::commands {

/// The claim with everything that it rests on, and nothing about the data; void for a run with a seed.
[[nodiscard]] certificate::Certificate certificate_of(const TrainReport& report);

/// The guarantee of the run that a training certificate describes, planned again from the facts it states: the
/// constants of the loss, the grid of the noise and the rounding.
/// Errors   InvalidArgument when there is no such run, or its constants are not those of the certificate's program
[[nodiscard]] pipeline::Pipeline planned_again(const certificate::Certificate& certificate);

}  // namespace doeblin::commands
