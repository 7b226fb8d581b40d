// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_records.hpp"

#include <algorithm>

namespace doeblin::verify {

RunRecords::RunRecords(std::size_t records, const std::vector<std::size_t>& batches) : records_(records), places_(0) {
  for (const std::size_t batch : batches) ends_.push_back(places_ += batch);
}

std::size_t RunRecords::step_of(std::size_t place) const {
  if (ends_.empty()) return place / batch_ + 1;
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), place) - ends_.begin()) + 1;
}

RecordUses RunRecords::uses(std::size_t record) const {
  RecordUses all;
  for (std::size_t place = record - 1; place < places_; place += records_) all.push_back(step_of(place));
  return all;
}

std::size_t RunRecords::last_alike(std::size_t record) const {
  std::size_t room = records_ - record;
  for (std::size_t place = record - 1; place < places_; place += records_)
    room = std::min(room, end_of(step_of(place)) - 1 - place);
  return record + room;
}

std::size_t RunRecords::last_use_of_first(std::size_t records) const {
  // The places of the last n: one for each record.
  for (std::size_t back = 0; back < std::min(places_, records_); ++back) {
    const std::size_t place = places_ - 1 - back;
    const std::size_t record = place % records_ + 1;
    if (record <= records) return step_of(place);
    // The records down to `records` are of no interest.
    back += std::min(record - records - 1, places_ - 1 - back);
  }
  return 0;
}

}  // namespace doeblin::verify
