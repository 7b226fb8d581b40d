// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/record_order.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin {
namespace {

// Who is used when, by walking through the records.
std::vector<std::vector<std::size_t>> walked(std::size_t records, const std::vector<std::size_t>& batches) {
  std::vector<std::vector<std::size_t>> uses(records + 1);
  std::size_t next = 0;
  for (std::size_t t = 0; t < batches.size(); ++t)
    for (std::size_t k = 0; k < batches[t]; ++k, next = (next + 1) % records) uses[next + 1].push_back(t + 1);
  return uses;
}

std::vector<std::size_t> steps_of(const std::vector<Use>& uses) {
  std::vector<std::size_t> steps;
  for (const Use& use : uses) steps.push_back(use.step);
  return steps;
}

RC_GTEST_PROP(RecordOrder, IsAWalkThroughTheRecords, ()) {
  const auto records = static_cast<std::size_t>(*rc::gen::inRange(1, 30));
  const auto count = static_cast<std::size_t>(*rc::gen::inRange(1, 40));
  const bool alike = *rc::gen::element(0, 1) == 0;
  const auto batch = static_cast<std::size_t>(*rc::gen::inRange(1, static_cast<int>(records) + 1));
  std::vector<std::size_t> batches;
  std::vector<Bracket> shifts;
  for (std::size_t t = 0; t < count; ++t) {
    batches.push_back(alike ? batch : static_cast<std::size_t>(*rc::gen::inRange(1, static_cast<int>(records) + 1)));
    shifts.push_back(Bracket(1.0 + static_cast<double>(t)));
  }
  const RecordOrder order =
      alike ? RecordOrder(records, batch, count, Bracket(1.0)) : RecordOrder(records, batches, shifts);
  const auto truth = walked(records, batches);
  std::size_t latest = 0;
  for (std::size_t i = 1; i <= records; ++i) {
    RC_ASSERT(steps_of(order.uses(i)) == truth[i]);
    RC_ASSERT(order.last_use(i) == (truth[i].empty() ? 0 : truth[i].back()));
    latest = std::max(latest, order.last_use(i));
    RC_ASSERT(order.latest_use(i) == latest);
    for (std::size_t j = i; j <= order.last_alike(i); ++j) RC_ASSERT(truth[j] == truth[i]);
    if (!alike)
      for (const Use& use : order.uses(i)) RC_ASSERT(use.shift == shifts[use.step - 1]);
  }
}

TEST(RecordOrder, RefusesBatchesLargerThanTheData) {
  EXPECT_THROW(RecordOrder(5, 6, 10, Bracket(1.0)), InvalidArgument);
  EXPECT_THROW(RecordOrder(5, 0, 10, Bracket(1.0)), InvalidArgument);
  EXPECT_THROW(RecordOrder(5, {1, 6}, {Bracket(1.0), Bracket(1.0)}), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
