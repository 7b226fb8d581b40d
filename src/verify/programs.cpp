// SPDX-License-Identifier: Apache-2.0
#include "verify/programs.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/core/whole.hpp"
#include "verify/routes.hpp"

namespace doeblin::verify {
namespace {

using language::Call;
using language::Program;

constexpr double kMostTimes = 0x1p40;

[[noreturn]] void fail_without_route(const Call& call) {
  throw CannotCheck("there is no independent route for " + call.name);
}

Known alone(const Call& call, const Context& context) {
  const Route& route = route_of(call);
  if (route.run != nullptr) return route.run(call, context, 0.0);
  if (route.source != nullptr) return route.source(call);
  fail_without_route(call);
}

Known after(const Call& call, const Known& before, const Context& context) {
  const Route& route = route_of(call);
  if (route.stage == nullptr) fail_without_route(call);
  return route.stage(call, before, context);
}

Program chain(std::vector<Program> parts) {
  if (parts.size() == 1) return std::move(parts[0]);
  return {.kind = Program::Kind::kPipe, .parts = std::move(parts)};
}

// The same about one person.
Program ungrouped(const Program& program) {
  if (program.kind == Program::Kind::kCall) return program;
  Program one{.kind = program.kind};
  for (const Program& part : program.parts)
    if (part.kind != Program::Kind::kCall || !route_of(part.call).is_group) one.parts.push_back(ungrouped(part));
  return one.parts.size() == 1 ? one.parts[0] : one;
}

Known straight_pipe(const Program& program, const Context& context);

// Groups that are sampled: everything up to the last sampling is about one person, of whom a group is made then.
Known pipe(const Program& program, const Context& context) {
  const std::vector<Program>& parts = program.parts;
  std::size_t end = parts.size();
  while (end > 1 && !(parts[end - 1].kind == Program::Kind::kCall && route_of(parts[end - 1].call).is_for_each_person))
    --end;
  if (end == 1) return straight_pipe(program, context);
  const Program sampled = chain({parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(end)});
  const double people = subjects_of(sampled).people;
  if (people == 1.0) return straight_pipe(program, context);
  if (!(people <= kMostTimes)) throw CannotCheck("a group of this size");
  Known result = known_group(known(ungrouped(sampled), context), static_cast<unsigned long>(people));
  for (; end < parts.size(); ++end) {
    if (parts[end].kind != Program::Kind::kCall) throw CannotCheck("stages that are no calls");
    result =
        is_kernel(parts[end].call) ? known_mixture({parts[end].call}, result) : after(parts[end].call, result, context);
  }
  return result;
}

Known straight_pipe(const Program& program, const Context& context) {
  const std::vector<Program>& parts = program.parts;
  for (const Program& part : parts)
    if (&part != &parts[0] && part.kind != Program::Kind::kCall) throw CannotCheck("stages that are no calls");
  std::size_t next = 1;
  const bool is_about_one = route_of(parts[0].call).run != nullptr && route_of(parts[1].call).is_person;
  Known result =
      is_about_one ? known_run(parts[0].call, context, parts[next++].call.number("i")) : known(parts[0], context);
  while (next < parts.size()) {
    // Kernels in a row are one kernel.
    std::vector<Call> kernels;
    while (next < parts.size() && is_kernel(parts[next].call)) kernels.push_back(parts[next++].call);
    result = kernels.empty() ? after(parts[next++].call, result, context) : known_mixture(kernels, result);
  }
  return result;
}

// What holds for all, and nothing about who comes near.
Known from_above(Known known) {
  known.delta = [delta = known.delta](const Ball& epsilon) { return Enclosed{delta(epsilon).upper, Ball(0)}; };
  if (known.pairs) known.pairs->are_attained = false;
  if (known.mu) known.dominating_mu = known.mu;
  known.mu.reset();
  known.is_rho_attained = false;
  known.noise = nullptr;
  known.matrix = nullptr;
  known.evolved = nullptr;
  if (known.group) known.group = [group = known.group](unsigned long k) { return from_above(group(k)); };
  for (auto& one : known.cases) one = std::make_shared<const Known>(from_above(*one));
  for (auto& [one, count] : known.releases) one = std::make_shared<const Known>(from_above(*one));
  return known;
}

// A part of a sum about those whom the sum is about: "at most k" people where k is a multiple, and twice as many who are
// added or removed where it is about exchanges.
Known lifted(const Program& part, const Subjects& all, const Context& context) {
  const Subjects own = subjects_of(part);
  const double times = all.people / own.people;
  if (!(times <= kMostTimes && is_whole(times))) throw CannotCheck("groups that do not fit each other");
  const auto count = static_cast<unsigned long>(times);
  if (all.relation != kExchange || own.relation != kAddition) return known_group(known(part, context), count);
  if (own.records) throw CannotCheck("additions and removals of a fixed number of records");
  return from_above(known_group(known(part, context), 2 * count));
}

// Parts that are the same are one part, released several times.
Known sum(const std::vector<Program>& parts, const Context& context) {
  const Subjects all = subjects_of({.kind = Program::Kind::kSum, .parts = parts});
  std::vector<std::pair<const Program*, unsigned long>> different;
  for (const Program& part : parts) {
    const auto same = std::find_if(different.begin(), different.end(), [&](auto& one) { return *one.first == part; });
    if (same == different.end())
      different.emplace_back(&part, 1);
    else
      ++same->second;
  }
  std::vector<Known> releases;
  releases.reserve(different.size());
  for (const auto& [part, count] : different)
    releases.push_back(known_composition({lifted(*part, all, context)}, count, context));
  return known_composition(releases, 1, context);
}

}  // namespace

Known known(const Program& program, const Context& context) {
  switch (program.kind) {
    case Program::Kind::kCall: return alone(program.call, context);
    case Program::Kind::kPipe: return pipe(program, context);
    case Program::Kind::kSum: break;
  }
  return sum(program.parts, context);
}

}  // namespace doeblin::verify
