// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/record_order.hpp"

#include <algorithm>

namespace doeblin {
namespace {

void require_batch(std::size_t batch, std::size_t records) {
  require(batch >= 1 && batch <= records, "batch", static_cast<double>(batch), "1 <= batch <= n");
}

}  // namespace

RecordOrder::RecordOrder(std::size_t records, std::size_t batch, std::size_t steps, const Bracket& shift)
    : records_(records), steps_(steps), batch_(batch), shifts_{shift} {
  require_batch(batch, records);
}

RecordOrder::RecordOrder(std::size_t records, const std::vector<std::size_t>& batches, std::vector<Bracket> shifts)
    : records_(records), steps_(batches.size()), shifts_(std::move(shifts)) {
  ensure(!batches.empty() && shifts_.size() == batches.size(), "a shift for every step");
  for (const std::size_t batch : batches) require_batch(batch, records);
  batch_ = batches[0];
  if (std::all_of(batches.begin(), batches.end(), [&](std::size_t batch) { return batch == batch_; })) return;
  std::size_t end = 0;
  for (const std::size_t batch : batches) ends_.push_back(end += batch);
}

std::size_t RecordOrder::step_of(std::size_t place) const {
  if (ends_.empty()) return place / batch_ + 1;
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), place) - ends_.begin()) + 1;
}

std::vector<Use> RecordOrder::uses(std::size_t record) const {
  std::vector<Use> all;
  const std::size_t end = end_of(steps_);
  for (std::size_t place = record - 1; place < end; place += records_) {
    const std::size_t step = step_of(place);
    all.push_back({step, shifts_[shifts_.size() == 1 ? 0 : step - 1]});
  }
  return all;
}

std::vector<Use> RecordOrder::latest_uses(std::size_t records, std::size_t people) const {
  ensure(people <= records && shifts_.size() == 1, "people among the records, steps alike");
  std::vector<std::size_t> steps;
  std::size_t record = (end_of(steps_) - 1) % records_ + 1;
  for (std::size_t found = 0; found<people; record = record> 1 ? record - 1 : records_) {
    if (record > records) continue;
    for (const Use& use : uses(record)) steps.push_back(use.step);
    ++found;
  }
  std::sort(steps.begin(), steps.end());
  std::vector<Use> joint;
  for (std::size_t first = 0, next = 0; first < steps.size(); first = next) {
    while (next < steps.size() && steps[next] == steps[first]) ++next;
    joint.push_back({steps[first], shifts_[0] * static_cast<double>(next - first)});
  }
  return joint;
}

std::size_t RecordOrder::last_use(std::size_t record) const {
  const std::size_t end = end_of(steps_);
  if (record - 1 >= end) return 0;
  return step_of(record - 1 + (end - record) / records_ * records_);
}

std::size_t RecordOrder::latest_use(std::size_t records) const {
  const std::size_t last = end_of(steps_) - 1;
  const std::size_t record = last % records_ + 1;
  if (record <= records) return step_of(last);
  const std::size_t back = record - records;
  return back <= last ? step_of(last - back) : 0;
}

std::size_t RecordOrder::last_alike(std::size_t record) const {
  std::size_t last = records_;
  const std::size_t end = end_of(steps_);
  for (std::size_t place = record - 1; place < end; place += records_)
    last = std::min(last, record + (end_of(step_of(place)) - 1 - place));
  // A record that the run never reaches is alike up to the end.
  if (record - 1 >= end) return records_;
  return last;
}

}  // namespace doeblin
