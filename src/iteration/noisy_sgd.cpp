// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/noisy_sgd.hpp"

#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/iteration/gradient_step.hpp"
#include "doeblin/numerics/elementary.hpp"

namespace doeblin::pipeline {
namespace {

constexpr double kMostRecords = 1e9;
constexpr double kMostUses = 1e7;
constexpr double kMostSteps = 1e9;

}  // namespace

std::size_t NoisySgd::steps() const {
  for (const auto* list : {&schedule.learning_rate, &schedule.sigma, &schedule.lipschitz, &schedule.batch})
    if (!list->empty()) return list->size();
  // Every batch is full: the last one starts again at the first record if need be.
  const auto places = static_cast<std::size_t>(n) * static_cast<std::size_t>(epochs);
  const auto size = static_cast<std::size_t>(batch);
  return (places + size - 1) / size;
}

std::string NoisySgd::hidden_choice() const {
  if (order == RecordSequence::kPermuted) return "the hidden order of the records";
  if (order == RecordSequence::kPoisson) return "the hidden choice of the batches";
  if (output == RunOutput::kUniformStop) return "the hidden number of steps";
  if (output == RunOutput::kSkip) return "the hidden number of records left out";
  return "";
}

double NoisySgd::linear_share() const {
  if (dimension > 0.0 || !schedule.empty() || noise != NoiseLaw::kGaussian || !(lipschitz > 0.0)) return 0.0;
  if (strong_convexity == 0.0) return 1.0;
  const Bracket taken = Bracket(strong_convexity) * diameter / (2.0 * Bracket(lipschitz));
  return std::max(0.0, rounding::sub_down(1.0, taken.upper()));
}

Bracket NoisySgd::joint_scale() const { return draws_are_shared ? numerics::sqrt(Bracket(tasks)) : Bracket(1.0); }

void NoisySgd::validate() const {
  const auto require_integer = [](const char* parameter, double value, double low, double high) {
    require_whole(parameter, value, low, high,
                  fmt::format("an integer, {} <= {} <= {}", format_exact(low), parameter, format_exact(high)));
  };
  require_integer("n", n, 1.0, kMostRecords);
  require_integer("batch", batch, 1.0, n);
  require_integer("epochs", epochs, 1.0, kMostUses);
  require_integer("public_tail", public_tail, 0.0, n - 1.0);
  require_integer("tasks", tasks, 1.0, 0x1p53);
  require_integer("dimension", dimension, 0.0, 0x1p53);
  require(diameter > 0.0, "diameter", diameter, "diameter > 0");
  require(rounding >= 0.0 && rounding <= 1.0, "rounding", rounding, "0 <= rounding <= 1");
  if (schedule.empty()) {
    require(n * epochs / batch <= kMostSteps, "n * epochs / batch", n * epochs / batch, "at most 1e9 steps");
    GradientStep{learning_rate, sigma, lipschitz, batch}.validate();
    static_cast<void>(gradient_lipschitz(learning_rate, smoothness, strong_convexity));
  } else {
    const std::size_t length = steps();
    for (const auto* list : {&schedule.learning_rate, &schedule.sigma, &schedule.lipschitz, &schedule.batch})
      if (!list->empty() && list->size() != length)
        throw InvalidArgument("schedule", fmt::format("lists of {} and {} steps", length, list->size()),
                              "lists of the same length");
    for (const double size : schedule.batch) require_integer("batch", size, 1.0, n);
    require(epochs == 1.0, "epochs", epochs, "1 with a schedule: its length is the number of steps");
    if (output != RunOutput::kLast || order != RecordSequence::kFixed)
      throw InvalidArgument("schedule", "with a random order or output", "order='fixed', output='last'");
  }
  if (output != RunOutput::kLast) {
    require(epochs == 1.0, "epochs", epochs, "1 unless output='last'");
    if (order != RecordSequence::kFixed)
      throw InvalidArgument("output", "with order other than 'fixed'", "output='last', or order='fixed'");
    require(std::fmod(n, batch) == 0.0, "batch", batch, "a divisor of n unless output='last'");
  }
  if (order == RecordSequence::kPermuted && public_tail > 0.0)
    throw InvalidArgument("public_tail", public_tail, "0 with order='permuted'");
  if (draws_are_shared && hidden_choice().empty())
    throw InvalidArgument("draws", "'shared'", "a random order or output, of which something is drawn");
  if (draws_are_shared && noise != NoiseLaw::kGaussian) throw InvalidArgument("draws", "'shared'", "noise='gaussian'");
  const bool is_poisson = order == RecordSequence::kPoisson;
  if (relation != Relation::kZeroOut && relation != (is_poisson ? Relation::kAddRemove : Relation::kSubstitute))
    throw InvalidArgument(
        "relation", fmt::format("'{}'", doeblin::name(relation)),
        is_poisson ? "'add_remove' or 'zero_out' with order='poisson'" : "'substitute' or 'zero_out' with this order");
  for (std::size_t k = 0; k < checkpoints.size(); ++k)
    if (checkpoints[k] < 1 || checkpoints[k] > steps() || (k > 0 && checkpoints[k] <= checkpoints[k - 1]))
      throw InvalidArgument("checkpoints", static_cast<double>(checkpoints[k]),
                            fmt::format("increasing steps from 1 to {}", steps()));
  if (!checkpoints.empty() &&
      (output != RunOutput::kLast || order != RecordSequence::kFixed || noise != NoiseLaw::kGaussian))
    throw InvalidArgument("checkpoints", "with a random order or output, or Laplace noise",
                          "order='fixed', output='last', noise='gaussian'");
}

}  // namespace doeblin::pipeline
