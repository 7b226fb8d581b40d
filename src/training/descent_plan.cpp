// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/descent_plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/rounding.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/iteration/gradient_step.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/numerics/theta.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/training/records.hpp"
#include "training/vector_kernels.hpp"

namespace doeblin::training {
namespace {

using pipeline::NoiseLaw;
using pipeline::RecordSequence;
using rounding::kUnit;

// Computed states lie outside of the domain by no more than this share of its radius.
constexpr double kOutside = 0x1p-20;
// What rounding may cost is settled before the noise is known: the first of these that proves enough.
constexpr double kRoundings[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5};
// Discrete noise is compared with normal noise of this variance less, in steps of the grid (catalogue D6).
constexpr double kSmoothing = 100.0;
// The noise has at least 2^20 steps; the reach leaves room for at most 2^46.
constexpr int kFewestBits = 20;
// A coordinate and its noise are whole numbers of steps below 2^51: nothing is lost when they are added.
constexpr int kReachBits = 51;

// Good enough to choose a learning rate.
constexpr AccuracyGoal kRoughly{.epsilon_width = 0.05, .epsilon_relative_width = 0.05, .delta_width = 0.2};

double bounded_radius(const DescentRequest& request) {
  return (Bracket(request.domain.radius(request.dimension)) * (1.0 + kOutside)).upper();
}

LossConstants derived_constants(const DescentRequest& request) {
  return constants_of(request.loss, request.bounds, bounded_radius(request));
}

pipeline::NoisySgd run_of(const DescentRequest& request, const LossConstants& constants, double sigma,
                          double rounding) {
  pipeline::NoisySgd run;
  run.n = request.records;
  run.learning_rate = request.learning_rate;
  run.sigma = sigma;
  const Bracket together = numerics::sqrt(Bracket(request.tasks));
  run.lipschitz = (together * constants.lipschitz).upper();
  run.smoothness = rounding::add_up(constants.smoothness, request.regularisation);
  run.strong_convexity = request.regularisation;
  run.diameter = (together * request.domain.diameter(request.dimension)).upper();
  run.batch = request.batch;
  run.epochs = request.epochs;
  run.order = request.order;
  run.output = request.output;
  run.noise = request.noise;
  run.relation =
      request.relation.value_or(request.order == RecordSequence::kPoisson ? Relation::kZeroOut : Relation::kSubstitute);
  run.public_tail = request.public_tail;
  run.rounding = rounding;
  run.dimension = static_cast<double>(request.dimension) * request.tasks;
  return run;
}

void validate(const DescentRequest& request) {
  request.domain.validate(request.dimension);
  request.loss.validate();
  require(request.regularisation >= 0.0 && request.regularisation <= 1e100, "regularisation", request.regularisation,
          "0 <= regularisation <= 1e100");
  require(request.learning_rate >= 0.0 && std::isfinite(request.learning_rate), "learning_rate", request.learning_rate,
          "0 < learning_rate < infinity");
  if (request.relation == Relation::kAddRemove)
    throw InvalidArgument("relation", "'add_remove'",
                          "'zero_out' or 'substitute': the number of records sets the steps and the rate of sampling, "
                          "and is no secret");
  require_whole("tasks", request.tasks, 1.0, 1e6);
  if (request.noise == NoiseLaw::kLaplace)
    require(request.dimension == 1 && request.tasks == 1.0, "parameters",
            static_cast<double>(request.dimension) * request.tasks, "a single one for Laplace noise");
}

// The exponent of the smallest power of two that is at least x.
int exponent_above(double x) {
  const int exponent = std::ilogb(x);
  return std::ldexp(1.0, exponent) >= x ? exponent : exponent + 1;
}

Bracket noise_of(const pipeline::NoisySgd& run) {
  return GradientStep{run.learning_rate, run.sigma, run.lipschitz, run.batch}.noise();
}

// Of one of the tasks.
NoiseGrid grid_of(const DescentRequest& request, const LossConstants& constants, const pipeline::NoisySgd& run) {
  const double scale = noise_of(run).upper();
  const double radius = bounded_radius(request);
  // Where a step can lead before and after the noise, but for noise that is never seen. Poisson batches may be larger.
  const double moved = run.learning_rate * (constants.lipschitz * (run.order == RecordSequence::kPoisson ? 8.0 : 1.0) +
                                            request.regularisation * radius);
  const int reach = exponent_above(2.0 * (radius + moved) + 64.0 * scale);
  const int exponent = reach - kReachBits;
  const Bracket steps = noise_of(run) / std::ldexp(1.0, exponent);
  require(steps.lower() >= std::ldexp(1.0, kFewestBits), "sigma", run.sigma,
          "more noise: doubles are too coarse for it next to this domain");
  // s^2 - 100 h^2 is at least the variance that the guarantee is about.
  const double noise =
      request.noise == NoiseLaw::kGaussian ? numerics::sqrt(steps * steps + kSmoothing).upper() : steps.upper();
  return {exponent, noise, std::ldexp(1.0, reach)};
}

// About how much noise a target needs, to begin the search at: of the Gaussian mechanism for one use, or for Poisson
// batches what makes mu = q sqrt(T (e^{jump^2} - 1)) the level of the target.
double guessed_sigma(const pipeline::NoisySgd& run, const pipeline::Target& target) {
  // The Gaussian level of the target.
  const auto meets = [&](double mu) {
    return numerics::theta(target.epsilon, numerics::Wide(mu)).upper() <= target.delta;
  };
  const double level =
      numerics::narrowed<double>({.safe = 1e-9, .unsafe = 1e3}, meets, numerics::LogHalving{.steps = 60}).safe;
  double jump = level;
  if (run.order == RecordSequence::kPoisson) {
    const double rate = run.batch / run.n;
    jump = std::sqrt(std::log1p(level * level / (rate * rate * static_cast<double>(run.steps()))));
  }
  const double moved = (run.relation == Relation::kSubstitute ? 2.0 : 1.0) * run.lipschitz / run.batch;
  return std::clamp(moved / jump, 1e-9, 1e9);
}

// A tenth of a percent more noise than needed does not matter.
pipeline::CalibrationSearch search_from(double sigma) {
  return {.guess = sigma, .first_factor = 1.25, .delta_width = 0.01};
}

DescentRequest with_standard_rate(DescentRequest request, double sigma) {
  request.learning_rate = standard_learning_rate(request, sigma);
  return request;
}

}  // namespace

double standard_learning_rate(const DescentRequest& request, double sigma) {
  const LossConstants constants = derived_constants(request);
  double most = 2.0 / (constants.smoothness + 2.0 * request.regularisation);
  // Poisson batches are sometimes larger than expected, and then more curved (I18).
  if (request.order == RecordSequence::kPoisson) most /= 1.0 + 10.0 / std::sqrt(request.batch);
  pipeline::NoisySgd run = run_of(request, constants, 1.0, 0.0);
  // For the number of steps only.
  run.learning_rate = 1.0;
  run.validate();
  const double square =
      constants.lipschitz * constants.lipschitz + static_cast<double>(request.dimension) * sigma * sigma;
  const double best = request.domain.diameter(request.dimension) / std::sqrt(static_cast<double>(run.steps()) * square);
  const double rate = std::min(best, most);
  require(rate > 0.0 && std::isfinite(rate), "learning_rate", rate, "a learning rate, since none can be derived");
  // Three digits, rounded down, as the nearest double to their text.
  const int exponent = static_cast<int>(std::floor(std::log10(rate))) - 2;
  return nearest_double(fmt::format("{}e{}", std::floor(rate * std::pow(10.0, -exponent)), exponent));
}

double rounding_of(const DescentPlan& plan) {
  const DescentRequest& request = plan.request;
  const pipeline::NoisySgd& run = plan.privacy;
  const auto d = static_cast<double>(request.dimension);
  const Bracket root = numerics::sqrt(Bracket(d));
  const Bracket radius(bounded_radius(request));
  const Bracket norm(request.bounds.feature_norm);
  const Bracket eta(run.learning_rate);
  const double h = std::ldexp(1.0, plan.grid.exponent);
  const double shards = static_cast<double>(kShards);
  // Of an inner product: the roundings on the way of one term.
  const Bracket prediction =
      Bracket((request.is_sparse ? d : d / static_cast<double>(kDotSums)) + 8.0) * kUnit * norm * radius;
  const Bracket slope = plan.constants.curvature * prediction + Bracket(kDerivativeError) * plan.constants.slope;
  // How many records a batch has, as a multiple of what its sum is divided by, and how many of them one shard.
  const bool is_poisson = run.order == RecordSequence::kPoisson;
  const Bracket share = is_poisson ? Bracket(run.n) / run.batch : Bracket(1.0);
  const double in_shard = is_poisson                               ? run.n / shards + 1.0
                          : run.order == RecordSequence::kPermuted ? run.batch
                                                                   : run.batch / shards + 2.0;
  const Bracket summed = Bracket(in_shard + 8.0) * kUnit * plan.constants.lipschitz;
  const Bracket gradient = share * (norm * slope + summed);
  const Bracket largest = radius + eta * (share * plan.constants.lipschitz + request.regularisation * radius);
  const Bracket error = eta * gradient + 8.0 * kUnit * largest;
  const Bracket expansion =
      max(Bracket(1.0), gradient_lipschitz(run.learning_rate, run.smoothness, run.strong_convexity)) +
      (is_poisson ? eta * share * run.smoothness : Bracket(0.0));
  const double outside = request.domain.projection_error(request.dimension, plan.grid.reach);
  if (outside > kOutside * request.domain.radius(request.dimension)) return rounding::kInfinity;
  const Bracket projection = expansion * outside;
  // With a factor for the products of such errors.
  return (1.0 + 1e-6) * (numerics::sqrt(Bracket(request.tasks)) *
                         (2.0 * (error + root * h / 2.0 + projection) + (root + 2.0) * h) / noise_of(run))
                            .upper();
}

namespace {

language::Program with_open_sigma(const pipeline::NoisySgd& run) {
  language::Program program{.call = call_of(run)};
  for (auto& [parameter, value] : program.call.arguments)
    if (parameter == "sigma") value = language::Hole{};
  return program;
}

}  // namespace

DescentPlan plan_descent(const DescentRequest& asked, double sigma) {
  validate(asked);
  require(sigma > 0.0 && std::isfinite(sigma), "sigma", sigma, "0 < sigma < infinity");
  const DescentRequest request = asked.learning_rate > 0.0 ? asked : with_standard_rate(asked, sigma);
  const LossConstants constants = derived_constants(request);
  DescentPlan plan{request, constants, run_of(request, constants, sigma, 0.0), {}};
  plan.privacy.validate();
  plan.grid = grid_of(request, constants, plan.privacy);
  const double needed = rounding_of(plan);
  for (const double rounding : kRoundings)
    if (needed <= rounding) {
      plan.privacy.rounding = rounding;
      return plan;
    }
  throw InvalidArgument("sigma", sigma, "more noise: rounding in doubles would matter next to it");
}

DescentPlan calibrated_descent(const DescentRequest& asked, const pipeline::Target& target, const Settings& settings,
                               const std::function<void(int)>& progress) {
  validate(asked);
  DescentRequest request = asked;
  const LossConstants constants = derived_constants(request);
  std::optional<double> guess;
  if (request.learning_rate == 0.0) {
    // The noise at one learning rate tells how large a better one is.
    request = with_standard_rate(request, 0.0);
    const pipeline::NoisySgd run = run_of(request, constants, 1.0, 0.0);
    const language::Program open = with_open_sigma(run);
    Settings rough = settings;
    rough.goal = kRoughly;
    guess = pipeline::calibrate(open, target, rough, progress, search_from(guessed_sigma(run, target))).value;
    request = with_standard_rate(request, *guess);
  }
  for (const double rounding : kRoundings) {
    pipeline::NoisySgd run = run_of(request, constants, 1.0, rounding);
    run.validate();
    const language::Program open = with_open_sigma(run);
    const double sigma =
        pipeline::calibrate(open, target, settings, progress, search_from(guess.value_or(guessed_sigma(run, target))))
            .value;
    guess = sigma;
    DescentPlan plan = plan_descent(request, sigma);
    // What was allowed for rounding is what the guarantee keeps.
    if (plan.privacy.rounding > rounding) continue;
    plan.privacy.rounding = rounding;
    return plan;
  }
  throw InternalError("broken invariant: a plan was made with a rounding that is not listed");
}

}  // namespace doeblin::training
