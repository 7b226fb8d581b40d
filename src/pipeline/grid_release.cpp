// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/grid_release.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "doeblin/amplify/grid_noise.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated gaussian_release(const GridRelease& release, std::size_t number, const GridReleaseText& text) {
  const GridLevel level = gaussian_grid_level(release, number);
  Guarantee guarantee = guarantee_of(level.gdp);
  guarantee.profile = profile_of(level);
  guarantee.relation = Relation::kSubstitute;
  // Not exactly Gaussian: known to lie between two levels that later stages must not take for one.
  guarantee.dominating_gdp = Gdp::level(enclose(level.gdp.mu).upper());
  guarantee.gdp = std::nullopt;
  guarantee.zcdp = std::nullopt;
  guarantee.pairs = std::nullopt;
  guarantee.renyi = RenyiCurve([level](Alpha alpha) { return Bracket(0.0, rdp(level.gdp, alpha).upper()); },
                               {.tight = false, .single_pair = false});
  // Several people in different rows are better off than one who moves as far.
  guarantee.is_group_bound_only = true;
  return {
      guarantee,
      {.stage = text.stage,
       .source = text.source,
       .statement = fmt::format("discrete Gaussian noise on a grid, rounding included, is dominated by mu-GDP with mu "
                                "= {}; releases that come later on the path add nothing",
                                format_up(enclose(level.gdp.mu).upper())),
       .assumptions = text.assumptions}};
}

Evaluated laplace_release(const GridRelease& release, const GridReleaseText& text, const Settings& settings) {
  // All columns have nearly the same level: as many of the largest for the upper end, of the smallest for the lower.
  Bracket level = laplace_grid_level(release.columns[0]);
  for (const GridColumn& column : release.columns) {
    const Bracket other = laplace_grid_level(column);
    level = {std::min(level.lower(), other.lower()), std::max(level.upper(), other.upper())};
  }
  const auto count = static_cast<double>(release.columns.size());
  const auto composed_at = [&](double sensitivity) {
    return (laplace({.scale = 1.0, .sensitivity = sensitivity}) | compose(count, settings)).guarantee();
  };
  const Guarantee high = composed_at(level.upper());
  const Guarantee low = composed_at(level.lower());
  Guarantee guarantee{
      .profile = Profile(
          [low, high](Epsilon e) { return Bracket(low.profile.delta(e).lower(), high.profile.delta(e).upper()); },
          [low, high](Delta d) { return Bracket(low.profile.epsilon(d).lower(), high.profile.epsilon(d).upper()); },
          high.profile.traits()),
      .renyi = enclosed(low.renyi, high.renyi),
      .relation = Relation::kSubstitute};
  return {guarantee,
          {.stage = text.stage,
           .source = text.source,
           .statement = fmt::format("discrete Laplace noise on a grid is dominated by Laplace noise of scale 1 at "
                                    "sensitivity {}; {} column{} compose to pure epsilon {}",
                                    format_up(level.upper()), count, count == 1.0 ? "" : "s",
                                    format_up(rounding::mul_up(count, level.upper()))),
           .assumptions = text.assumptions}};
}

}  // namespace

Pipeline released(const GridRelease& release, std::size_t number, const GridReleaseText& text,
                  const Settings& settings) {
  ensure(!release.columns.empty(), "a release of some columns");
  return Pipeline(release.law == LatticeLaw::kGaussian ? gaussian_release(release, number, text)
                                                       : laplace_release(release, text, settings));
}

}  // namespace doeblin::pipeline
