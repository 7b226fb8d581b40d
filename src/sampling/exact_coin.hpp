// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/sampling/proposal_table.hpp"
#include "doeblin/sampling/random_stream.hpp"

namespace doeblin::sampling {

/// Whether a candidate is kept: U < M e^{-t(z)}/share, decided with as many digits as it takes, where U continues the
/// candidate's coin with fresh bits.
[[nodiscard]] bool exact_coin(const ProposalTable& table, const ProposalTable::Candidate& candidate,
                              RandomStream& random);

}  // namespace doeblin::sampling
