// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/sampling/proposal_table.hpp"
#include "doeblin/sampling/random_stream.hpp"

/// What happens to the few candidates that one look cannot settle.
namespace doeblin::sampling {

/// Whether a candidate is kept: U < M e^{-t(z)}/share, decided with as many digits as it takes, where U continues the
/// candidate's coin with fresh bits.
[[nodiscard]] bool exact_coin(const ProposalTable& table, const ProposalTable::Candidate& candidate,
                              RandomStream& random);

/// The stretch of a far candidate: kStretchBits, and one more for every further zero bit.
[[nodiscard]] std::uint32_t far_stretch(RandomStream& random);

}  // namespace doeblin::sampling
