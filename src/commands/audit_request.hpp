// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/train_request.hpp"
#include "doeblin/core/settings.hpp"
#include "doeblin/language/program.hpp"
#include "doeblin/mechanism/pipeline.hpp"

namespace doeblin::commands {

/// An expression that is built: what it guarantees, and what it says.
struct BuiltExpression {
  pipeline::Pipeline pipeline;
  language::Program program;
};

/// What is asked of `audit`.
struct AuditRequest {
  /// What is run: one of an expression, written or built, a program and training.
  std::string expression = {};
  std::optional<BuiltExpression> built = std::nullopt;
  std::string command = {};
  std::optional<TrainRequest> train = std::nullopt;

  std::vector<std::string> inputs = {};
  std::size_t runs_per_call = 1;
  double timeout = 60.0;
  bool has_labels = false;
  /// From 1; 0: the last private record.
  std::size_t canary = 0;
  double noise_factor = 1.0;
  /// How the expression's own claim is computed, if it is written.
  Settings settings = {};

  /// What is claimed, where the expression or the training does not say it.
  std::optional<double> epsilon = std::nullopt;
  std::optional<double> delta = std::nullopt;
  std::string certificate = {};
  /// The certificate itself, where it is not read from the file of that name.
  std::string certificate_text = {};
  /// The claim is one of Gaussian DP.
  bool is_gaussian = false;

  std::uint64_t runs = 1'000'000;
  double confidence = 0.999;
  std::optional<std::uint64_t> insecure_seed = std::nullopt;
};

}  // namespace doeblin::commands
