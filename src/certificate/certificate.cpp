// SPDX-License-Identifier: Apache-2.0
#include "doeblin/certificate/certificate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"

namespace doeblin::certificate {
namespace {

// The strongest thing that is said: a finite epsilon if there is one.
const Claim* main_claim(const std::vector<Claim>& claims) {
  for (const Claim& claim : claims)
    if (std::isfinite(claim.is_epsilon ? claim.value.upper() : claim.at)) return &claim;
  return nullptr;
}

// Whom the stages person(i) name, in the order of the program.
std::vector<double> places_of(const pipeline::Program& program) {
  if (program.kind == pipeline::Program::Kind::kCall)
    return program.call.name == "person" ? std::vector{program.call.number("i")} : std::vector<double>{};
  std::vector<double> places;
  for (const pipeline::Program& part : program.parts)
    for (const double place : places_of(part))
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  return places;
}

}  // namespace

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::kAnalysis: return "analysis";
    case Kind::kPeople: return "people";
    case Kind::kTraining: return "training";
    case Kind::kRelease: return "release";
  }
  throw InternalError("broken invariant: unknown kind");
}

std::string neighbours_text(Relation relation, const std::string& whose) {
  switch (relation) {
    case Relation::kNeutral: return fmt::format("when {} changes as far as the stated sensitivity allows", whose);
    case Relation::kAddRemove: return fmt::format("when {} is added or removed", whose);
    case Relation::kSubstitute: return fmt::format("when {} is exchanged for other data", whose);
    case Relation::kZeroOut: return fmt::format("when {} is left out, its place being kept", whose);
  }
  throw InternalError("broken invariant: unknown relation");
}

std::string neighbours_text(const Certificate& certificate) {
  const std::vector<double> places = places_of(certificate.program);
  if (places.empty()) return neighbours_text(certificate.relation);
  return neighbours_text(certificate.relation,
                         fmt::format("the data of the person in place {}", fmt::join(places, " and ")));
}

std::string sentence_of(const Certificate& certificate) {
  if (!certificate.void_because.empty()) return "VOID, no guarantee: " + certificate.void_because + ".";
  const Claim* claim = main_claim(certificate.claims);
  if (!claim) return "No finite guarantee is claimed.";
  const double epsilon = claim->is_epsilon ? claim->value.upper() : claim->at;
  const double delta = claim->is_epsilon ? claim->at : claim->value.upper();
  const std::string factor = epsilon <= 100.0
                                 ? fmt::format("a factor {}", format_up(std::exp(epsilon) * (1.0 + 1e-15), 4))
                                 : fmt::format("a factor e^{}", format_up(epsilon));
  return fmt::format("No event of the output becomes more likely by more than {} (epsilon = {}){}, {}.", factor,
                     format_up(epsilon), delta > 0.0 ? fmt::format(" and {} (delta) on top", format_up(delta)) : "",
                     neighbours_text(certificate));
}

}  // namespace doeblin::certificate
