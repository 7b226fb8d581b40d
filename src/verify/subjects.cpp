// SPDX-License-Identifier: Apache-2.0
#include "verify/subjects.hpp"

#include <algorithm>

#include "verify/routes.hpp"

namespace doeblin::verify {
namespace {

using language::Call;
using language::Program;

Subjects after(const Call& call, const Subjects& before) {
  const Route& route = route_of(call);
  return route.about != nullptr ? route.about(call, before) : before;
}

// Everybody in the sum: as many people as in the part about the most, and public wherever one part says so.
Subjects joined(const Subjects& first, const Subjects& second) {
  // An exchange is a removal and an addition, so that a sum with one is about exchanges.
  const bool is_exchange = first.relation == kExchange || second.relation == kExchange;
  return {.people = std::max(first.people, second.people),
          .records = first.records ? first.records : second.records,
          .has_several_sizes = first.has_several_sizes || second.has_several_sizes ||
                               (first.records && second.records && *first.records != *second.records),
          .has_public_records = first.has_public_records || second.has_public_records,
          .is_one_place = first.is_one_place || second.is_one_place,
          .relation = is_exchange              ? kExchange
                      : first.relation.empty() ? second.relation
                                               : first.relation};
}

}  // namespace

Subjects subjects_of(const Program& program) {
  if (program.kind == Program::Kind::kCall) return after(program.call, {});
  Subjects all = subjects_of(program.parts[0]);
  for (std::size_t i = 1; i < program.parts.size(); ++i)
    all = program.kind == Program::Kind::kSum ? joined(all, subjects_of(program.parts[i]))
                                              : after(program.parts[i].call, all);
  return all;
}

}  // namespace doeblin::verify
