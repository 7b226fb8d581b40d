// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "verify/iteration/run_shift.hpp"

namespace doeblin::verify {

/// Which step uses which record. Batches take the records 1, ..., n one after another and begin again at 1 after n.
class RunRecords {
 public:
  RunRecords(std::size_t records, std::size_t batch, std::size_t steps)
      : records_(records), batch_(batch), places_(batch * steps) {}
  RunRecords(std::size_t records, const std::vector<std::size_t>& batches);

  [[nodiscard]] std::size_t records() const { return records_; }
  /// The record at this place, counted back from the end, which is 0.
  [[nodiscard]] std::size_t record_before_end(std::size_t back) const { return (places_ - 1 - back) % records_ + 1; }
  /// The steps that use a record (from 1), increasing.
  [[nodiscard]] RecordUses uses(std::size_t record) const;
  /// The last of the records from this one on that the same steps use.
  [[nodiscard]] std::size_t last_alike(std::size_t record) const;
  /// The last step that uses one of the first `records`; 0 if none does.
  [[nodiscard]] std::size_t last_use_of_first(std::size_t records) const;

 private:
  [[nodiscard]] std::size_t step_of(std::size_t place) const;
  [[nodiscard]] std::size_t end_of(std::size_t step) const { return ends_.empty() ? step * batch_ : ends_[step - 1]; }

  std::size_t records_;
  std::size_t batch_ = 0;
  std::size_t places_;
  std::vector<std::size_t> ends_;
};

}  // namespace doeblin::verify
