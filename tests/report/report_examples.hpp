// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/certificate/certificate.hpp"
#include "doeblin/language/expression.hpp"
#include "doeblin/report/comparison.hpp"

namespace doeblin::report::test {

inline certificate::Certificate certificate() {
  certificate::Certificate one;
  one.software_version = "0.1.0";
  one.relation = Relation::kAddRemove;
  one.claims = {{true, 1e-5, Bracket(2.37533, 2.3762)}, {false, 3.0, Bracket(1e-9, 1.1e-9)}};
  one.curve = {
      {0.0, Bracket(0.4, 0.5)}, {2.0, Bracket(1e-4, 2e-4)}, {4.0, Bracket(1e-300, 2e-12)}, {6.0, Bracket(0.0)}};
  one.program = language::parse("gaussian(sigma=1.1) | compose(10)");
  one.derivation = {{"gaussian(sigma=1.1)", "P1", "the Gaussian mechanism", {asserted("the noise is normal")}},
                    {"compose(k=10)", "C5", "GDP composes", {checked("adaptive"), asserted("fresh")}}};
  one.inputs = {{"kernel.csv", std::string(64, 'a')}};
  one.details = {{"loss", std::string("logistic")}, {"sigma", 0.5}};
  return one;
}

inline certificate::Certificate certificate_of_people() {
  certificate::Certificate one = certificate();
  one.kind = certificate::Kind::kPeople;
  one.people = certificate::PeopleClaim{
      .is_epsilon = true,
      .at = 1e-6,
      .count = 1000,
      .worst = {1000, Bracket(1.0, 1.5)},
      .best = {1, Bracket(0.0, 0.001)},
      .median = 0.02,
      .points = {{1, Bracket(0.0, 0.001)}, {500, Bracket(0.0, 0.02)}, {1000, Bracket(1.0, 1.5)}}};
  return one;
}

inline Comparison comparison() {
  const pipeline::Question asked{pipeline::Quantity::kEpsilon, 1e-5};
  return {"0.1.0",
          "gaussian(sigma=1)",
          {.relation = Relation::kSubstitute},
          "one person's data",
          asked,
          {{"best", "the tightest", pipeline::Answer{asked, Bracket(1.0, 1.1)}},
           {"balle", "as published [BBGG19]", pipeline::Answer{asked, Bracket(0.0, 5.0), false}},
           {"feldman", "as published [FMTT18]", std::nullopt, "need one epoch"}}};
}

}  // namespace doeblin::report::test
