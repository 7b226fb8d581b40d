// SPDX-License-Identifier: Apache-2.0
#include "doeblin/certificate/certificate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/core/neighbours.hpp"
#include "doeblin/language/schema.hpp"

namespace doeblin::certificate {
namespace {

// The strongest thing that is said: a finite epsilon if there is one.
const Claim* main_claim(const std::vector<Claim>& claims) {
  for (const Claim& claim : claims)
    if (std::isfinite(claim.is_epsilon ? claim.value.upper() : claim.at)) return &claim;
  return nullptr;
}

using language::Call;
using language::Program;
using language::Role;

Neighbours neighbours_of_source(const Call& call) {
  Neighbours about;
  if (language::role_of(call.name) != Role::kRun) return about;
  about.size = call.number("n");
  about.public_tail = call.number("public_tail");
  return about;
}

Neighbours neighbours_after(const Call& stage, Neighbours about) {
  const Role role = language::role_of(stage.name);
  if (role == Role::kGroup) return in_groups(about, stage.number("k"));
  if (role == Role::kPerson) about.places = {stage.number("i")};
  if (role == Role::kPoisson) about.size.reset();
  if (role == Role::kSubset) about.size = stage.number("n");
  return about;
}

// About whom a program is, by its own words.
Neighbours neighbours_of(const Program& program) {
  if (program.kind == Program::Kind::kCall) return neighbours_of_source(program.call);
  std::vector<Neighbours> parts;
  for (const Program& part : program.parts) {
    if (program.kind == Program::Kind::kSum || parts.empty())
      parts.push_back(neighbours_of(part));
    else
      parts[0] = neighbours_after(part.call, parts[0]);
  }
  double people = 1.0;
  for (const Neighbours& part : parts) people = std::max(people, part.people);
  for (Neighbours& part : parts) part.people = people;
  return together(parts);
}

// What a run of `train` put aside is not part of its data.
std::string held_out_sentence(const Certificate& certificate) {
  for (const Detail& detail : certificate.details) {
    const auto* share = std::get_if<double>(&detail.value);
    if (certificate.kind == Kind::kTraining && detail.name == kHeldOutShare && share && *share > 0.0)
      return fmt::format(
          " The records that were held out (about {} of all) are not covered, nor is exchanging a record for one that "
          "would be held out.",
          format_exact(*share));
  }
  return "";
}

}  // namespace

std::string_view name(Kind kind) { return kKinds.word_of(kind); }

std::string neighbours_text(Relation relation, const std::string& whose) {
  switch (relation) {
    case Relation::kNeutral: return fmt::format("when {} changes as far as the stated sensitivity allows", whose);
    case Relation::kAddRemove: return fmt::format("when {} is added or removed", whose);
    case Relation::kSubstitute: return fmt::format("when {} is exchanged for other data", whose);
    case Relation::kZeroOut: return fmt::format("when {} is left out, its place being kept", whose);
  }
  throw InternalError("broken invariant: unknown relation");
}

std::string whose_data(const Certificate& certificate) { return whose_data(neighbours_of(certificate.program)); }

std::string neighbours_text(const Certificate& certificate) {
  return neighbours_text(certificate.relation, whose_data(certificate));
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
  return fmt::format("No event of the output becomes more likely by more than {} (epsilon = {}){}, {}.{}", factor,
                     format_up(epsilon), delta > 0.0 ? fmt::format(" and {} (delta) on top", format_up(delta)) : "",
                     neighbours_text(certificate), held_out_sentence(certificate));
}

}  // namespace doeblin::certificate
