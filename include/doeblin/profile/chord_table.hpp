// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "doeblin/profile/profile.hpp"

namespace doeblin {

/// An upper bound at one epsilon.
struct ChordNode {
  double epsilon;
  double delta;
};

/// One node after the other, by increasing epsilon; nothing after the last.
using ChordNodes = std::function<std::optional<ChordNode>()>;

/// What is convex in e^eps and falls, from above, for those who ask at many places: chords between a few upper bounds lie
/// above it. Divergences of pairs of laws are such functions, and so is what holds for all pairs (catalogue C7).
class ChordTable {
 public:
  /// Nodes are asked for when they are first needed.
  explicit ChordTable(ChordNodes nodes);

  /// Domain   epsilon at least that of the first node; constant from the last one on
  [[nodiscard]] double upper(double epsilon) const;

 private:
  struct Known;
  std::shared_ptr<Known> known_;
};

/// Nodes from 0 on, so far apart that chords are above a smooth profile by a thousandth of delta where delta is large and
/// by a part that grows like the square of log delta where it is small: about 90 of them to 1e-7, 300 to 1e-300.
[[nodiscard]] ChordNodes nodes_by_slope(const Profile& profile);

/// The upper ends of a profile that is costly, by such a table.
[[nodiscard]] Profile tabulated(const Profile& profile);

}  // namespace doeblin
