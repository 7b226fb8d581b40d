// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "doeblin/mechanism/mechanism.hpp"
#include "doeblin/subsampling/subsampling.hpp"

/// Runs in very many dimensions, as examples of what a class of runs allows (catalogue C8, I4).
///
/// On a ball in d dimensions noise has a norm of about sqrt(d) deviations, so that projecting it scales it by about the
/// same factor whatever it is: as d grows the released step is seen as if it were not projected, and everything before it
/// is scaled to nothing. All losses are linear.
namespace doeblin::pipeline {

/// The record moves the released step by `level` deviations, and so do as many others as the step uses.
[[nodiscard]] Mechanism seen_step(double level, double batch);

/// How many of k people are in the released step.
using PlacesOfPeople = std::function<CountWeights(double k)>;

/// The record is in the released step with this probability, which nothing tells; else somebody is who moves it as the
/// record does that it is exchanged for.
[[nodiscard]] Mechanism seen_step_at_rate(double level, const Bracket& rate, const PlacesOfPeople& places);

}  // namespace doeblin::pipeline
