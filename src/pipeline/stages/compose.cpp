// SPDX-License-Identifier: Apache-2.0
#include "doeblin/accounting/composition.hpp"
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {
namespace {

constexpr const char* kGdpStatement = "GDP composes exactly: mu^2 adds";
constexpr const char* kZcdpStatement = "zCDP composes: rho adds; converted by the optimal rule (C3)";
constexpr const char* kGeneralStatement =
    "the better of: Renyi divergences add at every order (converted by C3); epsilons and deltas add; lower: the least "
    "private part";

Step step(const std::string& text, const char* source, const char* statement) {
  return {.stage = text,
          .source = source,
          .statement = statement,
          .assumptions = {checked("holds for adaptive composition"), asserted("each release draws fresh noise")}};
}

Evaluated with_relation(Guarantee total, Relation relation, Step line) {
  total.relation = relation;
  return {std::move(total), std::move(line)};
}

std::vector<Release> releases_of(const Guarantee& part) {
  return part.releases.empty() ? std::vector<Release>{{std::make_shared<const Guarantee>(part), 1.0}} : part.releases;
}

// k people move every release by k: group the parts, then compose.
Guarantee general(std::vector<Release> releases, Relation relation) {
  std::vector<RenyiCurve> curves;
  std::vector<ProfilePart> profiles;
  for (const Release& release : releases) {
    curves.push_back(doeblin::compose(release.guarantee->renyi, release.count));
    profiles.push_back({release.guarantee->profile, release.count});
  }
  const RenyiCurve total = doeblin::compose(curves);
  const auto group = [releases](double k) {
    std::vector<Release> grouped;
    for (const Release& release : releases)
      grouped.push_back({std::make_shared<const Guarantee>(group_guarantee(*release.guarantee, k)), release.count});
    return general(std::move(grouped), Relation::kNeutral);
  };
  return {.profile = composed_profile(total, profiles),
          .renyi = total,
          .relation = relation,
          .white_box_group = group,
          .group_rule = "k people at once in every release, then composed again",
          .releases = std::move(releases)};
}

Evaluated repeated(const Guarantee& part, double k, const std::string& text) {
  if (part.gdp)
    return with_relation(guarantee_of(doeblin::compose(*part.gdp, k)), part.relation, step(text, "C5", kGdpStatement));
  if (part.zcdp)
    return with_relation(guarantee_of(doeblin::compose(*part.zcdp, k)), part.relation,
                         step(text, "C5, C3", kZcdpStatement));
  if (k == 1.0) return {part, step(text, "C5", "one release is itself")};
  std::vector<Release> releases = releases_of(part);
  for (Release& release : releases) {
    release.count *= k;
    require_count(release.count);
  }
  return {general(std::move(releases), part.relation), step(text, "C5, C3", kGeneralStatement)};
}

// The member of every part, when every part has it.
template <typename Form>
std::vector<Form> common_form(const std::vector<Guarantee>& parts, std::optional<Form> Guarantee::*member) {
  std::vector<Form> forms;
  for (const Guarantee& part : parts)
    if (part.*member) forms.push_back(*(part.*member));
  return forms.size() == parts.size() ? forms : std::vector<Form>{};
}

}  // namespace

Evaluated composed(const std::vector<Guarantee>& parts) {
  Relation relation = Relation::kNeutral;
  for (const Guarantee& part : parts) relation = common_relation(relation, part.relation);
  if (const auto levels = common_form(parts, &Guarantee::gdp); !levels.empty())
    return with_relation(guarantee_of(doeblin::compose(levels)), relation, step("+", "C5", kGdpStatement));
  if (const auto levels = common_form(parts, &Guarantee::zcdp); !levels.empty())
    return with_relation(guarantee_of(doeblin::compose(levels)), relation, step("+", "C5, C3", kZcdpStatement));
  std::vector<Release> releases;
  for (const Guarantee& part : parts)
    for (const Release& release : releases_of(part)) releases.push_back(release);
  return {general(std::move(releases), relation), step("+", "C5, C3", kGeneralStatement)};
}

Stage compose(double k) {
  require_count(k);
  const std::string text = call_text("compose", {{"k", k}});
  return {text, [k, text](const Guarantee& part) { return repeated(part, k, text); }};
}

Definition compose_definition() {
  return {.name = "compose",
          .summary = "release k times, each with fresh noise",
          .example = "gaussian(sigma=10) | compose(100)",
          .parameters = {{.name = "k", .meaning = "how many releases"}},
          .make = [](const Arguments& a) { return compose(a.number("k")); }};
}

}  // namespace doeblin::pipeline
