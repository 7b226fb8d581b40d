// SPDX-License-Identifier: Apache-2.0
#include "diffusion/stages/diffusion.hpp"

#include "doeblin/core/format.hpp"
#include "doeblin/diffusion/stages.hpp"
#include "doeblin/mechanism/maker.hpp"

namespace doeblin::pipeline {
namespace {

// The expression language has no words for a function: such programs are built in memory, and there is no schema.
Evaluated diffusion_after(const Call& call, double time) {
  const auto process = call.object<GeneralDiffusion>("kappa");
  ensure(process != nullptr, "a diffusion is given by a function");
  const SteepnessShape& shape = process->shape;
  const Bracket level = renyi_level(process->kappa, time, shape, process->options);
  std::vector<Assumption> assumptions = {
      asserted("kappa bounds the steepness of a symmetric diffusion for every pair of neighbours"),
      asserted(shape.bend == SteepnessShape::Bend::kDecreasing ? "kappa never increases"
               : shape.bend == SteepnessShape::Bend::kConvex   ? "kappa is convex and never increases"
                                                               : "log kappa is convex and never increases")};
  if (shape.rate > 0.0)
    assumptions.push_back(asserted("kappa falls at rate " + format_exact(shape.rate) + " or faster"));
  if (shape.power > 1.0)
    assumptions.push_back(asserted("kappa falls as fast as time^-" + format_exact(shape.power) + " or faster"));
  return {running(Mechanism::of(Zcdp::level(level.upper())), Bracket(time),
                  [call](const Bracket& total) { return diffusion_after(call, total.lower()); }),
          {.stage = line_text(call.with("time", time)),
           .source = "D3, C3",
           .statement = "Lambda = int_time^inf kappa <= " + format_up(level.upper()) +
                        "; Renyi divergence at most alpha Lambda at every order",
           .assumptions = assumptions}};
}

}  // namespace

SourceMaker diffusion_maker() {
  return {[](const Call& a, const Settings&) { return diffusion_after(a, a.number("time")); }};
}

Pipeline diffusion(const Steepness& kappa, double time, const SteepnessShape& shape, const SteepnessOptions& options) {
  const auto process = std::make_shared<const GeneralDiffusion>(GeneralDiffusion{kappa, shape, options});
  return made(diffusion_maker(),
              {.name = "diffusion", .arguments = {{"kappa", language::Object(process, "<function>")}, {"time", time}}});
}

}  // namespace doeblin::pipeline
