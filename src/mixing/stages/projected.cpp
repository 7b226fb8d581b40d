// SPDX-License-Identifier: Apache-2.0
#include "mixing/stages/projected.hpp"

#include <cmath>

#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {
namespace {

const char* name_of(ProjectedLaw law) {
  return law == ProjectedLaw::kGaussian ? "projected_gaussian" : "projected_laplace";
}

const char* statement_of(ProjectedLaw law, double steps, bool is_interval) {
  if (steps == 1.0 && is_interval)
    return "kappa of one step, exact over the maps and the points: thresholds in the interval, means in their range";
  if (steps == 1.0)
    return law == ProjectedLaw::kGaussian ? "kappa <= theta(2 lipschitz radius/sigma): projecting is post-processing"
                                          : "kappa of a locally (2 lipschitz radius/sigma)-private kernel";
  if (law == ProjectedLaw::kGaussian)
    return "kappa of the best partition into blocks: theta of a block's Gaussian level, from the largest distance (I7)";
  return "kappa of the steps one after another";
}

Kernel projected_kernel(const IntervalNoise& noise, double steps) {
  const bool has_range = std::isfinite(noise.mean_low) || std::isfinite(noise.mean_high);
  Kernel kernel{
      .statement = statement_of(noise.law, steps, true),
      .assumptions = {checked("the input is projected to [low, high] first"),
                      asserted("each step applies a Lipschitz map, adds fresh noise, projects to [low, high]")},
      .bound = interval_kernel(noise, steps)};
  if (has_range) kernel.assumptions.push_back(asserted("the maps' values lie in [mean_low, mean_high]"));
  kernel.power = [noise, steps](double times) { return projected_kernel(noise, steps * times); };
  return kernel;
}

Kernel projected_kernel(const BallNoise& noise, double steps) {
  Kernel kernel{.statement = statement_of(noise.law, steps, false),
                .assumptions = {checked("the input is projected to the ball first"),
                                asserted("each step applies a Lipschitz map, adds fresh noise, projects to the ball")},
                .bound = ball_kernel(noise, steps)};
  kernel.power = [noise, steps](double times) { return projected_kernel(noise, steps * times); };
  return kernel;
}

}  // namespace

Kernel projected(const IntervalNoise& noise, double steps) {
  Kernel kernel = projected_kernel(noise, steps);
  kernel.program = language::Program{.call = language::call_of(name_of(noise.law), {{"sigma", noise.scale},
                                                                                    {"low", noise.low},
                                                                                    {"high", noise.high},
                                                                                    {"lipschitz", noise.lipschitz},
                                                                                    {"steps", steps},
                                                                                    {"mean_low", noise.mean_low},
                                                                                    {"mean_high", noise.mean_high}})};
  return kernel;
}

Kernel projected(const BallNoise& noise, double steps) {
  Kernel kernel = projected_kernel(noise, steps);
  // Calls have no ball that is a point.
  if (noise.radius == 0.0) return kernel;
  kernel.program = language::Program{
      .call = language::call_of(
          name_of(noise.law),
          {{"sigma", noise.scale}, {"lipschitz", noise.lipschitz}, {"steps", steps}, {"radius", noise.radius}})};
  return kernel;
}

Monotone projected_limits(const Parameter& parameter, const Call& arguments) {
  const double mean_low = arguments.number("mean_low");
  const double mean_high = arguments.number("mean_high");
  const bool is_anywhere = std::isinf(mean_low) && std::isinf(mean_high);
  const bool is_inside = mean_low >= arguments.number("low") && mean_high <= arguments.number("high");
  if (parameter.name == "sigma")
    require(is_anywhere || is_inside, "mean_low", mean_low,
            "means inside [low, high], or anywhere, to solve for sigma");
  return *parameter.monotone;
}

Kernel projected_from(const Call& arguments, ProjectedLaw law) {
  const double steps = arguments.number("steps");
  const IntervalNoise interval{.law = law,
                               .scale = arguments.number("sigma"),
                               .low = arguments.number("low"),
                               .high = arguments.number("high"),
                               .lipschitz = arguments.number("lipschitz"),
                               .mean_low = arguments.number("mean_low"),
                               .mean_high = arguments.number("mean_high")};
  const double radius = arguments.number("radius");
  if (radius == 0.0) return projected_kernel(interval, steps);
  const bool has_interval = interval.low != 0.0 || interval.high != 1.0 || std::isfinite(interval.mean_low) ||
                            std::isfinite(interval.mean_high);
  require(!has_interval, "radius", radius, "no low, high, mean_low or mean_high beside it");
  return projected_kernel(BallNoise{law, interval.scale, radius, interval.lipschitz}, steps);
}

}  // namespace doeblin::pipeline
