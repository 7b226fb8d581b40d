// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "doeblin/iteration/hidden_run.hpp"
#include "doeblin/iteration/noisy_sgd.hpp"

/// One released state of a hidden run, for one person, under each analysis.
namespace doeblin::pipeline {

/// A run and how to analyse it.
struct RunModel {
  std::shared_ptr<const HiddenRun> run;
  NoiseLaw noise = NoiseLaw::kGaussian;
  RunAnalysis analysis = RunAnalysis::kBest;
  /// The Lipschitz constant of a step as the published analyses have it, or why there is none.
  double published_lipschitz = 1.0;
  std::string published_reason = {};
  /// How many records the last step uses, and which share of all that is.
  double last_batch = 1.0;
  double last_share = 0.0;
  /// A record is left out rather than exchanged: exchanging two others moves twice as much.
  bool is_left_out = false;
};

/// Only X_released is seen, of a run in which one person's record is used as given.
[[nodiscard]] Mechanism hidden_mechanism(const RunModel& model, const std::vector<Use>& uses, std::size_t released);

/// X_t is released at every t in `releases` (increasing, the last one the end of the run). Catalogue I11.
[[nodiscard]] Mechanism checkpointed_mechanism(const RunModel& model, const std::vector<Use>& uses,
                                               const std::vector<std::size_t>& releases);

/// The Gaussian level of one use when the state after it is seen, with the rounding of that step.
[[nodiscard]] Bracket published_level(const NoisySteps& steps, const Use& use);

/// The catalogue entries that the analysis rests on, and what it says.
[[nodiscard]] std::string source_of(const RunModel& model);
[[nodiscard]] std::string statement_of(const RunModel& model);

/// At least as good as `gdp`, and at `profile` where that is better; attained as `profile` says.
[[nodiscard]] Mechanism dominated_mechanism(const Gdp& gdp, const Profile& profile);

/// Exactly Gaussian, for some record.
[[nodiscard]] Mechanism exact_mechanism(const Bracket& level);

/// The level of a bracket.
[[nodiscard]] Gdp gdp_of(const Bracket& level);

}  // namespace doeblin::pipeline
