// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/pipeline/pipeline.hpp"

namespace doeblin::pipeline {

/// Throws unless a guarantee about `relation` can be sampled under `needed`, naming what is covered.
void require_sampling_relation(Relation relation, Relation needed);

/// The relation called `text`; throws when it is not one of the two that sampling knows.
[[nodiscard]] Relation sampling_relation(const std::string& text);

/// The sample sizes of a scheme that draws m from n people.
void require_sample(double n, double m);

}  // namespace doeblin::pipeline
