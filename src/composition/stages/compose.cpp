// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "doeblin/composition/composition.hpp"
#include "doeblin/composition/loss_composition.hpp"
#include "doeblin/composition/stages.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/profile/renyi_to_profile.hpp"

namespace doeblin::pipeline {
namespace {

constexpr const char* kGdpStatement = "GDP composes exactly: mu^2 adds";
constexpr const char* kZcdpStatement = "zCDP composes: rho adds; converted by the optimal rule (C3)";
constexpr const char* kGeneralStatement =
    "the better of: Renyi divergences add at every order (converted by C3); epsilons and deltas add; lower: the least "
    "private part";
constexpr const char* kRenyiStatement =
    "Renyi divergences add at every order (converted by C3); lower: the least private part";
constexpr const char* kBasicStatement = "epsilons and deltas add; lower: the least private part";
constexpr const char* kLossStatement =
    "privacy losses add: their distributions on a grid from both sides, convolved by FFT, in both directions";
constexpr const char* kDominatedLossStatement =
    "privacy losses add: distributions that dominate each part, on a grid, convolved by FFT, in both directions; "
    "lower: "
    "the same for pairs that are attained, else the least private part";

constexpr const char* kDominatedStatement =
    "the better of: the Gaussian levels that dominate the parts compose (mu^2 adds); epsilons and deltas add; lower: "
    "the least private part";

Step step(const char* source, const char* statement) {
  return {.source = source,
          .statement = statement,
          .assumptions = {checked("holds for adaptive composition"), asserted("each release draws fresh noise")}};
}

// What a run keeps hidden must be drawn anew for every run: one order for all of them is known better after each (I21).
void assert_fresh_choices(const std::vector<Mechanism>& parts, Step& line) {
  for (const Mechanism& part : parts) {
    if (part.hidden_choice().empty()) continue;
    const Assumption fresh = asserted(
        fmt::format("{} is drawn afresh for every run, independently of the other runs", part.hidden_choice()));
    const auto is_same = [&](const Assumption& one) { return one.text == fresh.text; };
    if (std::none_of(line.assumptions.begin(), line.assumptions.end(), is_same)) line.assumptions.push_back(fresh);
  }
}

std::vector<Release> releases_of(const Mechanism& part) {
  return part.releases().empty() ? std::vector<Release>{{std::make_shared<const Mechanism>(part), 1.0}}
                                 : part.releases();
}

// Everything about a composition that has no closed form.
struct Composition {
  std::vector<Release> releases;
  RenyiCurve renyi;
  std::vector<ProfilePart> profiles;
  /// Empty when some part is too slow to be sampled.
  std::vector<LossPart> losses;
};

Composition composition_of(std::vector<Release> releases) {
  std::vector<RenyiCurve> curves;
  std::vector<ProfilePart> profiles;
  std::vector<LossPart> losses;
  for (const Release& release : releases) {
    const Mechanism& part = *release.mechanism;
    curves.push_back(doeblin::compose(part.renyi(), release.count));
    profiles.push_back({part.profile(), release.count});
    losses.push_back({part.pairs(), release.count});
  }
  if (!LossComposition::is_feasible(losses)) losses.clear();
  return {std::move(releases), doeblin::compose(curves), std::move(profiles), std::move(losses)};
}

// The Gaussian level of everything together, when every part has one that dominates it.
std::optional<Gdp> dominating_level(const std::vector<Release>& releases) {
  std::vector<Gdp> levels;
  for (const Release& release : releases) {
    const std::optional<Gdp>& level = release.mechanism->gaussian_bound();
    if (!level) return std::nullopt;
    levels.push_back(doeblin::compose(*level, release.count));
  }
  return doeblin::compose(levels);
}

bool has_all_laws(const std::vector<Release>& releases) {
  return std::all_of(releases.begin(), releases.end(),
                     [](const Release& release) { return release.mechanism->has_laws(); });
}

bool is_any_costly(const std::vector<ProfilePart>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const ProfilePart& part) { return part.profile.traits().costly; });
}

Profile chosen_profile(const Composition& composition, const Settings& settings) {
  const bool has_losses = !composition.losses.empty();
  const RenyiTraits& renyi = composition.renyi.traits();
  const bool has_renyi = renyi.largest_order > 1.0 && !renyi.is_of_profile;
  switch (settings.accountant) {
    case Accountant::kBasic: return added_profile(composition.profiles);
    case Accountant::kRenyi:
      return profile_from_renyi(composition.renyi, least_private_part(composition.profiles), settings.renyi_rule);
    case Accountant::kPld:
      if (!has_losses)
        throw InvalidArgument("accountant", "pld",
                              "parts that can be sampled on a grid (not a composition that was sampled or mixed)");
      return profile_of_composition(composition.losses, settings.goal);
    case Accountant::kAuto: break;
  }
  if (const auto level = dominating_level(composition.releases))
    return tightened(added_profile(composition.profiles), profile_of(*level));
  Profile other = composed_profile(composition.renyi, composition.profiles);
  if (!has_losses) return other;
  const Profile losses = profile_of_composition(composition.losses, settings.goal);
  if (losses.traits().tight) return first_if_narrow(losses, other);
  // Parts that no pair attains leave the lower end to the least private part.
  const Profile dominated = raised(losses, least_private_part(composition.profiles));
  // Parts whose profile is not that of one pair may be known better than their pairs are: by their Renyi curves above
  // all. Adding what is costly is kept for where pairs say nothing.
  if (!has_all_laws(composition.releases)) {
    if (has_renyi) return tightened(dominated, other);
    const Profile added = added_profile(composition.profiles);
    return is_any_costly(composition.profiles) ? first_if_narrow(dominated, added) : tightened(dominated, added);
  }
  const bool is_looser =
      std::any_of(composition.profiles.begin(), composition.profiles.end(),
                  [](const ProfilePart& part) { return part.profile.traits().costly || !part.profile.traits().tight; });
  return is_looser ? tightened(dominated, added_profile(composition.profiles)) : first_if_narrow(dominated, other);
}

Step general_step(const Composition& composition, const Settings& settings) {
  switch (settings.accountant) {
    case Accountant::kBasic: return step("C5", kBasicStatement);
    case Accountant::kRenyi: return step("C5, C3", kRenyiStatement);
    default: break;
  }
  if (settings.accountant == Accountant::kAuto && dominating_level(composition.releases))
    return step("C5", kDominatedStatement);
  if (composition.losses.empty()) return step("C5, C3", kGeneralStatement);
  const bool exact = std::all_of(composition.losses.begin(), composition.losses.end(),
                                 [](const LossPart& part) { return part.pairs.is_exact; });
  return step(has_all_laws(composition.releases) ? "C5" : "C5, C7", exact ? kLossStatement : kDominatedLossStatement);
}

// For what comes later.
Dominating<LossPair> chosen_pair(const Composition& composition, const Settings& settings, const Profile& profile) {
  const bool is_by_losses = !composition.losses.empty() &&
                            (settings.accountant == Accountant::kAuto || settings.accountant == Accountant::kPld);
  if (const auto level = dominating_level(composition.releases); level && settings.accountant == Accountant::kAuto)
    return Dominating(LossPair::symmetric_of(profile_of(*level)));
  return is_by_losses ? pair_of_composition(composition.losses, settings.goal) : universal_pair(profile);
}

// A case that does not decide is looked at with a goal so many times as wide.
constexpr double kRough = 30.0;

// How many cases the neighbours of a composition are to be told apart in: those of its parts, which are about the same
// people and so in the same case all the time. Parts with other cases are taken by what holds for all of theirs.
std::size_t cases_of(const std::vector<Release>& releases) {
  std::size_t most = 0;
  for (const Release& release : releases) most = std::max(most, release.mechanism->cases().size());
  return most;
}

std::vector<Release> in_case(std::vector<Release> releases, std::size_t cases, std::size_t i) {
  for (Release& release : releases) {
    const Mechanism& part = *release.mechanism;
    if (part.cases().size() == cases) {
      release.mechanism = part.cases()[i];
    } else if (i > 0 && !part.pairs().is_exact && part.pairs().attained) {
      // The first case is people of one side only, and so are those of whom a pair is known here.
      release.mechanism = std::make_shared<const Mechanism>(Mechanism(part).with_attained(std::nullopt));
    }
  }
  return releases;
}

Evaluated in_one_case(std::vector<Release> releases, const Settings& settings);

// Every case for itself, then the worst.
Evaluated general(std::vector<Release> releases, const Settings& settings) {
  const std::size_t cases = cases_of(releases);
  if (cases == 0) return in_one_case(std::move(releases), settings);
  Settings rough = settings;
  rough.goal.epsilon_width *= kRough;
  rough.goal.epsilon_relative_width *= kRough;
  rough.goal.delta_width *= kRough;
  std::vector<Mechanism> composed;
  std::vector<CaseProfile> profiles;
  Step line;
  for (std::size_t i = 0; i < cases; ++i) {
    Evaluated one = in_one_case(in_case(releases, cases, i), settings);
    profiles.push_back({one.mechanism.profile(), in_one_case(in_case(releases, cases, i), rough).mechanism.profile()});
    composed.push_back(std::move(one.mechanism));
    if (i == 0) line = std::move(one.step);
  }
  return {Mechanism::worst_of(composed).with_profile(worst_case(profiles)).with_releases(std::move(releases)),
          std::move(line)};
}

// The ids of the rules by which the parts are taken for several people, each once.
std::string group_sources(const std::vector<Release>& releases) {
  std::vector<std::string> sources;
  for (const Release& release : releases) {
    const GroupRule* const rule = release.mechanism->group_rule();
    const std::string source = rule != nullptr ? rule->source : "C4";
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
  }
  return fmt::format("{}", fmt::join(sources, ", "));
}

Evaluated in_one_case(std::vector<Release> releases, const Settings& settings) {
  const Composition composition = composition_of(std::move(releases));
  // k people move every release by k: group the parts, then compose.
  const auto group = [parts = composition.releases, settings](double k) {
    std::vector<Release> grouped;
    grouped.reserve(parts.size());
    for (const Release& release : parts)
      grouped.push_back({std::make_shared<const Mechanism>(release.mechanism->group(k)), release.count});
    return general(std::move(grouped), settings).mechanism;
  };
  const Profile profile = chosen_profile(composition, settings);
  return {Mechanism::of_dominating(profile, composition.renyi, chosen_pair(composition, settings, profile))
              .with_gaussian_bound(dominating_level(composition.releases))
              .with_groups({group, "k people at once in every release, then composed again", true,
                            group_sources(composition.releases)})
              .with_releases(composition.releases),
          general_step(composition, settings)};
}

bool closed_form_is_wanted(const Settings& settings) { return settings.accountant == Accountant::kAuto; }

Evaluated repeated(const Mechanism& part, double k, const Settings& settings) {
  if (part.gaussian() && closed_form_is_wanted(settings))
    return {Mechanism::of(doeblin::compose(*part.gaussian(), k)), step("C5", kGdpStatement)};
  if (part.concentrated() && !part.has_laws() && closed_form_is_wanted(settings))
    return {Mechanism::of(doeblin::compose(*part.concentrated(), k)), step("C5, C3", kZcdpStatement)};
  if (k == 1.0 && closed_form_is_wanted(settings)) return {part, step("C5", "one release is itself")};
  std::vector<Release> releases = releases_of(part);
  for (Release& release : releases) {
    release.count = rounding::mul_up(release.count, k);
    require_count(release.count);
  }
  return general(std::move(releases), settings);
}

// The level of every part, when every part has one.
template <typename Level>
std::vector<Level> common_levels(const std::vector<Mechanism>& parts,
                                 const std::optional<Level>& (Mechanism::*level)() const) {
  std::vector<Level> levels;
  for (const Mechanism& part : parts)
    if ((part.*level)()) levels.push_back(*(part.*level)());
  return levels.size() == parts.size() ? levels : std::vector<Level>{};
}

Evaluated composition(const std::vector<Mechanism>& parts, const Settings& settings) {
  if (closed_form_is_wanted(settings)) {
    if (const auto levels = common_levels(parts, &Mechanism::gaussian); !levels.empty())
      return {Mechanism::of(doeblin::compose(levels)), step("C5", kGdpStatement)};
    if (const auto levels = common_levels(parts, &Mechanism::concentrated); !levels.empty())
      return {Mechanism::of(doeblin::compose(levels)), step("C5, C3", kZcdpStatement)};
  }
  std::vector<Release> releases;
  for (const Mechanism& part : parts)
    for (const Release& release : releases_of(part)) releases.push_back(release);
  return general(std::move(releases), settings);
}

std::size_t most_examples(const std::vector<Mechanism>& parts) {
  std::size_t most = 0;
  for (const Mechanism& part : parts) most = std::max(most, part.examples().size());
  return most;
}

// One mechanism for every part: the example of that number, or the last one, where it has some, else itself.
std::vector<Mechanism> examples_of(const std::vector<Mechanism>& parts, std::size_t number) {
  std::vector<Mechanism> examples;
  examples.reserve(parts.size());
  for (const Mechanism& part : parts) {
    const auto& own = part.examples();
    examples.push_back(own.empty() ? part : *own[std::min(number, own.size() - 1)]);
  }
  return examples;
}

bool all_groups_attained(const std::vector<Mechanism>& parts) {
  return std::all_of(parts.begin(), parts.end(), [](const Mechanism& part) { return part.groups_are_attained(); });
}

}  // namespace

Evaluated composed(const std::vector<Mechanism>& parts, const Settings& settings) {
  std::vector<Neighbours> neighbours;
  neighbours.reserve(parts.size());
  for (const Mechanism& part : parts) neighbours.push_back(part.neighbours());
  const Neighbours about = together(neighbours);
  Evaluated total = composition(parts, settings);
  total.step.stage = "+";
  total.mechanism = std::move(total.mechanism).about(about).with_groups_attained(all_groups_attained(parts));
  for (const Mechanism& part : parts) total.mechanism = std::move(total.mechanism).following(part);
  // One of the people in all of the parts.
  if (about.people > 1.0)
    total.mechanism = std::move(total.mechanism).with_single([parts, settings] {
      std::vector<Mechanism> singles;
      singles.reserve(parts.size());
      for (const Mechanism& part : parts) singles.push_back(part.single()());
      return composed(singles, settings).mechanism;
    });
  if (total.mechanism.examples().empty())
    for (std::size_t i = 0; i < most_examples(parts); ++i)
      total.mechanism = std::move(total.mechanism).with_example(composed(examples_of(parts, i), settings).mechanism);
  assert_fresh_choices(parts, total.step);
  if (about.sizes_differ)
    total.step.assumptions.push_back(
        asserted("the parts take data of different sizes, with the same person in one record of each"));
  return total;
}

StageMaker compose_maker() {
  return {[](const Call& a, const Settings& settings) {
    const double k = a.number("k");
    require_count(k);
    return Stage{.about = same_people, .apply = [k, settings](const Mechanism& part) {
                   Evaluated total = repeated(part, k, settings);
                   total.mechanism = std::move(total.mechanism).with_groups_attained(part.groups_are_attained());
                   if (k > 1.0) assert_fresh_choices({part}, total.step);
                   return total;
                 }};
  }};
}

Stage compose(double k, const Settings& settings) {
  return made(compose_maker(), call_of("compose", {{"k", k}}), settings);
}

}  // namespace doeblin::pipeline
