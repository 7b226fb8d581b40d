// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/people_report.hpp"
#include "commands/train_request.hpp"
#include "doeblin/training/model.hpp"

namespace doeblin::commands {

/// How well the model does on public records, and what the best model without noise would do there.
struct Measured {
  training::Quality quality;
  /// Least mean loss that any model of the domain has on these records; empty when that takes too long to find.
  std::optional<double> least_loss = std::nullopt;
  /// Of the best model without noise on the training records, where these are public.
  std::optional<training::Quality> without_noise = std::nullopt;
};

/// A finished run.
struct TrainReport {
  TrainRequest asked;
  training::DescentPlan plan;
  training::Model model;
  pipeline::Pipeline guarantee;
  Bracket epsilon;
  /// Empty for Poisson batches, where everybody is alike, and where it takes too long to find.
  std::optional<PeopleReport> people;
  /// As if every state were released, which is what ordinary accountants report; empty if they have no answer.
  std::optional<Bracket> ordinary;
  /// What theory predicts about the mean loss (I12); empty where it says nothing.
  std::optional<double> predicted_excess;
  std::optional<Measured> measured;
  /// How long reading, solving for the noise and training took; shown, not certified.
  double reading_seconds = 0.0;
  double planning_seconds = 0.0;
  double training_seconds = 0.0;
  /// Where each record stands in its file; empty when there are too many to list.
  std::vector<std::uint64_t> lines = {};
  std::vector<std::string> files = {};
};

/// The report is empty on ranks other than the first, and when the run was interrupted.
struct TrainOutcome {
  bool is_interrupted = false;
  std::optional<TrainReport> report = std::nullopt;
};

/// Plans, trains, and writes model, certificate, people and report, all or none of them.
[[nodiscard]] TrainOutcome train_run(const TrainRequest& asked, training::Communicator& ranks);

}  // namespace doeblin::commands
