// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/core/settings.hpp"
#include "doeblin/mechanism/pipeline.hpp"

/// Composition. Each function stands in src/composition/stages, in the file of its name, beside its maker for the expression language.
namespace doeblin::pipeline {

[[nodiscard]] Stage compose(double k, const Settings& settings = {});

/// What `first + second + ...` means.
[[nodiscard]] Evaluated composed(const std::vector<Mechanism>& parts, const Settings& settings = {});

/// All of the releases, about the same people: parts about fewer people at once are lifted to the largest number, of
/// which theirs must be a divisor. Domain: at least one part.
[[nodiscard]] Pipeline sum(std::vector<Pipeline> parts, const Settings& settings = {});

[[nodiscard]] inline Pipeline operator+(Pipeline first, Pipeline second) {
  return sum({std::move(first), std::move(second)});
}

}  // namespace doeblin::pipeline
