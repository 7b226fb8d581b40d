// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "doeblin/core/grid_release.hpp"
#include "doeblin/iteration/noisy_sgd.hpp"
#include "doeblin/pipeline/calibration.hpp"
#include "doeblin/training/domain.hpp"
#include "doeblin/training/loss.hpp"

/// The one description of a training run that drives both the algorithm and its guarantee.
namespace doeblin::training {

/// What is asked for; everything in it is public.
struct DescentRequest {
  Loss loss;
  Domain domain;
  /// rho: the objective has the term rho |w|^2/2, which does not depend on the data.
  double regularisation = 0.0;
  RecordBounds bounds{1.0, 1.0};
  std::size_t dimension = 1;
  bool is_sparse = false;
  double records = 1.0;
  /// 0: see standard_learning_rate().
  double learning_rate = 0.0;
  double batch = 1.0;
  double epochs = 1.0;
  pipeline::RecordSequence order = pipeline::RecordSequence::kFixed;
  pipeline::RunOutput output = pipeline::RunOutput::kLast;
  pipeline::NoiseLaw noise = pipeline::NoiseLaw::kGaussian;
  /// Empty: exchanging a record, or leaving one out, its place being kept, for Poisson batches. The number of records
  /// sets the steps and the rate of sampling, so it is public: no guarantee about adding a record is given.
  std::optional<Relation> relation = std::nullopt;
  double public_tail = 0.0;
  /// How many parameter vectors are learnt: one for each class against the rest, unless there are only two classes.
  ///
  /// All have the same batches, and nothing else in common: together they are one run in as many times the dimension,
  /// in which a record moves a step by sqrt(tasks) times as much, on a domain that is sqrt(tasks) times as wide (I13).
  double tasks = 1.0;
};

/// Noise is drawn exactly, on a grid: before it is added a coordinate is rounded to a multiple of 2^exponent.
struct NoiseGrid {
  int exponent;
  /// Parameter of the discrete law, in steps of the grid.
  double noise;
  /// Coordinates beyond this are clipped before the projection; no step of the grid is lost up to here.
  double reach;
};

struct DescentPlan {
  DescentRequest request;
  LossConstants constants;
  /// What the guarantee is about, all tasks together. Its noise is exact, normal or Laplace, and a little smaller than
  /// what is drawn.
  pipeline::NoisySgd privacy;
  NoiseGrid grid;
};

/// A learning rate that depends on nothing private: what the bound on the loss of a run with T steps and noise sigma is
/// smallest at (I12), or 2/(smoothness + 2 rho), where a step contracts most, if that is less. Three digits.
///
/// Formula  D/sqrt(T (L^2 + d sigma^2))
[[nodiscard]] double standard_learning_rate(const DescentRequest& request, double sigma);

/// The run with noise sigma on the mean gradient.
///
/// Bound    of `privacy`, which allows each computed step to be off by privacy.rounding: see docs/guides/training.md.
///          The constants of the loss are derived, not asked for
/// Errors   InvalidArgument when the request makes no sense, or doubles are too coarse for so little noise
[[nodiscard]] DescentPlan plan_descent(const DescentRequest& request, double sigma);

/// The run with the least noise that meets the target for the worst private record, by I7 and its relatives.
[[nodiscard]] DescentPlan calibrated_descent(
    const DescentRequest& request, const pipeline::Target& target, const Settings& settings = {},
    const std::function<void(int)>& progress = [](int) {});

/// How far apart computing one step may move two runs, in units of its noise.
///
/// Formula  (2 (eta e + 8 u (R + eta (L + rho R)) + sqrt(d) h/2 + max(1, c) p) + (sqrt(d) + 2) h)/s, where e is the
///          error of a computed mean gradient, h the step of the grid, p the error of the projection, u = 2^-53
/// Bound    from above; for several tasks sqrt(tasks) times that of one
[[nodiscard]] double rounding_of(const DescentPlan& plan);

}  // namespace doeblin::training
