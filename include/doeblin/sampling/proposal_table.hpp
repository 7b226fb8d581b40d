// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "doeblin/core/grid_release.hpp"

namespace doeblin::sampling {

/// Candidates for a rejection sampler whose law is exact although everything in it is a table of small integers.
///
/// The magnitudes are cut into blocks of 2^m, so that the law falls slowly from block to block. Block x < tail_begin
/// owns slots(x) >= M e^{-t(2^m x)} of kSlots equally likely slots; the last slot belongs to the tail, where every
/// stretch of kStretch blocks is half as likely as the one before. A candidate z is kept with probability
/// M e^{-t(z)} / (slots of its block), at most 1 because t increases: the candidates kept have the law wanted, with
/// nothing rounded. One candidate costs two random words and the same work whatever its value, and how many are
/// needed says nothing about the one that is kept.
class ProposalTable {
 public:
  static constexpr std::uint32_t kSlots = 2048;
  static constexpr std::uint32_t kStretch = 32;
  static constexpr int kStretchBits = 16;
  static constexpr int kCoinBits = 64 - kStretchBits - 5;

  /// Domain   2^-10 <= parameter <= 2^48
  ProposalTable(LatticeLaw law, double parameter);

  struct Candidate {
    std::uint64_t magnitude;
    bool is_negative;
    std::uint32_t block;
    std::uint32_t stretch;  ///< Counted from 0, in the tail.
    bool is_tail;
    /// The first bits of a uniform number: candidates are kept when that is below `chance`.
    std::uint64_t coin;
    /// M / slots of the block, correctly rounded.
    double factor;

    [[nodiscard]] std::int64_t value() const {
      const auto z = static_cast<std::int64_t>(magnitude);
      return is_negative ? -z : z;
    }
    /// All bits for the stretch were 0: it is kStretchBits or further.
    [[nodiscard]] bool is_far() const { return is_tail && stretch == kStretchBits; }
    /// 0 has two signs and must count once.
    [[nodiscard]] bool is_second_zero() const { return is_negative && magnitude == 0; }
  };

  /// The candidate that two random words stand for.
  [[nodiscard]] Candidate candidate(std::uint64_t first, std::uint64_t second) const {
    const auto slot = static_cast<std::uint32_t>(first % kSlots);
    const auto bits = static_cast<std::uint32_t>(second % (1u << kStretchBits)) | 1u << kStretchBits;
    const auto stretch = static_cast<std::uint32_t>(std::countr_zero(bits));
    const auto in_stretch = static_cast<std::uint32_t>(second >> kStretchBits) % kStretch;
    const bool is_tail = slot == kSlots - 1;
    const std::uint32_t block = is_tail ? tail_block(stretch, in_stretch) : block_of_slot_[slot];
    return {.magnitude = (std::uint64_t{block} << block_bits_) | ((first >> 12) & offset_mask_),
            .is_negative = (first >> 11 & 1) != 0,
            .block = block,
            .stretch = stretch,
            .is_tail = is_tail,
            .coin = second >> (64 - kCoinBits),
            .factor = is_tail ? tail_factor(stretch) : factor_of_slot_[slot]};
  }

  /// The candidate with its stretch replaced, for those that are far.
  [[nodiscard]] Candidate moved_to(Candidate candidate, std::uint32_t stretch) const;

  /// The slots that the candidate's block owns, as divisor / 2^shift.
  struct Share {
    std::uint32_t divisor;
    std::uint32_t shift;
  };
  [[nodiscard]] Share share(const Candidate& candidate) const;

  [[nodiscard]] LatticeLaw law() const { return law_; }
  [[nodiscard]] double parameter() const { return parameter_; }
  /// M, a multiple of 1/16.
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] std::uint32_t tail_begin() const { return tail_begin_; }

 private:
  [[nodiscard]] std::uint32_t tail_block(std::uint32_t stretch, std::uint32_t in_stretch) const {
    return tail_begin_ + kStretch * stretch + in_stretch;
  }
  /// M kStretch 2^{stretch + 1}: a power of two is added to the exponent.
  [[nodiscard]] double tail_factor(std::uint32_t stretch) const {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(2.0 * scale_ * kStretch) +
                                 (std::uint64_t{stretch} << 52));
  }

  LatticeLaw law_;
  double parameter_;
  double scale_ = 0.0;
  int block_bits_ = 0;
  std::uint64_t offset_mask_ = 0;
  std::uint32_t tail_begin_ = 0;
  std::vector<std::uint32_t> slots_of_block_;
  std::array<std::uint16_t, kSlots> block_of_slot_{};
  std::array<double, kSlots> factor_of_slot_{};
};

}  // namespace doeblin::sampling
