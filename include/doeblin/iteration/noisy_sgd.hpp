// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doeblin/core/run_analysis.hpp"
#include "doeblin/core/words.hpp"
#include "doeblin/language/program.hpp"
#include "doeblin/language/schedule_file.hpp"
#include "doeblin/mechanism/pipeline.hpp"

namespace doeblin::pipeline {

/// In which order the records are used.
enum class RecordSequence {
  kFixed,     ///< 1, 2, ..., n, and again
  kPermuted,  ///< in a uniformly random order that stays hidden
  kPoisson,   ///< every batch takes each record with probability batch/n
};

inline constexpr auto kRecordSequences = words<RecordSequence>({{"fixed", RecordSequence::kFixed},
                                                                {"permuted", RecordSequence::kPermuted},
                                                                {"poisson", RecordSequence::kPoisson}});

/// Which state is released.
enum class RunOutput {
  kLast,
  kUniformStop,  ///< after a uniformly random number of steps
  kSkip,         ///< the last, after leaving out a random number of up to half of the first records
};

inline constexpr auto kRunOutputs = words<RunOutput>(
    {{"last", RunOutput::kLast}, {"uniform_stop", RunOutput::kUniformStop}, {"skip", RunOutput::kSkip}});

enum class NoiseLaw { kGaussian, kLaplace };

inline constexpr auto kNoiseLaws =
    words<NoiseLaw>({{"gaussian", NoiseLaw::kGaussian}, {"laplace", NoiseLaw::kLaplace}});

/// The relations that a run can be about.
inline constexpr auto kRunRelations =
    kRelations.only({Relation::kSubstitute, Relation::kZeroOut, Relation::kAddRemove});

using language::Schedule;

/// Noisy projected stochastic gradient descent, w <- Pi(w - eta (mean gradient of the batch + noise)); only one state
/// is released. The batches follow one another through the records, and from n on start again at 1.
struct NoisySgd {
  double n = 1.0;
  double learning_rate = 0.0;
  double sigma = 0.0;      ///< scale of the noise on the mean gradient
  double lipschitz = 0.0;  ///< bound on the gradient of one record
  double smoothness = 0.0;
  double strong_convexity = 0.0;
  double diameter = rounding::kInfinity;  ///< of the convex set projected onto
  double batch = 1.0;
  double epochs = 1.0;
  RecordSequence order = RecordSequence::kFixed;
  RunOutput output = RunOutput::kLast;
  NoiseLaw noise = NoiseLaw::kGaussian;
  Relation relation = Relation::kSubstitute;  ///< or kZeroOut; for Poisson batches kAddRemove or kZeroOut
  double public_tail = 0.0;                   ///< the last records, this many, are public
  double tasks = 1.0;                         ///< runs on the same records, each with noise of its own
  /// All tasks use the same random order, stopping time or batches; otherwise each draws its own.
  bool draws_are_shared = false;
  RunAnalysis analysis = RunAnalysis::kBest;
  std::vector<std::size_t> checkpoints = {};  ///< steps whose states are released too
  /// In units of a step's noise: how much further apart two runs may come by computing a step in doubles.
  double rounding = 0.0;
  double dimension = 0.0;  ///< of the parameter; 0 if unknown, needed only to predict the loss
  Schedule schedule = {};

  /// Throws InvalidArgument.
  void validate() const;
  /// How many steps the run has.
  [[nodiscard]] std::size_t steps() const;
  /// What is drawn at random and kept hidden besides the noise, in words; empty if nothing is.
  [[nodiscard]] std::string hidden_choice() const;
  /// Tasks that share their draws are one run in a space of tasks times as many dimensions: records move it, and its
  /// domain reaches, sqrt(tasks) times as far (I21). 1 otherwise.
  [[nodiscard]] Bracket joint_scale() const;
  /// What the regulariser leaves of the bound on gradients to a linear loss on a ball of the diameter, 1 - rho D/(2 L), from
  /// below. 0 where examples in very many dimensions are none: the dimension is known, or constants change.
  [[nodiscard]] double linear_share() const;
};

/// The run that a call of noisy_sgd, every argument filled in, describes.
/// Errors   InvalidArgument
[[nodiscard]] NoisySgd noisy_sgd_of(const language::Call& call);

/// The guarantee of the least protected record, unless `| person(i)` follows.
[[nodiscard]] Pipeline noisy_sgd(const NoisySgd& run, const Settings& settings = {});

/// The run as a call of noisy_sgd: noisy_sgd_of(call_of(run)) is the run.
[[nodiscard]] language::Call call_of(const NoisySgd& run);

/// Maps with noise one after another, X_t = Pi(psi_t(X_{t-1}) + Z_t); only the last state is released.
struct NoisyIteration {
  double steps = 1.0;
  double sigma = 1.0;        ///< scale of the noise of one step
  double sensitivity = 1.0;  ///< how far neighbours' maps are apart in affected steps
  double lipschitz = 1.0;    ///< of every map
  std::vector<std::size_t> affected = {1};
  double diameter = rounding::kInfinity;
  NoiseLaw noise = NoiseLaw::kGaussian;
  RunAnalysis analysis = RunAnalysis::kBest;

  /// Throws InvalidArgument.
  void validate() const;
};

[[nodiscard]] Pipeline noisy_iteration(const NoisyIteration& iteration, const Settings& settings = {});

}  // namespace doeblin::pipeline
