// SPDX-License-Identifier: Apache-2.0
#include "doeblin/certificate/certificate.hpp"

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

std::string neighbours_text(Relation relation) {
  switch (relation) {
    case Relation::kNeutral: return "when one person's data changes as far as the stated sensitivity allows";
    case Relation::kAddRemove: return "when one person's data is added or removed";
    case Relation::kSubstitute: return "when one person's data is exchanged for other data";
    case Relation::kZeroOut: return "when one person's data is left out, its place being kept";
  }
  throw InternalError("broken invariant: unknown relation");
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
                     neighbours_text(certificate.relation));
}

}  // namespace doeblin::certificate
