// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doeblin/pipeline/settings.hpp"
#include "doeblin/training/data_file.hpp"
#include "doeblin/training/descent_plan.hpp"

namespace doeblin::commands {

/// What the command line asks of `train`.
struct TrainQuestion {
  std::string data;
  /// Records in memory, instead.
  std::optional<training::Table> table = std::nullopt;
  std::optional<training::DataFormat> format = std::nullopt;
  training::EncodingRequest encoding;
  /// Everything but what is known only once the data is read: dimension, records, tasks.
  training::DescentRequest run;
  /// Either a target or the noise itself.
  std::optional<double> epsilon = std::nullopt;
  double delta = 1e-6;
  std::optional<double> sigma = std::nullopt;

  training::Split split;
  /// Records to measure on, beside those held out.
  std::string test_file;
  bool is_test_public = false;
  bool is_data_public = false;
  bool compares_without_noise = false;

  /// Empty: nothing is written there.
  std::string folder = "doeblin-run";
  /// Replace the model of an earlier run.
  bool is_forced = false;
  /// Where the certificate goes too, besides the folder; empty for nowhere.
  std::string certificate = {};
  std::string checkpoint;
  std::string key_file;
  double checkpoint_seconds = 30.0;
  training::StorageLimits limits;
  std::optional<std::uint64_t> insecure_seed = std::nullopt;
  pipeline::Settings settings;
};

}  // namespace doeblin::commands
