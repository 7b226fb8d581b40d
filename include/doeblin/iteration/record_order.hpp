// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "doeblin/iteration/shift.hpp"

namespace doeblin {

/// Which step uses which record: the batches follow one another through the records 1, ..., n, and start again at 1
/// after n, in the middle of a batch if need be.
class RecordOrder {
 public:
  /// Every one of `steps` batches has `batch` records. Domain: 1 <= batch <= records.
  RecordOrder(std::size_t records, std::size_t batch, std::size_t steps, const Bracket& shift);
  /// Batches of their own sizes, each moving its step by its own shift.
  RecordOrder(std::size_t records, const std::vector<std::size_t>& batches, std::vector<Bracket> shifts);

  [[nodiscard]] std::size_t records() const { return records_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }

  /// Every use of a record, in order. Domain: 1 <= record <= records.
  [[nodiscard]] std::vector<Use> uses(std::size_t record) const;
  /// Every use of the `people` records among 1, ..., records whose last places are the latest, as one: a step that uses
  /// several of them is moved as often. Domain: 1 <= people <= records, all steps alike.
  [[nodiscard]] std::vector<Use> latest_uses(std::size_t records, std::size_t people) const;
  /// The step of its last use; 0 if there is none.
  [[nodiscard]] std::size_t last_use(std::size_t record) const;
  /// The last step that uses any of the records 1, ..., records; 0 if there is none.
  [[nodiscard]] std::size_t latest_use(std::size_t records) const;
  /// The last record, from `record` on, that every step treats as it treats `record`.
  [[nodiscard]] std::size_t last_alike(std::size_t record) const;

 private:
  // The step (from 1) that takes the record at this place of the endless sequence of records, and where it ends.
  [[nodiscard]] std::size_t step_of(std::size_t place) const;
  [[nodiscard]] std::size_t end_of(std::size_t step) const { return ends_.empty() ? step * batch_ : ends_[step - 1]; }

  std::size_t records_;
  std::size_t steps_;
  std::size_t batch_ = 1;
  std::vector<std::size_t> ends_;  // places taken up to each step; empty when all batches are alike
  std::vector<Bracket> shifts_;    // one, or one for each step
};

}  // namespace doeblin
