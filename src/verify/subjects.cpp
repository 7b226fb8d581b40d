// SPDX-License-Identifier: Apache-2.0
#include "verify/subjects.hpp"

#include <algorithm>

#include "verify/known.hpp"

namespace doeblin::verify {
namespace {

using language::Call;
using language::Program;

Subjects of_source(const Call& call) {
  if (call.name != "noisy_sgd") return {};
  return {.records = call.number("n"), .has_public_records = call.number("public_tail") > 0.0};
}

Subjects sampled(const Call& call, Subjects before) {
  if (before.people > 1.0) throw CannotCheck("several people who are sampled as if they were one");
  if (before.is_one_place) throw CannotCheck("sampling of a person whose place is fixed");
  if (before.has_public_records) throw CannotCheck("sampling of data in which some records are public");
  const bool is_poisson = call.name == "poisson";
  if (before.has_several_sizes || (before.records && (is_poisson || *before.records != call.number("m"))))
    throw CannotCheck("samples of another size than the mechanism takes");
  before.records = is_poisson ? std::nullopt : std::optional(call.number("n"));
  return before;
}

Subjects after(const Call& call, Subjects before) {
  if (call.name == "poisson" || call.name == "without_replacement" || call.name == "with_replacement")
    return sampled(call, before);
  if (call.name == "person") before.is_one_place = true;
  if (call.name == "group") {
    if (before.is_one_place) throw CannotCheck("a group of one person");
    before.people *= call.number("k");
  }
  return before;
}

// Everybody in the sum: as many people as in the part about the most, and public wherever one part says so.
Subjects joined(const Subjects& first, const Subjects& second) {
  return {.people = std::max(first.people, second.people),
          .records = first.records ? first.records : second.records,
          .has_several_sizes = first.has_several_sizes || second.has_several_sizes ||
                               (first.records && second.records && *first.records != *second.records),
          .has_public_records = first.has_public_records || second.has_public_records,
          .is_one_place = first.is_one_place || second.is_one_place};
}

}  // namespace

Subjects subjects_of(const Program& program) {
  if (program.kind == Program::Kind::kCall) return of_source(program.call);
  Subjects all = subjects_of(program.parts[0]);
  for (std::size_t i = 1; i < program.parts.size(); ++i)
    all = program.kind == Program::Kind::kSum ? joined(all, subjects_of(program.parts[i]))
                                              : after(program.parts[i].call, all);
  return all;
}

}  // namespace doeblin::verify
