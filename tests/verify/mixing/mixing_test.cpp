// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <functional>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"
#include "support/generators.hpp"
#include "support/kernels.hpp"
#include "support/temporary_file.hpp"
#include "verify/mixing/kernels.hpp"
#include "verify/programs.hpp"
#include "verify/tables.hpp"

namespace doeblin::verify {
namespace {

using language::Call;

constexpr double kInfinity = INFINITY;

// ---- What comes before the kernels

Known profile(const std::function<Ball(const Ball&)>& delta) {
  Known known;
  known.delta = [delta](const Ball& epsilon) { return Enclosed{delta(epsilon), delta(epsilon)}; };
  return known;
}

// Neighbours that are told apart for sure: what is left is kappa.
Known everything() {
  return profile([](const Ball&) { return Ball(1); });
}

Known black_box(double epsilon, double delta) {
  return profile([=](const Ball& at) {
    if (!at.is_finite()) return Ball(delta);
    const Ball excess = expm1(Ball(epsilon));
    return Ball(delta) + (Ball(1) - Ball(delta)) * positive_part(excess - expm1(at)) / (Ball(2) + excess);
  });
}

Known gaussian(const Ball& mu) {
  Known known = profile([=](const Ball& at) { return at.is_finite() ? theta(at, mu) : Ball(0); });
  known.mu = mu;
  const Divergence profile_of_mu = [=](const Ball& at) { return theta(at, mu); };
  known.pairs = Pairs{profile_of_mu, profile_of_mu};
  return known;
}

Known finite(const test::Rows& rows) {
  auto matrix = std::make_shared<KnownMatrix>();
  for (const auto& row : rows) {
    Ball sum(0);
    for (const double entry : row) sum = sum + Ball(entry);
    matrix->rows.emplace_back();
    for (const double entry : row) matrix->rows.back().push_back(Ball(entry) / sum);
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = i + 1; j < rows.size(); ++j) matrix->neighbours.emplace_back(i, j);
  return known_of_matrix(matrix);
}

// ---- Kernels

Call call(const std::string& name, std::vector<std::pair<std::string, language::Argument>> arguments) {
  return {name, std::move(arguments)};
}

std::vector<Call> calls_of(const std::string& expression) {
  std::vector<Call> calls;
  const language::Program program = language::parse(expression);
  for (std::size_t k = 1; k < program.parts.size(); ++k) calls.push_back(program.parts[k].call);
  return calls;
}

std::string csv(const test::Rows& rows) {
  std::string text;
  for (const auto& row : rows) text += fmt::format("{}\n", fmt::join(row, ","));
  return text;
}

// ---- Truth tables

using truth::check_table;

TEST(VerifiedMixing, BlackBoxesMatchTheTable) {
  check_table("mixing_black_box_delta.csv",
              [](const test::Row& row) {
                return known_mixture({call("dobrushin", {{"gamma", row["gamma"]}, {"epsilon", row["e"]}})},
                                     black_box(row["epsilon0"], row["delta0"]));
              },
              {.accuracy = 100});
}

TEST(VerifiedMixing, GaussiansMatchTheTable) {
  check_table("mixing_gaussian_delta.csv",
              [](const test::Row& row) {
                return known_mixture({call("dobrushin", {{"gamma", row["gamma"]}, {"epsilon", row["e"]}})},
                                     gaussian(Ball(row["mu"])));
              },
              {.accuracy = 50});
}

TEST(VerifiedMixing, KAryResponseMatchesTheTable) {
  check_table("mixing_k_ary_delta.csv",
              [](const test::Row& row) {
                return known_mixture(
                    {call("k_ary_response", {{"k", row["k"]}, {"p", row["p"]}, {"steps", row["steps"]}})},
                    everything());
              },
              {.accuracy = 100});
}

TEST(VerifiedMixing, TruncatedGeometricMatchesTheTable) {
  check_table("mixing_geometric_delta.csv",
              [](const test::Row& row) {
                return known_mixture({call("truncated_geometric",
                                           {{"states", row["n"]}, {"ratio", row["ratio"]}, {"steps", row["steps"]}})},
                                     everything());
              },
              {.accuracy = 100});
}

TEST(VerifiedMixing, MatricesMatchTheTable) {
  check_table("mixing_finite_hockey.csv",
              [](const test::Row& row) {
                test::Rows rows(3);
                for (const char x : {'1', '2', '3'})
                  for (const char y : {'1', '2', '3'})
                    rows[static_cast<std::size_t>(x - '1')].push_back(row[std::string{'k', x, y}]);
                const test::TemporaryFile file("verified_kernel.csv", csv(rows));
                const Known known =
                    known_mixture({call("kernel", {{"file", file.path()}, {"steps", row["steps"]}})}, everything());
                // Where it takes more digits the file is read again.
                const Enclosed found = known.delta(Ball(row["epsilon"]));
                return profile([found](const Ball&) { return found.upper; });
              },
              {.accuracy = 100});
}

void check_projected(const std::string& table, const std::string& name) {
  check_table(table,
              [&](const test::Row& row) {
                return known_mixture({call(name, {{"sigma", row["sigma"]},
                                                  {"low", row["low"]},
                                                  {"high", row["high"]},
                                                  {"lipschitz", row["lipschitz"]},
                                                  {"steps", 1.0},
                                                  {"mean_low", row["mean_low"]},
                                                  {"mean_high", row["mean_high"]},
                                                  {"radius", 0.0}})},
                                     everything());
              },
              {.accuracy = 100});
}

TEST(VerifiedMixing, ProjectedGaussiansMatchTheTable) {
  check_projected("mixing_projected_gaussian_delta.csv", "projected_gaussian");
}

TEST(VerifiedMixing, ProjectedLaplaceMatchesTheTable) {
  check_projected("mixing_projected_laplace_delta.csv", "projected_laplace");
}

// ---- Against the main path

struct Before {
  std::string text;
  Known known;
};

Before random_before() {
  const double level = test::log_uniform(0.05, 5.0);
  if (*rc::gen::element(0, 1) == 0) {
    const double delta = *rc::gen::element(0.0, 1e-12, 1e-3);
    return {fmt::format("black_box(epsilon={}, delta={})", level, delta), black_box(level, delta)};
  }
  return {fmt::format("gaussian(sigma={})", level), gaussian(Ball(1) / Ball(level))};
}

// What main claims is certified, and a claim that is a millionth smaller is refused.
void check_claim(const std::string& text, const Known& base, double epsilon) {
  const Bracket claimed = pipeline::parse(text).delta(Epsilon(epsilon));
  const Enclosed found = known_mixture(calls_of(text), base).delta(Ball(epsilon));
  RC_LOG() << text << " at " << epsilon << ": main [" << claimed.lower() << ", " << claimed.upper() << "], verified "
           << found.upper.text(20) << " >= " << found.lower.text(20) << std::endl;
  RC_ASSERT(certainly_at_most(found.upper, Ball(claimed.upper())));
  RC_ASSERT(!certainly_less(Ball(claimed.upper()), found.lower));
  // The lower end that main states is a value that we know to be attained.
  if (claimed.lower() > 0.0) RC_ASSERT(!certainly_less(found.lower, Ball(claimed.lower())));
  if (found.upper.lower() < 1e-290) return;
  // Rounding alone: what main loses more than that it says in its own width, or where no lower end is known.
  const double allowed = claimed.lower() > 0.0 ? claimed.relative_width() + 1e-12 : 1e-7;
  RC_ASSERT(claimed.upper() <= found.upper.upper() * (1.0 + allowed) + 1e-12);
  if (claimed.upper() <= found.upper.lower() * (1.0 + 1e-7))
    RC_ASSERT(certainly_less(Ball(claimed.upper() * (1.0 - 1e-6)), found.upper));
}

std::string random_bound() {
  const double gamma = *rc::gen::element(0.0, 0.001, 0.3, 0.7, 0.999, 1.0);
  switch (*rc::gen::inRange(0, 3)) {
    case 0: return fmt::format("dobrushin(gamma={}, epsilon={})", gamma, *rc::gen::element(0.0, 0.3, 2.0));
    case 1: return fmt::format("doeblin(gamma={})", gamma);
    default: return fmt::format("ultra_mixing(gamma={})", gamma);
  }
}

std::string random_response() {
  const double steps = *rc::gen::element(1.0, 2.0, 5.0, 1000.0);
  if (*rc::gen::element(0, 1) == 0)
    return fmt::format("binary_symmetric(flip={}, steps={})", *rc::gen::element(1e-9, 0.1, 0.5, 0.7, 1.0), steps);
  return fmt::format("k_ary_response(k={}, p={}, steps={})", *rc::gen::element(2, 3, 10, 1000),
                     *rc::gen::element(0.0, 0.2, 0.5, 0.9, 1.0), steps);
}

std::string random_projection(const std::vector<int>& steps) {
  const std::string name = *rc::gen::element("projected_gaussian", "projected_laplace");
  const double sigma = test::log_uniform(0.1, 5.0);
  const double lipschitz = *rc::gen::element(0.0, 0.5, 0.99, 1.0, 1.3);
  const int count = *rc::gen::elementOf(steps);
  switch (*rc::gen::inRange(0, 4)) {
    case 0: return fmt::format("{}(sigma={}, lipschitz={}, steps={})", name, sigma, lipschitz, count);
    case 1: return fmt::format("{}(sigma={}, lipschitz={}, steps={}, radius=0.7)", name, sigma, lipschitz, count);
    case 2:
      return fmt::format("{}(sigma={}, lipschitz={}, steps={}, low=-1, high=0.5, mean_low=-0.3)", name, sigma,
                         lipschitz, count);
    default:
      return fmt::format("{}(sigma={}, lipschitz={}, steps={}, mean_low=0, mean_high=1)", name, sigma, lipschitz,
                         count);
  }
}

double random_epsilon() { return *rc::gen::element(0.0, 1e-6, 0.01, 0.1, 0.5, 1.0, 3.0, 20.0, 900.0); }

RC_GTEST_PROP(VerifiedMixing, BoundsAreCertified, ()) {
  const Before before = random_before();
  check_claim(before.text + " | " + random_bound(), before.known, random_epsilon());
  check_claim(before.text + " | " + random_bound() + " | " + random_bound(), before.known, random_epsilon());
}

RC_GTEST_PROP(VerifiedMixing, ResponsesAreCertified, ()) {
  const Before before = random_before();
  check_claim(before.text + " | " + random_response(), before.known, random_epsilon());
  check_claim(before.text + " | " + random_response() + " | " + random_bound(), before.known, random_epsilon());
}

RC_GTEST_PROP(VerifiedMixing, ProjectionsAreCertified, ()) {
  const Before before = random_before();
  check_claim(before.text + " | " + random_projection({1}), before.known, random_epsilon());
  check_claim(before.text + " | " + random_projection({1, 2, 5}), before.known, random_epsilon());
  check_claim(before.text + " | " + random_projection({1, 3}) + " | " + random_bound(), before.known, random_epsilon());
}

// A matrix with a seed of its own, in a file.
test::Rows random_matrix(std::size_t states, std::size_t outputs) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  return test::random_rows(random, states, outputs);
}

RC_GTEST_PROP(VerifiedMixing, MatricesAreCertified, ()) {
  const Before before = random_before();
  const auto states = static_cast<std::size_t>(*rc::gen::inRange(2, 8));
  const test::Rows square = random_matrix(states, states);
  const test::Rows other = random_matrix(states, 5);
  const test::TemporaryFile file("verified_matrix.csv", csv(square));
  const test::TemporaryFile wide("verified_wide.csv", csv(other));
  const int steps = *rc::gen::element(1, 2, 3, 17, 1000);
  const std::string one = fmt::format("kernel('{}', steps={})", file.path(), steps);
  RC_LOG() << csv(square) << std::endl << csv(other) << std::endl;
  check_claim(before.text + " | " + one, before.known, random_epsilon());
  check_claim(before.text + " | " + one + fmt::format(" | kernel('{}')", wide.path()), before.known, random_epsilon());
  check_claim(before.text + fmt::format(" | k_ary_response(k={}, p=0.8, steps=3) | ", states) + one, before.known,
              random_epsilon());
  check_claim(before.text + " | " + one + " | " + random_bound() + " | " + one, before.known, random_epsilon());
  check_claim(
      before.text + fmt::format(" | truncated_geometric(states={}, ratio=0.3, steps={}) | ", states, steps) + one,
      before.known, random_epsilon());
}

RC_GTEST_PROP(VerifiedMixing, ProductsOfMatricesAreCertified, ()) {
  const auto states = static_cast<std::size_t>(*rc::gen::inRange(2, 6));
  const test::Rows mechanism = random_matrix(3, states);
  const test::TemporaryFile file("verified_mechanism.csv", csv(mechanism));
  const test::TemporaryFile channel("verified_channel.csv", csv(random_matrix(states, states)));
  const std::string text =
      fmt::format("finite('{}') | kernel('{}', steps={})", file.path(), channel.path(), *rc::gen::element(1, 2, 9));
  check_claim(text, finite(mechanism), random_epsilon());
  check_claim(text + fmt::format(" | k_ary_response(k={}, p=0.7)", states), finite(mechanism), random_epsilon());
  check_claim(text + " | doeblin(gamma=0.4)", finite(mechanism), random_epsilon());
}

// A difference of some 1e-106 is 0 +- 1e-76 to us: a lower end within that ball is not contradicted, a larger one is.
TEST(VerifiedMixing, ALowerEndTooSmallToBeSeenIsNotContradicted) {
  const auto half = [](const Ball&) { return Ball(0.5); };
  const Ball unseen = Ball::between(Ball(-1e-76), Ball(1e-76));
  const Ball left = mixed_lower(unseen, Ball(0), half);
  EXPECT_FALSE(certainly_less(left, Ball(2e-106)));
  EXPECT_TRUE(certainly_less(left, Ball(1e-70)));
  EXPECT_TRUE(certainly_at_most(mixed_lower(Ball(0), Ball(0), half), Ball(0)));
  EXPECT_TRUE(certainly_less(Ball(0.1), mixed_lower(Ball(0.25), Ball(0), half)));
}

RC_GTEST_PROP(VerifiedMixing, WalksAreCertified, ()) {
  std::string edges;
  const int nodes = *rc::gen::inRange(2, 7);
  for (int k = 0; k < nodes; ++k) edges += fmt::format("{} {} {}\n", k, (k + 1) % nodes, 1 + k % 3);
  edges += "0 0 0.3\n0 1\n";
  const test::TemporaryFile file("verified_walk.txt", edges);
  const Before before = random_before();
  check_claim(before.text + fmt::format(" | lazy_walk('{}', laziness={}, steps={})", file.path(),
                                        *rc::gen::element(0.0, 0.1, 0.5, 1.0), *rc::gen::element(1, 2, 20, 500)),
              before.known, random_epsilon());
}

// ---- One of every kind

struct Example {
  std::string kernels;
  double epsilon;
};

class Files {
 public:
  [[nodiscard]] std::vector<Example> examples() const {
    const std::string channel = fmt::format("kernel('{}', steps=2)", channel_.path());
    return {{"dobrushin(gamma=0.3)", 1.0},
            {"dobrushin(gamma=0.01, epsilon=2)", 0.5},
            {"doeblin(gamma=0.3)", 1.0},
            {"ultra_mixing(gamma=0.9)", 0.2},
            {channel, 0.1},
            {channel + " | doeblin(gamma=0.5) | " + channel, 0.01},
            {"k_ary_response(k=3, p=0.8) | " + channel, 0.1},
            {fmt::format("kernel('{}')", market_.path()), 0.1},
            {"k_ary_response(k=4, p=0.8, steps=2)", 0.1},
            {"k_ary_response(k=4096, p=0.8)", 1.0},
            {"binary_symmetric(flip=0.1)", 0.3},
            {"truncated_geometric(states=20, ratio=0.5, steps=3)", 0.5},
            {fmt::format("lazy_walk('{}', laziness=0.3, steps=4)", walk_.path()), 0.1},
            {"projected_gaussian(sigma=0.5)", 0.5},
            {"projected_gaussian(sigma=0.5, mean_low=0, mean_high=1)", 0.5},
            {"projected_gaussian(sigma=1, radius=0.5, lipschitz=0.9, steps=3)", 0.1},
            {"projected_gaussian(sigma=0.25, steps=40)", 0.001},
            {"projected_laplace(sigma=0.5)", 0.5},
            {"projected_laplace(sigma=0.5, radius=0.5, steps=2)", 0.1}};
  }

 private:
  test::TemporaryFile channel_{"verified_one.csv", "0.7,0.2,0.1\n0.25,0.5,0.25\n0.1,0.3,0.6\n"};
  test::TemporaryFile market_{"verified_one.mtx",
                              "%%MatrixMarket matrix coordinate real general\n3 3 6\n1 1 0.5\n1 2 0.5\n2 2 0.7\n"
                              "2 3 0.3\n3 2 0.25\n3 3 0.75\n"};
  test::TemporaryFile walk_{"verified_one.txt", "1 2\n2 3 2.5\n3 1\n3 4\n4 4 0.1\n"};
};

TEST(VerifiedMixing, EveryKindIsCertifiedAndNothingBelowIt) {
  const Files files;
  for (const Example& example : files.examples()) {
    const std::string text = "gaussian(sigma=0.7) | " + example.kernels;
    const double claimed = pipeline::parse(text).delta(Epsilon(example.epsilon)).upper();
    const Ball found = known_mixture(calls_of(text), gaussian(Ball(1) / Ball(0.7))).delta(Ball(example.epsilon)).upper;
    EXPECT_GT(claimed, 1e-100) << text;
    EXPECT_TRUE(certainly_at_most(found, Ball(claimed))) << text << ": " << claimed << " and " << found.text(20);
    EXPECT_TRUE(certainly_less(Ball(claimed * (1.0 - 1e-6)), found)) << text << ": " << claimed << found.text(20);
  }
}

TEST(VerifiedMixing, ManySteps) {
  for (const char* kernels :
       {"projected_gaussian(sigma=0.02, steps=1000)", "projected_gaussian(sigma=0.01, lipschitz=0.999, steps=20000)",
        "projected_laplace(sigma=0.1, steps=3000)", "binary_symmetric(flip=1e-6, steps=1000000)",
        "truncated_geometric(states=12, ratio=0.4, steps=1000000000)"}) {
    const std::string text = std::string("gaussian(sigma=0.7) | ") + kernels;
    for (const double epsilon : {0.0, 1e-4}) {
      const double claimed = pipeline::parse(text).delta(Epsilon(epsilon)).upper();
      const Ball found = known_mixture(calls_of(text), gaussian(Ball(1) / Ball(0.7))).delta(Ball(epsilon)).upper;
      EXPECT_TRUE(certainly_at_most(found, Ball(claimed))) << text << ": " << claimed << " and " << found.text(20);
    }
  }
}

TEST(VerifiedMixing, Edges) {
  const auto upper = [](const std::string& kernels, const Known& base, double epsilon) {
    return known_mixture(calls_of("gaussian(sigma=1) | " + kernels), base).delta(Ball(epsilon)).upper;
  };
  EXPECT_EQ(upper("dobrushin(gamma=0)", gaussian(Ball(1)), 1.0).upper(), 0.0);
  EXPECT_EQ(upper("ultra_mixing(gamma=0)", gaussian(Ball(1)), 0.0).upper(), 0.0);
  EXPECT_EQ(upper("ultra_mixing(gamma=1)", black_box(1.0, 0.25), 2.0).upper(), 0.25);
  EXPECT_EQ(upper("dobrushin(gamma=1)", black_box(1.0, 0.25), kInfinity).upper(), 0.25);
  EXPECT_EQ(upper("dobrushin(gamma=0.5, epsilon=3)", black_box(1.0, 0.25), kInfinity).upper(), 0.125);
  EXPECT_EQ(upper("k_ary_response(k=4, p=0)", everything(), kInfinity).upper(), (Ball(1) / Ball(3)).upper());
  EXPECT_EQ(upper("k_ary_response(k=4, p=0.5)", everything(), kInfinity).upper(), 0.0);
  EXPECT_EQ(upper("k_ary_response(k=4, p=1, steps=7)", everything(), 2.0).upper(), 1.0);
  EXPECT_EQ(upper("projected_gaussian(sigma=1)", everything(), kInfinity).upper(), 0.0);
  EXPECT_EQ(upper("projected_laplace(sigma=1, low=1, high=1)", everything(), 0.0).upper(), 0.0);
  EXPECT_EQ(upper("doeblin(gamma=0.5)", black_box(0.0, 0.0), 0.0).upper(), 0.0);
  EXPECT_THROW((void)upper("truncated_geometric(states=3000, ratio=0.5)", everything(), 0.0), CannotCheck);
}

// A mechanism and a kernel that are both pure have a pure level below either (M5).
TEST(VerifiedMixing, PureLevelsCombine) {
  Known base = black_box(1.0, 0.0);
  base.pure = Ball(1);
  const Known after = known_mixture({call("ultra_mixing", {{"gamma", 0.5}})}, base);
  ASSERT_TRUE(after.pure.has_value());
  EXPECT_NEAR(after.pure->middle(), std::log((1.0 + 2.0 * std::exp(1.0)) / (2.0 + std::exp(1.0))), 1e-15);
  EXPECT_EQ(after.delta(*after.pure + Ball(1e-9)).upper.upper(), 0.0);
  EXPECT_GT(after.delta(*after.pure - Ball(1e-9)).upper.lower(), 0.0);
}

TEST(VerifiedMixing, KnowsWhatAKernelIs) {
  for (const char* name : {"dobrushin", "kernel", "lazy_walk", "projected_laplace"}) EXPECT_TRUE(is_kernel({name}));
  for (const char* name : {"gaussian", "poisson", "compose", "evolve"}) EXPECT_FALSE(is_kernel({name}));
}

}  // namespace
}  // namespace doeblin::verify
