// SPDX-License-Identifier: Apache-2.0
#include "doeblin/verify/verify.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/diffusion/grid_release.hpp"
#include "doeblin/issuing/issue.hpp"
#include "doeblin/issuing/reproduction.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace doeblin::verify {
namespace {

using certificate::Certificate;
using certificate::Kind;

// As the command line writes them.
Certificate certificate_of(const pipeline::Pipeline& pipeline, double delta) {
  certificate::Subject subject{pipeline, pipeline.program()};
  const Bracket epsilon = pipeline.epsilon(Delta(delta));
  const double at = 0.5 * epsilon.upper();
  subject.claims = {{true, delta, epsilon}, {false, at, pipeline.delta(Epsilon(at))}};
  const auto people = pipeline.mechanism().people();
  Certificate certificate = issue(people ? Kind::kPeople : Kind::kAnalysis, subject);
  if (people)
    certificate.people = certificate::people_claim(true, delta, people->epsilons(Delta(delta), [](std::size_t) {}));
  return certificate;
}

Certificate certificate_of(const std::string& expression, double delta) {
  return certificate_of(pipeline::parse(expression), delta);
}

// Written, read again, proven, and computed as it was.
Verdict verdict_of(const Certificate& certificate) {
  Certificate read;
  try {
    read = certificate::read_certificate("test", certificate::text_of(certificate));
    if (!differences(read, pipeline::parse(language::text_of(read.program), read.settings)).empty())
      return Verdict::kRefuted;
  } catch (const InvalidArgument&) {
    return Verdict::kRefuted;
  }
  return overall(verify(read));
}

struct Question {
  const char* expression;
  double delta;
};

constexpr Question kQuestions[] = {
    {"gaussian(sigma=1)", 1e-5},
    {"laplace(scale=2) | group(3)", 1e-3},
    {"twice_laplace(1, 2)", 1e-2},
    {"randomized_response(p=0.75) | group(2)", 1e-2},
    {"discrete_gaussian(sigma=4, sensitivity=2)", 1e-6},
    {"discrete_laplace(scale=2)", 1e-2},
    {"black_box(epsilon=1, delta=1e-8) | poisson(rate=0.1)", 1e-6},
    {"zcdp(rho=0.1)", 1e-6},
    {"rdp(alpha=8, epsilon=0.5)", 1e-6},
    {"ornstein_uhlenbeck(theta=0.5, rho=1, time=2) | evolve(1)", 1e-200},
    {"gaussian(sigma=1) | poisson(rate=0.01, relation=substitute)", 1e-6},
    {"laplace(scale=1) | without_replacement(n=1000, m=50)", 1e-3},
    {"gaussian(sigma=2) | with_replacement(n=100, m=5)", 1e-6},
    {"gaussian(sigma=10) | compose(100)", 1e-6},
    {"randomized_response(p=0.55) | compose(20)", 1e-4},
    {"gaussian(sigma=2) | poisson(rate=0.1) | compose(5)", 1e-6},
    {"gaussian(sigma=1) | dobrushin(gamma=0.5)", 1e-6},
    {"black_box(epsilon=1) | ultra_mixing(gamma=0.5)", 1e-3},
    {"noisy_sgd(n=30, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=0.5, diameter=3)", 1e-6},
    {"noisy_iteration(steps=10, sigma=1, lipschitz=0.9, affected='1,4')", 1e-6},
    // Known by their profiles alone, which compose as pairs (C7).
    {"rdp(alpha=8, epsilon=0.5) | compose(3)", 1e-6},
    {"zcdp(rho=0.1) + laplace(scale=1)", 1e-6},
    {"noisy_sgd(n=4, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, noise='laplace', tasks=2)", 1e-6},
    {"laplace(scale=1) | poisson(rate=0.05) | group(3)", 1e-3},
    {"twice_laplace(1, 0.5) | poisson(rate=0.05) | group(3)", 1e-3},
    {"twice_laplace(1, 0.5) | poisson(rate=0.05, relation=substitute)", 1e-3},
    {"twice_laplace(1, 1) | with_replacement(n=1000, m=50) | group(2)", 1e-3},
};

TEST(Verify, EveryCertificateIsVerified) {
  for (const auto& [expression, delta] : kQuestions) {
    const Certificate certificate = certificate_of(expression, delta);
    const Verdict verdict = verdict_of(certificate);
    EXPECT_EQ(verdict, Verdict::kVerified) << expression;
    if (verdict == Verdict::kVerified) continue;
    for (const Check& check : verify(certificate))
      EXPECT_EQ(check.verdict, Verdict::kVerified) << expression << ": " << check.claim << ": " << check.reason;
  }
}

double lowered(double x, double share) { return x * (1.0 - share); }

Bracket with_upper(const Bracket& x, double upper) { return {std::min(x.lower(), upper), upper}; }

// Noise of N1, where it is sampled: pairs that some have.
constexpr Question kSampledNoise[] = {
    {"laplace(scale=1) | poisson(rate=0.05) | group(3)", 1e-3},
    {"laplace(scale=1) | group(3) | poisson(rate=0.05)", 1e-3},
    {"laplace(scale=1) | poisson(rate=0.05, relation=substitute)", 1e-3},
    {"laplace(scale=1) | with_replacement(n=1000, m=50, relation=add_remove)", 1e-6},
    {"discrete_laplace(scale=1.5) | poisson(rate=0.05) | group(2)", 1e-3},
    {"discrete_laplace(scale=1.5) | poisson(rate=0.05, relation=substitute) | group(2)", 1e-3},
    {"discrete_laplace(scale=1.5) | with_replacement(n=100, m=5, relation=add_remove)", 1e-4},
    {"discrete_gaussian(sigma=2, sensitivity=2) | poisson(rate=0.05) | group(3)", 1e-6},
    {"discrete_gaussian(sigma=2, sensitivity=2) | poisson(rate=0.05, relation=substitute)", 1e-9},
    {"discrete_gaussian(sigma=2, sensitivity=2) | with_replacement(n=100, m=5, relation=add_remove)", 1e-6},
};

TEST(Verify, SampledNoiseIsVerifiedAndNothingBelow) {
  for (const auto& [expression, delta] : kSampledNoise) {
    Certificate certificate = certificate_of(expression, delta);
    for (const Check& check : verify(certificate))
      EXPECT_EQ(check.verdict, Verdict::kVerified) << expression << ": " << check.claim << ": " << check.reason;
    for (certificate::Claim& claim : certificate.claims)
      claim.value = with_upper(claim.value, lowered(claim.value.upper(), 1e-6));
    const std::vector<Check> checks = verify(certificate);
    EXPECT_EQ(checks[0].verdict, Verdict::kRefuted) << expression << ": " << checks[0].reason;
    EXPECT_EQ(checks[1].verdict, Verdict::kRefuted) << expression << ": " << checks[1].reason;
  }
}

TEST(Verify, SampledNoiseComposes) {
  for (const auto& [expression, delta] :
       {Question{"laplace(scale=1) | poisson(rate=0.05) | compose(10) | group(2)", 1e-6},
        {"twice_laplace(scale1=1, scale2=0.5) | poisson(rate=0.05) | compose(5) | group(2)", 1e-6},
        {"discrete_laplace(scale=1.5) | poisson(rate=0.05, relation=substitute) | compose(10)", 1e-6},
        // Where little is left below the largest loss the grid becomes finer.
        {"laplace(scale=1) | compose(10) | poisson(rate=0.05)", 1e-6},
        {"laplace(scale=1) | compose(10) | group(2)", 1e-6}})
    for (const Check& check : verify(certificate_of(expression, delta)))
      EXPECT_EQ(check.verdict, Verdict::kVerified) << expression << ": " << check.claim << ": " << check.reason;
}

TEST(Verify, PipelinesOfTheAlgebraAreCertifiedByTheirProgram) {
  const pipeline::Pipeline noise = pipeline::gaussian({.sigma = 2.0});
  EXPECT_EQ(verdict_of(certificate_of(noise | pipeline::poisson(0.1) | pipeline::compose(5), 1e-6)),
            Verdict::kVerified);
  const pipeline::Pipeline run = pipeline::noisy_sgd({.n = 40.0,
                                                      .learning_rate = 0.5,
                                                      .sigma = 2.0,
                                                      .lipschitz = 1.0,
                                                      .smoothness = 0.5,
                                                      .strong_convexity = 0.25,
                                                      .diameter = 1.0});
  EXPECT_EQ(verdict_of(certificate_of(run, 1e-6)), Verdict::kVerified);
  EXPECT_EQ(verdict_of(certificate_of((run | pipeline::person(39)) + noise, 1e-6)), Verdict::kVerified);
}

// A forger who keeps everything consistent, the seal included.
struct Forgery {
  const char* name;
  std::function<void(Certificate&)> forge;
};

std::vector<Forgery> forgeries() {
  const auto claim = [](std::size_t i, double share) {
    return [i, share](Certificate& c) {
      c.claims[i].value = with_upper(c.claims[i].value, lowered(c.claims[i].value.upper(), share));
    };
  };
  return {
      {"epsilon 1e-6 smaller", claim(0, 1e-6)},
      {"epsilon 10% smaller", claim(0, 0.1)},
      {"delta 1e-6 smaller", claim(1, 1e-6)},
      {"delta halved", claim(1, 0.5)},
      {"smaller delta asked for", [](Certificate& c) { c.claims[0].at *= 0.9; }},
      {"smaller epsilon asked for", [](Certificate& c) { c.claims[1].at *= 0.9; }},
      {"claims exchanged", [](Certificate& c) { c.claims[1].is_epsilon = true; }},
      {"no claims", [](Certificate& c) { c.claims.clear(); }},
      {"a point of the curve 1e-6 smaller",
       [](Certificate& c) {
         c.curve[2].delta = with_upper(c.curve[2].delta, lowered(c.curve[2].delta.upper(), 1e-6));
       }},
      {"a point of the curve moved", [](Certificate& c) { c.curve[2].epsilon *= 0.999; }},
      {"a point of the curve lost", [](Certificate& c) { c.curve.pop_back(); }},
      {"another relation",
       [](Certificate& c) {
         c.relation = c.relation == Relation::kAddRemove ? Relation::kSubstitute : Relation::kAddRemove;
       }},
      {"an assumption checked", [](Certificate& c) { c.derivation[0].assumptions.back().checked ^= true; }},
      {"an assumption lost", [](Certificate& c) { c.derivation[0].assumptions.pop_back(); }},
      {"an assumption reworded", [](Certificate& c) { c.derivation[0].assumptions[0].text += " or so"; }},
      {"another theorem", [](Certificate& c) { c.derivation[0].source = "P99"; }},
      {"another statement", [](Certificate& c) { c.derivation[0].statement = "it is private"; }},
      {"another stage", [](Certificate& c) { c.derivation[0].stage = "magic()"; }},
      {"a step too many", [](Certificate& c) { c.derivation.push_back(c.derivation[0]); }},
      {"a file that is not used",
       [](Certificate& c) {
         c.inputs.push_back({"/dev/null", std::string(64, '0')});
       }},
      {"details of no run",
       [](Certificate& c) {
         c.details.push_back({"loss", 1.0});
       }},
      {"another parameter",
       [](Certificate& c) {
         language::Program* first = &c.program;
         while (first->kind != language::Program::Kind::kCall) first = &first->parts[0];
         double& value = std::get<double>(first->call.arguments[0].second);
         value *= 0.5;
       }},
      {"an unknown call", [](Certificate& c) { c.program = {.call = {.name = "perfect", .arguments = {}}}; }},
      {"another kind", [](Certificate& c) { c.kind = c.kind == Kind::kPeople ? Kind::kAnalysis : Kind::kPeople; }},
      {"everybody's epsilon 1e-6 smaller",
       [](Certificate& c) {
         if (!c.people) c.people = certificate::PeopleClaim{};
         c.people->worst.value = with_upper(c.people->worst.value, lowered(c.people->worst.value.upper(), 1e-6));
       }},
      {"the median 1e-6 smaller",
       [](Certificate& c) {
         if (!c.people) c.people = certificate::PeopleClaim{};
         c.people->median *= 1.0 - 1e-6;
       }},
  };
}

TEST(Verify, ForgeriesAreRefuted) {
  std::size_t refuted = 0;
  // Closed forms, recursions and compositions.
  for (const std::size_t i : {0u, 1u, 3u, 6u, 9u, 11u, 13u, 14u, 16u, 18u}) {
    const Certificate certificate = certificate_of(kQuestions[i].expression, kQuestions[i].delta);
    for (const Forgery& forgery : forgeries()) {
      Certificate forged = certificate;
      forgery.forge(forged);
      EXPECT_EQ(verdict_of(forged), Verdict::kRefuted) << kQuestions[i].expression << ": " << forgery.name;
      ++refuted;
    }
  }
  EXPECT_GE(refuted, 200u);
}

// By the independent route alone, without looking at what the main path says.
TEST(Verify, NumbersThatAreTooSmallAreRefutedIndependently) {
  for (const std::size_t i : {0u, 1u, 2u, 4u, 5u, 9u, 10u, 13u}) {
    const Certificate certificate = certificate_of(kQuestions[i].expression, kQuestions[i].delta);
    for (const std::size_t which : {0u, 1u}) {
      Certificate forged = certificate;
      Bracket& value = forged.claims[which].value;
      value = with_upper(value, lowered(value.upper(), 1e-6));
      const std::vector<Check> checks = verify(forged);
      EXPECT_EQ(checks[which].verdict, Verdict::kRefuted) << kQuestions[i].expression << ": " << checks[which].reason;
      EXPECT_NE(checks[which].reason.find("too small"), std::string::npos);
    }
    Certificate boast = certificate;
    boast.claims[0].value = Bracket(boast.claims[0].value.upper() * 1.01, boast.claims[0].value.upper() * 1.02);
    EXPECT_EQ(verify(boast)[0].verdict, Verdict::kRefuted) << kQuestions[i].expression;
  }
}

TEST(Verify, CompositionsThatAreTooSmallAreRefutedIndependently) {
  Certificate certificate = certificate_of("laplace(scale=2) | compose(10)", 1e-3);
  certificate.curve.clear();
  Bracket& value = certificate.claims[0].value;
  value = with_upper(value, lowered(value.lower(), 0.01));
  EXPECT_EQ(overall(verify(certificate)), Verdict::kRefuted);
}

// Noise on a grid, along paths with and without a pull: what the main path says is proven, and nothing below it.
TEST(Verify, ReleasesAreVerifiedAndNothingBelow) {
  const GridTransition first{.noise = 200.0};
  const GridTransition pulled{.multiplier = 0.5, .noise = 300.0};
  const GridColumn one{.exponent = 0, .sensitivity = 150.0, .attained = 150.0, .cells = 1.0, .path = {first, pulled}};
  const GridColumn other{.exponent = 0, .sensitivity = 90.0, .attained = 90.0, .cells = 4.0, .path = {first, first}};
  for (const LatticeLaw law : {LatticeLaw::kGaussian, LatticeLaw::kLaplace})
    for (const auto& columns : {std::vector{one}, std::vector{one, other, other}})
      for (const std::size_t number : {1u, 2u}) {
        if (law == LatticeLaw::kLaplace && (number > 1 || columns.size() > 1)) continue;
        GridRelease release{law, columns};
        for (GridColumn& column : release.columns) column.path.resize(number);
        const pipeline::Pipeline pipeline = pipeline::released(release, number, {"release", "D6", {}});
        certificate::Subject subject{pipeline, pipeline::program_of(release, number)};
        subject.claims = {{true, 1e-4, pipeline.epsilon(Delta(1e-4))}, {false, 0.2, pipeline.delta(Epsilon(0.2))}};
        Certificate certificate = issue(Kind::kRelease, subject);
        EXPECT_EQ(overall(verify(certificate)), Verdict::kVerified) << language::text_of(certificate.program);
        for (certificate::Claim& claim : certificate.claims)
          claim.value = Bracket(0.0, lowered(claim.value.upper(), 1e-6));
        const std::vector<Check> checks = verify(certificate);
        EXPECT_NE(checks[0].verdict, Verdict::kVerified) << checks[0].reason;
        EXPECT_NE(checks[1].verdict, Verdict::kVerified) << checks[1].reason;
      }
}

TEST(Verify, WhatIsNotKnownIsSaid) {
  Certificate certificate = certificate_of("gaussian(sigma=1)", 1e-5);
  certificate.program.call.name = "something_new";
  for (const Check& check : verify(certificate)) {
    EXPECT_EQ(check.verdict, Verdict::kNotChecked);
    EXPECT_NE(check.reason.find("no independent route"), std::string::npos);
  }
  certificate.void_because = "a seed";
  EXPECT_EQ(overall(verify(certificate)), Verdict::kNotChecked);
  EXPECT_EQ(overall({}), Verdict::kNotChecked);
}

}  // namespace
}  // namespace doeblin::verify
