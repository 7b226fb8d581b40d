// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/audit.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "doeblin/core/rounding.hpp"
#include "doeblin/language/expression.hpp"

#include "doeblin/audit/mechanism.hpp"
#include "doeblin/core/error.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::audit {
namespace {

using sampling::RandomSource;

Subject response(double p, std::uint64_t seed) {
  return {.name = "response", .run = [=](Side side, std::uint64_t stream, std::size_t count) {
            auto random = RandomSource::insecure(seed).stream(stream);
            Outputs outputs{1};
            for (std::size_t i = 0; i < count; ++i)
              outputs.values.push_back(random.bernoulli(side == Side::kFirst ? p : 1.0 - p) ? 1.0 : 0.0);
            return outputs;
          }};
}

Subject constant(const std::vector<double>& row) {
  return {.name = "constant", .run = [=](Side, std::uint64_t, std::size_t count) {
            Outputs outputs{row.size()};
            for (std::size_t i = 0; i < count; ++i) outputs.values.insert(outputs.values.end(), row.begin(), row.end());
            return outputs;
          }};
}

// Many audits: the bound is above the truth in at most the share that is allowed. Seeds are fixed; with 600 audits at
// 20% the count has mean 120 at most and deviation below 10.
TEST(Audit, FailsNoMoreOftenThanIsAllowed) {
  const double truth = std::log(0.6 / 0.4);
  int failures = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed)
    failures += audit(response(0.6, seed), {.runs = 400, .failure = 0.2})->epsilon_lower > truth ? 1 : 0;
  EXPECT_LE(failures, 150);
  // The bound is not idle either: it would fail if it were learned and counted on the same runs.
  EXPECT_GE(failures, 1);
}

TEST(Audit, TheGaussianLevelFailsNoMoreOftenThanIsAllowed) {
  const auto program = language::parse("gaussian(sigma=1)");
  int failures = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Subject subject = mechanism_subject(program, {.source = RandomSource::insecure(seed)});
    failures += audit(subject, {.runs = 400, .delta = 0.01, .failure = 0.2, .is_gaussian = true})->mu_lower > 1.0;
  }
  // Half of the failure belongs to the other bound.
  EXPECT_LE(failures, 50);
}

// Perfect privacy: nothing can be certified but by accident.
TEST(Audit, FindsNothingWhereThereIsNothing) {
  int failures = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    failures += audit(response(0.5, seed), {.runs = 1000, .failure = 0.05})->epsilon_lower > 0.0 ? 1 : 0;
  EXPECT_LE(failures, 20);
}

TEST(Audit, MoreRunsShowMore) {
  const double few = audit(response(0.75, 1), {.runs = 200})->epsilon_lower;
  const double many = audit(response(0.75, 1), {.runs = 20000})->epsilon_lower;
  const double most = audit(response(0.75, 1), {.runs = 2000000})->epsilon_lower;
  EXPECT_LT(few, many);
  EXPECT_LT(many, most);
  EXPECT_LE(most, std::log(3.0));
  EXPECT_GE(most, 0.98 * std::log(3.0));
  // A hundred times the runs lose about a tenth as much.
  EXPECT_LE(std::log(3.0) - most, 0.2 * (std::log(3.0) - many));
}

TEST(Audit, MoreConfidenceShowsLess) {
  const Subject subject = response(0.75, 1);
  EXPECT_LT(audit(subject, {.runs = 2000, .failure = 1e-9})->epsilon_lower,
            audit(subject, {.runs = 2000, .failure = 0.1})->epsilon_lower);
}

TEST(Audit, EqualOutputsShowNothing) {
  for (const std::vector<double>& row : {std::vector{3.0}, std::vector{1.0, 2.0}}) {
    const auto result = audit(constant(row), {.runs = 1000, .delta = 0.01, .is_gaussian = true});
    EXPECT_EQ(result->epsilon_lower, 0.0);
    EXPECT_EQ(result->mu_lower, 0.0);
  }
}

TEST(Audit, AnOutputThatTellsAllIsCaughtAndFinite) {
  const Subject subject{.name = "leak", .run = [](Side side, std::uint64_t, std::size_t count) {
                          return Outputs{1, std::vector<double>(count, side == Side::kFirst ? 1.0 : 0.0)};
                        }};
  const auto result = audit(subject, {.runs = 10000, .delta = 1e-3});
  // No event is known to be rarer than log(2/failure)/n.
  EXPECT_NEAR(result->epsilon_lower, std::log(2500.0 / 8.0), 0.1);
  EXPECT_EQ(result->black_box.counts, (EventCounts{2500, 2500, 0, 2500}));
}

TEST(Audit, TheSmallestNumberOfRuns) {
  EXPECT_GE(audit(response(0.9, 1), {.runs = 8})->epsilon_lower, 0.0);
  EXPECT_GE(audit(response(0.9, 1), {.runs = 9})->epsilon_lower, 0.0);
  for (const std::uint64_t runs : {0u, 1u, 7u})
    EXPECT_THROW(static_cast<void>(audit(response(0.9, 1), {.runs = runs})), InvalidArgument);
}

TEST(Audit, RefusesOutputsThatAreNone) {
  EXPECT_THROW(static_cast<void>(audit(constant({std::nan("")}), {.runs = 100})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(audit(constant({rounding::kInfinity}), {.runs = 100})), InvalidArgument);
  // Longer on one input than on the other.
  const Subject uneven{.name = "uneven", .run = [](Side side, std::uint64_t, std::size_t count) {
                         const std::size_t length = side == Side::kFirst ? 1 : 2;
                         return Outputs{length, std::vector<double>(count * length, 1.0)};
                       }};
  EXPECT_EQ(test::message_of<InvalidArgument>([&] { static_cast<void>(audit(uneven, {.runs = 100})); }),
            "output = 2 numbers, need 1, as in the first run");
}

TEST(Audit, RefusesOptionsThatMakeNoSense) {
  const auto refused = [](const AuditOptions& options) {
    EXPECT_THROW(static_cast<void>(audit(response(0.6, 1), options)), InvalidArgument);
  };
  refused({.runs = 100, .delta = -0.1});
  refused({.runs = 100, .delta = 1.0});
  refused({.runs = 100, .delta = std::nan("")});
  refused({.runs = 100, .failure = 0.0});
  refused({.runs = 100, .failure = 1.0});
}

TEST(Audit, NoStreamIsUsedTwice) {
  std::set<std::uint64_t> streams;
  std::mutex lock;
  std::size_t calls = 0;
  Subject subject = response(0.75, 1);
  subject.block = 10;
  subject.run = [&, run = subject.run](Side side, std::uint64_t stream, std::size_t count) {
    const std::lock_guard guard(lock);
    streams.insert(stream);
    ++calls;
    return run(side, stream, count);
  };
  static_cast<void>(audit(subject, {.runs = 1000}));
  EXPECT_EQ(streams.size(), calls);
  EXPECT_GE(calls, 100u);
}

TEST(Audit, ProgressGrowsToTheEnd) {
  std::uint64_t last = 0;
  Subject subject = response(0.75, 1);
  subject.block = 10;
  static_cast<void>(audit(subject, {.runs = 1000, .progress = [&](std::uint64_t done) {
                                      EXPECT_GE(done, last);
                                      last = done;
                                    }}));
  EXPECT_GT(last, 500u);
  EXPECT_LE(last, 1000u);
}

TEST(Audit, StopsWhenAskedTo) {
  std::atomic<bool> stop{true};
  EXPECT_FALSE(audit(response(0.75, 1), {.runs = 1000, .stop = &stop}));
  // Also between learning and counting, and while counting.
  for (const std::uint64_t moment : {30u, 60u, 90u}) {
    stop = false;
    std::atomic<std::uint64_t> calls{0};
    Subject subject = response(0.75, 1);
    subject.block = 10;
    subject.run = [&, run = subject.run](Side side, std::uint64_t stream, std::size_t count) {
      if (++calls == moment) stop = true;
      return run(side, stream, count);
    };
    EXPECT_FALSE(audit(subject, {.runs = 1000, .stop = &stop})) << moment;
  }
  // A complaint of what was ended in the middle is no mistake.
  const Subject broken{.name = "broken",
                       .run = [](Side, std::uint64_t, std::size_t) -> Outputs { throw InvalidArgument("ended"); }};
  EXPECT_FALSE(audit(broken, {.runs = 1000, .stop = &stop}));
  stop = false;
  EXPECT_THROW(static_cast<void>(audit(broken, {.runs = 1000, .stop = &stop})), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::audit
