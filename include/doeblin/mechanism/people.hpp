// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "doeblin/core/types.hpp"

namespace doeblin {

/// A number for the records first, ..., last.
struct ForRecords {
  std::size_t first;
  std::size_t last;
  Bracket value;
};

/// Called with how many records are done; never with anything else.
using PeopleProgress = std::function<void(std::size_t)>;

}  // namespace doeblin

namespace doeblin::pipeline {

struct Evaluated;

/// The people of an iterative run, each with a guarantee of their own.
class People {
 public:
  virtual ~People() = default;
  /// The private records are 1, ..., count().
  [[nodiscard]] virtual std::size_t count() const = 0;
  /// Throws InvalidArgument unless 1 <= i <= count().
  [[nodiscard]] virtual Evaluated person(double i) const = 0;
  /// Epsilon of everybody, in increasing order of records.
  [[nodiscard]] virtual std::vector<ForRecords> epsilons(Delta delta, const PeopleProgress& progress) const = 0;
  /// Delta of everybody.
  [[nodiscard]] virtual std::vector<ForRecords> deltas(Epsilon epsilon, const PeopleProgress& progress) const = 0;
};

}  // namespace doeblin::pipeline
