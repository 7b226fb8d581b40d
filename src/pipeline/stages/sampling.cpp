// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stages/sampling.hpp"

#include <cmath>

#include <fmt/format.h>

namespace doeblin::pipeline {
namespace {

constexpr const char* kCovered =
    "poisson on add_remove (S1, S7), or on a Gaussian mechanism whose sensitivity is for add_remove, reported for "
    "substitute (S5); without_replacement on substitute (S2, S7); with_replacement on substitute, reported for "
    "substitute (S3) or add_remove (S4, S7)";

}  // namespace

void require_sampling_relation(Relation relation, Relation needed) {
  if (relation == Relation::kNeutral || relation == needed) return;
  throw InvalidArgument("relation", name(relation),
                        fmt::format("{} before this stage. Covered: {}", name(needed), kCovered));
}

Relation sampling_relation(const std::string& text) {
  for (const Relation relation : {Relation::kAddRemove, Relation::kSubstitute})
    if (text == name(relation)) return relation;
  throw InvalidArgument("relation", fmt::format("'{}'", text),
                        fmt::format("'add_remove' or 'substitute'. Covered: {}", kCovered));
}

void require_sample(double n, double m) {
  require(n >= 1.0 && n <= 0x1p53 && n == std::floor(n), "n", n, "an integer, 1 <= n <= 2^53");
  require(m >= 1.0 && m <= 0x1p53 && m == std::floor(m), "m", m, "an integer, 1 <= m <= 2^53");
}

}  // namespace doeblin::pipeline
