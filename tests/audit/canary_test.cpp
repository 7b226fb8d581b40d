// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/canary.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/audit/verdict.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/training/certified_run.hpp"
#include "support/records.hpp"

namespace doeblin::audit {
namespace {

using training::DescentPlan;
using training::DescentRequest;

DescentRequest request_for(std::size_t records, std::size_t dimension) {
  DescentRequest request;
  request.domain.size = 0.5;
  request.dimension = dimension;
  request.records = static_cast<double>(records);
  request.batch = request.records;
  request.learning_rate = 1.0;
  return request;
}

AuditResult audited(const DescentPlan& plan, const training::Records& records, std::uint64_t runs,
                    const CanaryOptions& options = {.source = sampling::RandomSource::insecure(1)}) {
  return *audit(canary_subject(plan, records, options), {.runs = runs, .delta = 0.01, .is_gaussian = true});
}

// The Gaussian level that the guarantee is built on.
double level(const DescentPlan& plan) {
  const auto guarantee = certified_run(plan).mechanism();
  return enclose(guarantee.gaussian_bound()->mu).upper();
}

double claimed(const DescentPlan& plan) { return certified_run(plan).epsilon(Delta(0.01)).upper(); }

TEST(Canary, OneStepShowsMostOfTheGuarantee) {
  const auto records = test::records_of(test::random_examples(12, 3, 5));
  const DescentPlan plan = plan_descent(request_for(12, 3), 0.1);
  const AuditResult result = audited(plan, records, 20000);
  EXPECT_LE(result.epsilon_lower, claimed(plan));
  EXPECT_GE(result.epsilon_lower, 0.3 * claimed(plan));
  EXPECT_LE(result.mu_lower, level(plan));
  EXPECT_GE(result.mu_lower, 0.6 * level(plan));
}

TEST(Canary, TrainingWithTooLittleNoiseIsCaught) {
  const auto records = test::records_of(test::random_examples(12, 3, 5));
  const double claim = claimed(plan_descent(request_for(12, 3), 0.12));
  const AuditResult result = audited(plan_descent(request_for(12, 3), 0.06), records, 20000);
  EXPECT_EQ(verdict_of(result, {claim, 0.01}), Verdict::kViolated);
}

TEST(Canary, SparseRecordsAndRegressionWorkTheSame) {
  DescentRequest request = request_for(12, 3);
  request.loss.kind = training::loss_named("squared");
  request.is_sparse = true;
  const auto records = test::sparse_records_of(test::random_examples(12, 3, 5));
  const DescentPlan plan = plan_descent(request, 0.15);
  const AuditResult result = audited(plan, records, 20000);
  EXPECT_LE(result.epsilon_lower, claimed(plan));
  EXPECT_GE(result.mu_lower, 0.5 * level(plan));
}

TEST(Canary, LeavingARecordOutMovesHalfAsFar) {
  DescentRequest request = request_for(12, 3);
  request.relation = Relation::kZeroOut;
  const auto records = test::records_of(test::random_examples(12, 3, 5));
  const DescentPlan plan = plan_descent(request, 0.05);
  const AuditResult result = audited(plan, records, 20000);
  EXPECT_LE(result.epsilon_lower, claimed(plan));
  EXPECT_GE(result.mu_lower, 0.6 * level(plan));
}

TEST(Canary, SeveralClassesAndEveryRecord) {
  DescentRequest request = request_for(12, 3);
  request.tasks = 3.0;
  auto examples = test::random_examples(12, 3, 5);
  for (std::size_t i = 0; i < examples.size(); ++i) examples[i].label = static_cast<double>(i % 3);
  const auto records = test::records_of(examples);
  const DescentPlan plan = plan_descent(request, 0.05);
  const AuditResult result = audited(plan, records, 8000, {.record = 3, .source = sampling::RandomSource::insecure(2)});
  EXPECT_LE(result.epsilon_lower, claimed(plan));
  EXPECT_GT(result.epsilon_lower, 0.3);
  EXPECT_EQ(result.black_box.event.weights.size(), 9u);
}

TEST(Canary, MustBeAPrivateRecord) {
  DescentRequest request = request_for(12, 3);
  request.batch = 1.0;
  request.public_tail = 4.0;
  const auto records = test::records_of(test::random_examples(12, 3, 5));
  const DescentPlan plan = plan_descent(request, 1.0);
  EXPECT_EQ(canary_subject(plan, records).name, "training with a canary as record 8");
  EXPECT_THROW(static_cast<void>(canary_subject(plan, records, {.record = 9})), InvalidArgument);
}

TEST(Canary, ASeedRepeatsARun) {
  const auto records = test::records_of(test::random_examples(12, 3, 5));
  const DescentPlan plan = plan_descent(request_for(12, 3), 0.06);
  const Subject seeded = canary_subject(plan, records, {.source = sampling::RandomSource::insecure(4)});
  EXPECT_EQ(seeded.run(Side::kFirst, 3, 2).values, seeded.run(Side::kFirst, 3, 2).values);
  EXPECT_NE(seeded.run(Side::kFirst, 3, 2).values, seeded.run(Side::kFirst, 4, 2).values);
  const Subject fresh = canary_subject(plan, records);
  EXPECT_NE(fresh.run(Side::kFirst, 3, 2).values, fresh.run(Side::kFirst, 3, 2).values);
}

}  // namespace
}  // namespace doeblin::audit
