// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/settings.hpp"
#include "doeblin/mechanism/pipeline.hpp"

/// Sampling. Each function stands in src/subsampling/stages, in the file of its name, beside its maker for the expression language.
namespace doeblin::pipeline {

/// Each person takes part with probability `rate`, independently.
[[nodiscard]] Stage poisson(double rate, Relation relation = Relation::kAddRemove, const Settings& settings = {});
/// A uniformly random subset of m of the n people.
[[nodiscard]] Stage without_replacement(double n, double m, const Settings& settings = {});
/// m independent uniform draws from the n people.
[[nodiscard]] Stage with_replacement(double n, double m, Relation relation = Relation::kSubstitute,
                                     const Settings& settings = {});

}  // namespace doeblin::pipeline
