// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/proposal_table.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/core/error.hpp"

namespace doeblin::sampling {
namespace {

constexpr double kLog2 = 0.6931471805599453;
// Far more than the rounding errors below, and far less than what one slot is worth.
constexpr double kSlack = 1e-9;

// t at the beginning of a block, for a law whose parameter is `spread` blocks.
double exponent(LatticeLaw law, double spread, double block) {
  return law == LatticeLaw::kGaussian ? 0.5 * (block / spread) * (block / spread) : block / spread;
}

// Where the tail may begin: M e^{-t} <= 2^{-stretch - 1}/kStretch at the beginning of every stretch, which holds for
// all of them if it does for the first and t grows by log 2 over it, since t is convex.
std::uint32_t tail_begin_for(LatticeLaw law, double spread, double scale) {
  const double needed = std::log(2.0 * ProposalTable::kStretch * scale) + kSlack;
  const double block = law == LatticeLaw::kGaussian ? spread * std::sqrt(2.0 * needed) : spread * needed;
  return static_cast<std::uint32_t>(std::ceil(block * (1.0 + kSlack))) + 1;
}

// Slots for each block before the tail; at least M e^{-t} whatever the rounding.
std::vector<std::uint32_t> slots_for(LatticeLaw law, double spread, double scale) {
  std::vector<std::uint32_t> slots(tail_begin_for(law, spread, scale));
  for (std::size_t x = 0; x < slots.size(); ++x) {
    const double weight = scale * std::exp(-exponent(law, spread, static_cast<double>(x)));
    slots[x] = std::max(1u, static_cast<std::uint32_t>(std::ceil(weight * (1.0 + kSlack))));
  }
  // The first block has t = 0: exactly M.
  slots[0] = static_cast<std::uint32_t>(std::ceil(scale));
  return slots;
}

std::uint32_t total(const std::vector<std::uint32_t>& slots) {
  std::uint32_t sum = 0;
  for (const std::uint32_t one : slots) sum += one;
  return sum;
}

}  // namespace

ProposalTable::ProposalTable(LatticeLaw law, double parameter) : law_(law), parameter_(parameter) {
  require(parameter >= 0x1p-10 && parameter <= 0x1p48, law == LatticeLaw::kGaussian ? "sigma" : "scale", parameter,
          "2^-10 <= parameter <= 2^48 in steps of the grid");
  // Between 16 and 32 blocks to one sigma: a candidate at the end of its block is then nearly as likely as at its
  // beginning, and few are rejected.
  block_bits_ = std::max(0, std::ilogb(parameter) - 4);
  offset_mask_ = (std::uint64_t{1} << block_bits_) - 1;
  const double spread = std::ldexp(parameter, -block_bits_);
  ensure(exponent(law, spread, kStretch + tail_begin_for(law, spread, 1.0)) -
                 exponent(law, spread, tail_begin_for(law, spread, 1.0)) >
             kLog2 + kSlack,
         "the law halves over a stretch of its tail");

  // The largest M whose slots fit; their number increases with M.
  double low = 16.0;
  double high = 16.0 * kSlots;
  while (high - low > 1.0) {
    const double middle = std::floor((low + high) / 2.0);
    (total(slots_for(law, spread, middle / 16.0)) < kSlots ? low : high) = middle;
  }
  scale_ = low / 16.0;
  slots_of_block_ = slots_for(law, spread, scale_);
  // Slots that are left over go to the first block: its candidates are rejected more often, the law stays.
  slots_of_block_[0] += kSlots - 1 - total(slots_of_block_);
  tail_begin_ = static_cast<std::uint32_t>(slots_of_block_.size());
  std::size_t slot = 0;
  for (std::size_t x = 0; x < slots_of_block_.size(); ++x)
    for (std::uint32_t k = 0; k < slots_of_block_[x]; ++k, ++slot) {
      block_of_slot_[slot] = static_cast<std::uint16_t>(x);
      factor_of_slot_[slot] = scale_ / slots_of_block_[x];
    }
  ensure(slot == kSlots - 1, "one slot is left for the tail");
}

ProposalTable::Candidate ProposalTable::moved_to(Candidate candidate, std::uint32_t stretch) const {
  const std::uint64_t offset = candidate.magnitude & offset_mask_;
  candidate.block += kStretch * (stretch - candidate.stretch);
  candidate.stretch = stretch;
  candidate.magnitude = (std::uint64_t{candidate.block} << block_bits_) | offset;
  candidate.factor = tail_factor(stretch);
  return candidate;
}

ProposalTable::Share ProposalTable::share(const Candidate& candidate) const {
  if (candidate.is_tail) return {.divisor = 1, .shift = candidate.stretch + 1 + 5};
  return {.divisor = slots_of_block_[candidate.block], .shift = 0};
}

}  // namespace doeblin::sampling
