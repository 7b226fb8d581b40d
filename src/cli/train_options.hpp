// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/settings_options.hpp"
#include "commands/train_request.hpp"

namespace doeblin::cli {

/// The options of a training run as they are written.
struct TrainOptions {
  using Texts = std::vector<std::string>;

  /// What needs no reading.
  commands::TrainRequest request;
  std::string split_by = "content", format, loss{training::standard_loss()->name}, domain = "ball", order = "fixed",
              release = "last", noise = "gaussian", relation;
  std::string classes, label_bounds, box;
  Texts loss_width, bounds, categorical, features, norm, intercept, radius, regularisation, learning_rate, batch,
      epochs, public_tail, epsilon, delta, sigma, test_fraction, checkpoint_every, memory, seed;
  SettingsOptions settings;

  /// Errors   InvalidArgument
  [[nodiscard]] commands::TrainRequest asked() const;
};

/// Adds the options that say what is run on which records, but for the target. They must stay where they are.
void add_run(CLI::App& command, TrainOptions& options);

}  // namespace doeblin::cli
