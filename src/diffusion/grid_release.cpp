// SPDX-License-Identifier: Apache-2.0
#include "doeblin/diffusion/grid_release.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "doeblin/composition/stages.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/diffusion/grid_noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated gaussian_release(const GridRelease& release, std::size_t number, const GridReleaseText& text) {
  const GridLevel level = gaussian_grid_level(release, number);
  const RenyiCurve renyi = at_most(renyi_of(level.gdp));
  // Not exactly Gaussian: between two levels. Several people in different rows are better off than one who moves as far.
  Mechanism mechanism =
      Mechanism::of_profile(profile_of(level), renyi)
          .with_gaussian_bound(Gdp::level(enclose(level.gdp.mu).upper()))
          .with_groups({.of = [gdp = level.gdp](double k) { return Mechanism::of(doeblin::group(gdp, k)); },
                        .statement = "GDP for k people: k mu",
                        .is_attained = false})
          .about({.relation = Relation::kSubstitute});
  return {
      std::move(mechanism),
      {.stage = text.stage,
       .source = text.source,
       .statement = fmt::format("discrete Gaussian noise on a grid, rounding included, is dominated by mu-GDP with mu "
                                "= {}; releases that come later on the path add nothing",
                                format_up(enclose(level.gdp.mu).upper())),
       .assumptions = text.assumptions}};
}

// Columns of nearly the same level, with the largest of them.
struct LevelClass {
  double level;
  double count;
};

// At most kMostClasses classes, each with the level of its worst member: mechanisms that are all different compose
// slowly.
std::vector<LevelClass> classes_of(std::vector<double> levels) {
  constexpr std::size_t kMostClasses = 3;
  std::sort(levels.begin(), levels.end());
  for (double tolerance = 1e-6;; tolerance *= 10.0) {
    std::vector<LevelClass> classes;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      if (classes.empty() || *level < classes.back().level * (1.0 - tolerance)) classes.push_back({*level, 0.0});
      classes.back().count += 1.0;
    }
    if (classes.size() <= kMostClasses) return classes;
  }
}

Mechanism composed_laplace(const std::vector<LevelClass>& classes, const Settings& settings) {
  std::vector<Pipeline> parts;
  parts.reserve(classes.size());
  for (const LevelClass& one : classes)
    parts.push_back(laplace({.scale = 1.0, .sensitivity = one.level}) | compose(one.count, settings));
  return parts.size() == 1 ? parts[0].mechanism() : sum(std::move(parts), settings).mechanism();
}

Evaluated laplace_release(const GridRelease& release, const GridReleaseText& text, const Settings& settings,
                          ReleaseEnds ends) {
  std::vector<double> levels;
  Bracket pure(0.0);
  double least = rounding::kInfinity;
  for (const GridColumn& column : release.columns) {
    const Bracket level = laplace_grid_level(column);
    levels.push_back(level.upper());
    least = std::min(least, level.lower());
    pure = pure + level;
  }
  // The upper end of a composition of few pure mechanisms is right long before its lower end: a thousandth is enough.
  Settings coarse = settings;
  coarse.goal.epsilon_width = std::max(coarse.goal.epsilon_width, 1e-3 * pure.upper());
  const auto count = static_cast<double>(release.columns.size());
  const Mechanism high = composed_laplace(classes_of(levels), coarse);
  const Mechanism low = composed_laplace({{ends == ReleaseEnds::kBoth ? least : 0.0, count}}, coarse);
  ProfileTraits traits = high.profile().traits();
  traits.goal = coarse.goal;
  const Profile profile(
      [low, high](Epsilon e) { return Bracket(low.profile().delta(e).lower(), high.profile().delta(e).upper()); },
      [low, high](Delta d) { return Bracket(low.profile().epsilon(d).lower(), high.profile().epsilon(d).upper()); },
      traits);
  Mechanism mechanism = Mechanism::of_profile(profile, enclosed(Attained(low.renyi()), Dominating(high.renyi())))
                            .about({.relation = Relation::kSubstitute});
  return {
      std::move(mechanism),
      {.stage = text.stage,
       .source = text.source,
       .statement = fmt::format("discrete Laplace noise on a grid is dominated by Laplace noise at a sensitivity two "
                                "steps larger; {} column{} compose to pure epsilon {}",
                                count, count == 1.0 ? "" : "s", format_up(pure.upper())),
       .assumptions = text.assumptions}};
}

}  // namespace

Pipeline released(const GridRelease& release, std::size_t number, const GridReleaseText& text, const Settings& settings,
                  ReleaseEnds ends) {
  ensure(!release.columns.empty(), "a release of some columns");
  return Pipeline(release.law == LatticeLaw::kGaussian ? gaussian_release(release, number, text)
                                                       : laplace_release(release, text, settings, ends));
}

}  // namespace doeblin::pipeline
