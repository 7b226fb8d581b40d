// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/settings_options.hpp"
#include "cli/train_question.hpp"

namespace doeblin::cli {

/// The options of a training run as they stand on the command line.
struct TrainOptions {
  using Texts = std::vector<std::string>;

  TrainQuestion question;
  std::string split_by = "content", format, loss = "logistic", domain = "ball", order = "fixed", release = "last",
              noise = "gaussian", relation;
  std::string classes, label_bounds, box;
  Texts loss_width, bounds, categorical, features, norm, intercept, radius, regularisation, learning_rate, batch,
      epochs, public_tail, epsilon, delta, sigma, test_fraction, checkpoint_every, memory, seed;
  SettingsOptions settings;
  bool json = false;

  /// Those that say what is run on which records, but for the target. They are about this object, which must stay where
  /// it is.
  void add_run_to(CLI::App& command);
  /// Errors   InvalidArgument
  [[nodiscard]] TrainQuestion asked() const;
};

}  // namespace doeblin::cli
