// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/amplify/diffusion.hpp"
#include "doeblin/amplify/general_diffusion.hpp"
#include "doeblin/amplify/named_kernels.hpp"
#include "doeblin/amplify/projected_noise.hpp"
#include "doeblin/pipeline/kernel.hpp"
#include "doeblin/pipeline/noisy_sgd.hpp"
#include "doeblin/pipeline/pipeline.hpp"
#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/discrete_gaussian.hpp"
#include "doeblin/profile/discrete_laplace.hpp"
#include "doeblin/profile/finite.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/randomized_response.hpp"
#include "doeblin/profile/renyi_point.hpp"
#include "doeblin/profile/twice_laplace.hpp"

/// The algebra: gaussian({.sigma = 1.1}) | group(3) | compose(10). Each function lives in src/pipeline/stages, in the
/// file of its name, next to its entry for the expression language.
namespace doeblin::pipeline {

[[nodiscard]] Pipeline gaussian(const Gaussian& mechanism);
[[nodiscard]] Pipeline laplace(const Laplace& mechanism);
[[nodiscard]] Pipeline twice_laplace(const TwiceLaplace& mechanism);
[[nodiscard]] Pipeline randomized_response(double p);
[[nodiscard]] Pipeline discrete_gaussian(const DiscreteGaussian& mechanism);
[[nodiscard]] Pipeline discrete_laplace(const DiscreteLaplace& mechanism);
[[nodiscard]] Pipeline black_box(const BlackBox& mechanism);
[[nodiscard]] Pipeline gdp(double mu);
[[nodiscard]] Pipeline zcdp(double rho);
[[nodiscard]] Pipeline rdp(const RenyiPoint& point);
/// `name` is what the derivation calls it, for example the file it was read from.
[[nodiscard]] Pipeline finite(const FiniteMechanism& mechanism, const std::string& name);

/// Brownian motion and the Ornstein-Uhlenbeck process, started at the value.
[[nodiscard]] Pipeline brownian(double time, double sensitivity = 1.0);
[[nodiscard]] Pipeline ornstein_uhlenbeck(const DiffusionMechanism& mechanism);
/// Any symmetric diffusion of which the steepness kappa is known; C++ and Python only.
struct GeneralDiffusion {
  Steepness kappa;
  SteepnessShape shape;
  SteepnessOptions options = {};
};
[[nodiscard]] Pipeline diffusion(const Steepness& kappa, double time, const SteepnessShape& shape,
                                 const SteepnessOptions& options = {});
/// The released value runs on in the same diffusion.
[[nodiscard]] Stage evolve(double time);

[[nodiscard]] Stage group(double k);
[[nodiscard]] Stage compose(double k, const Settings& settings = {});

/// Each person takes part with probability `rate`, independently.
[[nodiscard]] Stage poisson(double rate, Relation relation = Relation::kAddRemove, const Settings& settings = {});
/// A uniformly random subset of m of the n people.
[[nodiscard]] Stage without_replacement(double n, double m, const Settings& settings = {});
/// m independent uniform draws from the n people.
[[nodiscard]] Stage with_replacement(double n, double m, Relation relation = Relation::kSubstitute,
                                     const Settings& settings = {});

/// One record of an iterative run, counted from 1.
[[nodiscard]] Stage person(double i);

/// Kernels that the output is sent through: known by a coefficient only,
[[nodiscard]] Kernel dobrushin(double gamma, double epsilon = 0.0);
[[nodiscard]] Kernel doeblin(double gamma);
[[nodiscard]] Kernel ultra_mixing(double gamma);
/// by their matrix,
[[nodiscard]] Kernel kernel(const FiniteKernel& matrix, const std::string& name, double steps = 1.0);
/// or by a formula.
[[nodiscard]] Kernel k_ary_response(const KAryResponse& response);
[[nodiscard]] Kernel binary_symmetric(double flip, double steps = 1.0);
[[nodiscard]] Kernel projected(const IntervalNoise& noise, double steps = 1.0);
[[nodiscard]] Kernel projected(const BallNoise& noise, double steps = 1.0);

/// What `first + second + ...` means.
[[nodiscard]] Evaluated composed(const std::vector<Guarantee>& parts, const Settings& settings = {});

}  // namespace doeblin::pipeline
