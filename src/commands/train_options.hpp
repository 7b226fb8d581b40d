// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "commands/settings.hpp"
#include "commands/train_question.hpp"

namespace doeblin::commands {

/// The options of a training run as they are written.
struct TrainOptions {
  using Texts = std::vector<std::string>;

  TrainQuestion question;
  std::string split_by = "content", format, loss{training::standard_loss()->name}, domain = "ball", order = "fixed",
              release = "last", noise = "gaussian", relation;
  std::string classes, label_bounds, box;
  Texts loss_width, bounds, categorical, features, norm, intercept, radius, regularisation, learning_rate, batch,
      epochs, public_tail, epsilon, delta, sigma, test_fraction, checkpoint_every, memory, seed;
  SettingsOptions settings;

  /// Errors   InvalidArgument
  [[nodiscard]] TrainQuestion asked() const;
};

}  // namespace doeblin::commands
