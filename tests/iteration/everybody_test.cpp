// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/everybody.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin {
namespace {

struct Case {
  std::shared_ptr<const HiddenRun> run;
  RecordOrder order;
};

Case case_of(std::size_t n, std::size_t batch, std::size_t epochs, double c, double noise, double diameter,
             bool as_list) {
  const std::size_t steps = (n * epochs + batch - 1) / batch;
  const NoisyStep step{Bracket(c), Bracket(noise)};
  NoisySteps all = as_list ? NoisySteps(std::vector<NoisyStep>(steps, step)) : NoisySteps(step, steps);
  return {std::make_shared<const HiddenRun>(HiddenRun{std::move(all), diameter}),
          RecordOrder(n, batch, steps, Bracket(0.5))};
}

// What blocks that were optimised for another number of later steps may lose; 1.0503 was seen.
constexpr double kScaledBlocks = 1.1;

// Every record is covered once, in order.
void check_cover(const std::vector<ForRecords>& values, std::size_t records) {
  std::size_t next = 1;
  for (const ForRecords& one : values) {
    RC_ASSERT(one.first == next);
    RC_ASSERT(one.last >= one.first);
    next = one.last + 1;
  }
  RC_ASSERT(next == records + 1);
}

RC_GTEST_PROP(People, AgreesWithOneAtATime, ()) {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 200));
  const auto batch = static_cast<std::size_t>(*rc::gen::inRange(1, static_cast<int>(std::min<std::size_t>(n, 9)) + 1));
  const auto epochs = static_cast<std::size_t>(*rc::gen::inRange(1, 5));
  const double diameter = *rc::gen::element(0.5, 2.0, 10.0, rounding::kInfinity);
  const double c = *rc::gen::element(0.8, 1.0, 1.02);
  const double noise = test::log_uniform(0.1, 2.0);
  const auto [run, order] = case_of(n, batch, epochs, c, noise, diameter, *rc::gen::element(0, 1) == 1);
  const IterationAnalysis analysis = std::isinf(diameter)
                                         ? IterationAnalysis::kBest
                                         : *rc::gen::element(IterationAnalysis::kBest, IterationAnalysis::kShift);
  const Delta delta(1e-5);
  const Epsilon epsilon(0.4);
  const auto private_records = static_cast<std::size_t>(*rc::gen::inRange(1, static_cast<int>(n) + 1));
  const auto by_epsilon = epsilons(run, order, private_records, delta, analysis);
  const auto by_delta = deltas(run, order, private_records, epsilon, analysis);
  check_cover(by_epsilon, private_records);
  check_cover(by_delta, private_records);
  for (std::size_t i = 0; i < by_epsilon.size(); ++i) {
    const std::vector<Use> uses = order.uses(by_epsilon[i].first);
    const HiddenRelease single(run, uses, order.steps(), analysis);
    const Bracket one = single.epsilon(delta);
    // Sound: never below what is attained; tight: close to the search for this record alone.
    RC_ASSERT(by_epsilon[i].value.upper() >= one.lower());
    RC_ASSERT(by_epsilon[i].value.upper() <= one.upper() * kScaledBlocks + 1e-6);
    RC_ASSERT(by_epsilon[i].value.lower() <= one.upper());
    // Where every partition is searched, a bound that is too small would miss delta by the best of them.
    const double claimed = by_epsilon[i].value.upper();
    const bool is_searched = !uses.empty() && order.steps() - uses.back().step <= kFinePositions;
    if (is_searched && std::isfinite(claimed))
      RC_ASSERT(single.delta(Epsilon(claimed)).upper() <= delta.value() * (1.0 + 1e-9));
    const Bracket at = single.delta(epsilon);
    RC_ASSERT(by_delta[i].value.upper() >= at.lower());
    RC_ASSERT(by_delta[i].value.upper() <= at.upper() * kScaledBlocks + 1e-12);
  }
}

TEST(People, EarlierRecordsAreBetterOff) {
  const auto [run, order] = case_of(3000, 1, 1, 1.0, 0.1, 1.0, false);
  const auto values = epsilons(run, order, 3000, Delta(1e-5), IterationAnalysis::kBest);
  ASSERT_EQ(values.size(), 3000u);
  for (std::size_t i = 1; i < values.size(); ++i) EXPECT_LE(values[i - 1].value.upper(), values[i].value.upper());
  EXPECT_EQ(values[0].value.upper(), 0.0);
  // And no claim is below what blocks certify for the record.
  for (const std::size_t record : {2990u, 2900u, 2500u, 2000u}) {
    const double epsilon = values[record - 1].value.upper();
    const double certified = HiddenRelease(run, order.uses(record), 3000).delta(Epsilon(epsilon)).upper();
    EXPECT_LE(certified, 1e-5 * 1.2) << record;
  }
}

TEST(People, ReportsProgress) {
  const auto [run, order] = case_of(50, 5, 2, 0.9, 1.0, rounding::kInfinity, false);
  std::size_t last = 0;
  static_cast<void>(epsilons(run, order, 50, Delta(1e-5), IterationAnalysis::kBest, [&](std::size_t done) {
    EXPECT_GT(done, last);
    last = done;
  }));
  EXPECT_EQ(last, 50u);
}

// Where each step has constants of its own, levels are carried from record to record; rounding is part of them.
TEST(People, RoundingCountsForEverybody) {
  std::vector<NoisyStep> steps;
  for (int t = 0; t < 12; ++t) steps.push_back({Bracket(t % 2 == 0 ? 0.9 : 0.8), Bracket(1.0 + 0.1 * t)});
  const RecordOrder order(12, 1, 12, Bracket(1.0));
  for (const double diameter : {rounding::kInfinity, 4.0}) {
    const auto exact = std::make_shared<const HiddenRun>(HiddenRun{NoisySteps(steps), diameter});
    const auto rounded = std::make_shared<const HiddenRun>(HiddenRun{NoisySteps(steps, 0.05), diameter});
    const auto before = epsilons(exact, order, 12, Delta(1e-3), IterationAnalysis::kShift);
    const auto after = epsilons(rounded, order, 12, Delta(1e-3), IterationAnalysis::kShift);
    for (std::size_t i = 0; i < 12; ++i) {
      EXPECT_GT(after[i].value.upper(), before[i].value.upper());
      const HiddenRelease single(rounded, order.uses(i + 1), 12, IterationAnalysis::kShift);
      EXPECT_NEAR(after[i].value.upper(), single.epsilon(Delta(1e-3)).upper(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace doeblin
