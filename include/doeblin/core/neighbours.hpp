// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doeblin/core/types.hpp"

namespace doeblin {

/// About whom a guarantee is: which two datasets count as neighbours (catalogue C9).
struct Neighbours {
  Relation relation = Relation::kNeutral;
  /// They differ in the data of at most this many people.
  double people = 1.0;
  /// How many records there are; empty when the guarantee holds for any number.
  std::optional<double> size = std::nullopt;
  /// Parts of a sum take data of different sizes, with the same person once in each.
  bool sizes_differ = false;
  /// The last records, this many, are public: nothing is said about them.
  double public_tail = 0.0;
  /// The people that it is about, by their places in the data; empty for everybody who is not public.
  std::vector<double> places = {};
  /// The worst over the places in the data: somebody who is sampled may come to another one.
  bool is_of_worst_place = false;

  friend bool operator==(const Neighbours&, const Neighbours&) = default;
};

/// Throws unless the guarantee is about everybody, as a stage needs that changes who is in the data.
void require_everybody(const Neighbours& neighbours);

/// k times as many people at once.
[[nodiscard]] Neighbours in_groups(Neighbours neighbours, double k);

/// About whom the releases are together, all about the same number of people.
/// Errors   InvalidArgument for relations that differ
[[nodiscard]] Neighbours together(const std::vector<Neighbours>& parts);

/// "one person's data", "the data of up to 3 people, among the first 35 records (the last 5 are public)" and so on.
[[nodiscard]] std::string whose_data(const Neighbours& neighbours);

}  // namespace doeblin
