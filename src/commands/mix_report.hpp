// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doeblin/mechanism/pipeline.hpp"
#include "doeblin/mixing/kernel.hpp"
#include "doeblin/mixing/kernel_coefficients.hpp"

namespace doeblin::commands {

/// What `mix` is asked.
struct MixQuestion {
  std::string kernel;     ///< kernels in a row, or a file
  std::string mechanism;  ///< an expression; empty for a black box with the epsilon and delta below
  double epsilon = 1.0;
  double delta = 1e-6;
  std::vector<double> curve;  ///< where to evaluate the (gamma, epsilon)-Dobrushin coefficient
  double steps = 16.0;        ///< how many to tabulate
  /// Where the number of steps is asked for.
  std::optional<double> target_epsilon;
  std::optional<double> target_delta;

  void validate() const;
};

/// The (gamma, epsilon)-Dobrushin coefficient at one epsilon; states only for matrices.
struct MixCoefficient {
  double epsilon;
  PairCoefficient found;
};

/// One rule applied to the mechanism.
struct MixEffect {
  std::string name;
  std::string source = {};
  std::optional<Bracket> delta = {};    ///< at the epsilon asked for
  std::optional<Bracket> epsilon = {};  ///< at the delta asked for
  std::string reason = {};              ///< why there is none
};

/// The kernel applied several times.
struct MixSteps {
  double steps;
  Bracket dobrushin;
  Bracket delta;
  Bracket epsilon;
  /// What the power of the first step's Dobrushin coefficient would give.
  double delta_by_power;
};

struct MixReport {
  MixQuestion question;
  pipeline::Kernel kernel;
  pipeline::Pipeline mechanism;
  std::vector<MixCoefficient> curve = {};  ///< the first one at 0
  std::optional<DoeblinCoefficient> doeblin = {};
  Bracket ultra_level = {};
  std::optional<UltraMixingCoefficient> ultra = {};
  Bracket delta_before = {};
  Bracket epsilon_before = {};
  std::vector<MixEffect> effects = {};
  std::vector<MixSteps> steps = {};
  /// The smallest number of steps found to meet the target; infinite if none was.
  std::optional<double> steps_to_target = {};
};

[[nodiscard]] MixReport mix_report(const MixQuestion& question);
/// The same for a kernel and a mechanism that are at hand; the question has what they are called.
[[nodiscard]] MixReport mix_report(const MixQuestion& question, const pipeline::Kernel& kernel,
                                   const pipeline::Pipeline& mechanism);

/// What comes before the kernel.
[[nodiscard]] pipeline::Pipeline mechanism_before(const MixQuestion& question);

[[nodiscard]] std::string text_mix(const MixReport& report);
[[nodiscard]] std::string json_mix(const MixReport& report);
/// Epsilon and delta against the number of steps.
[[nodiscard]] std::string mix_svg(const MixReport& report);

}  // namespace doeblin::commands
