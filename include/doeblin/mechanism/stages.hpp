// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/mechanism/pipeline.hpp"
#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/discrete_gaussian.hpp"
#include "doeblin/profile/discrete_laplace.hpp"
#include "doeblin/profile/finite.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/randomized_response.hpp"
#include "doeblin/profile/renyi_point.hpp"
#include "doeblin/profile/tcdp.hpp"
#include "doeblin/profile/twice_laplace.hpp"

/// Noise, black boxes and groups. Each function stands in src/mechanism/stages, in the file of its name, beside its maker for the expression language.
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
[[nodiscard]] Pipeline tcdp(const TruncatedCdp& level);
[[nodiscard]] Pipeline rdp(const RenyiPoint& point);
/// `name` is what the derivation calls the matrix, for example the file it was read from.
[[nodiscard]] Pipeline finite(const FiniteMechanism& mechanism, const std::string& name);

/// k people at once.
[[nodiscard]] Stage group(double k);

/// One record of an iterative run, counted from 1.
[[nodiscard]] Stage person(double i);

}  // namespace doeblin::pipeline
