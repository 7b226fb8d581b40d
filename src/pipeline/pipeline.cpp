// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/pipeline.hpp"

#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {

Guarantee guarantee_of(const Gdp& gdp) {
  return {.profile = profile_of(gdp),
          .renyi = renyi_of(gdp),
          .pairs = LossPairs::exact(LossPair::symmetric_of(profile_of(gdp))),
          .gdp = gdp,
          .zcdp = Zcdp{gdp.mu * gdp.mu * 0.5},
          .white_box_group = [gdp](double k) { return guarantee_of(doeblin::group(gdp, k)); },
          .group_rule = "GDP for k people: k mu"};
}

Guarantee guarantee_of(const Zcdp& zcdp) {
  return {.profile = profile_of(zcdp),
          .renyi = renyi_of(zcdp),
          .zcdp = zcdp,
          .white_box_group = [zcdp](double k) { return guarantee_of(doeblin::group(zcdp, k)); },
          .group_rule = "zCDP for k people: k^2 rho"};
}

void require_everybody(const Guarantee& guarantee) {
  if (guarantee.is_of_one_person)
    throw InvalidArgument("person", "before this stage", "the guarantee of everybody, without person(i)");
}

Pipeline operator|(Pipeline pipeline, const Stage& stage) {
  pipeline.steps_.push_back(stage.apply(pipeline.guarantee()));
  return pipeline;
}

Pipeline sum(std::vector<Pipeline> parts, const Settings& settings) {
  ensure(!parts.empty(), "a sum has parts");
  std::vector<Guarantee> guarantees;
  for (const Pipeline& part : parts) guarantees.push_back(part.guarantee());
  Pipeline result = std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i)
    for (Evaluated& step : parts[i].steps_) result.steps_.push_back(std::move(step));
  result.steps_.push_back(composed(guarantees, settings));
  return result;
}

}  // namespace doeblin::pipeline
