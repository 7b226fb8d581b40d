// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doeblin/core/settings.hpp"
#include "doeblin/training/data_file.hpp"
#include "doeblin/training/descent_plan.hpp"

namespace doeblin::commands {

/// What is asked of `train`. What is left out gets its value from completed().
struct TrainRequest {
  std::string data = {};
  /// Records in memory, instead.
  std::optional<training::Table> table = std::nullopt;
  std::optional<training::DataFormat> format = std::nullopt;
  /// Its norm and its intercept are those below.
  training::EncodingRequest encoding = {};
  std::optional<double> norm = std::nullopt;
  /// As large as the norm.
  std::optional<double> intercept = std::nullopt;

  /// Everything but what is known only once the data is read (dimension, records, tasks), and what is below.
  training::DescentRequest run = {};
  std::optional<double> loss_width = std::nullopt;
  /// The size of the domain: of a box the one, of anything else the other.
  std::optional<training::Bounds> box = std::nullopt;
  std::optional<double> radius = std::nullopt;
  /// Chosen from public numbers.
  std::optional<double> learning_rate = std::nullopt;
  /// Either a target or the noise itself.
  std::optional<double> epsilon = std::nullopt;
  double delta = 1e-6;
  std::optional<double> sigma = std::nullopt;

  training::Split split = {};
  /// Records to measure on, beside those held out.
  std::string test_file = {};
  bool is_test_public = false;
  bool is_data_public = false;
  bool compares_without_noise = false;

  /// Empty: nothing is written there.
  std::string folder = "doeblin-run";
  /// Replace the model of an earlier run.
  bool is_forced = false;
  /// Where the certificate goes too, besides the folder; empty for nowhere.
  std::string certificate = {};
  std::string checkpoint = {};
  std::string key_file = {};
  double checkpoint_seconds = 30.0;
  training::StorageLimits limits = {};
  /// Instead of the limit above, in GiB.
  std::optional<double> memory = std::nullopt;
  std::optional<std::uint64_t> insecure_seed = std::nullopt;
  Settings settings = {};
};

/// The request with everything filled in that was left out: in `encoding`, `run` and `limits`.
/// Errors   InvalidArgument for what is missing, makes no sense, or does not go together
[[nodiscard]] TrainRequest completed(const TrainRequest& asked);

/// Enumerations under the names that options have.
/// Errors   InvalidArgument that lists them
[[nodiscard]] pipeline::RecordSequence order_named(const std::string& text);
[[nodiscard]] pipeline::RunOutput output_named(const std::string& text);
[[nodiscard]] pipeline::NoiseLaw noise_named(const std::string& text);
[[nodiscard]] Relation relation_named(const std::string& text);
/// Whether records are held out by their position in the file, not by their content.
[[nodiscard]] bool is_split_by_position(const std::string& text);

}  // namespace doeblin::commands
