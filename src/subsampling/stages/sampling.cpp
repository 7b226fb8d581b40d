// SPDX-License-Identifier: Apache-2.0
#include "subsampling/stages/sampling.hpp"

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/profile/group.hpp"
#include "doeblin/subsampling/best_levels.hpp"
#include "doeblin/subsampling/mixed_renyi.hpp"
#include "doeblin/subsampling/subsampling.hpp"

namespace doeblin::pipeline {
namespace {

constexpr const char* kCovered =
    "poisson on add_remove, reported for add_remove (S1, S7) or substitute (S5, S11); without_replacement on "
    "substitute (S2, S7); with_replacement on substitute, reported for "
    "substitute (S3) or add_remove (S4, S7)";

void require_fitting_relation(Relation relation, Relation needed) {
  if (relation == Relation::kNeutral || relation == needed) return;
  throw InvalidArgument("relation", name(relation),
                        fmt::format("{} before this stage. Covered: {}", name(needed), kCovered));
}

void require_fitting_size(const Neighbours& before, const SampledNeighbours& sampling) {
  if (before.sizes_differ)
    throw InvalidArgument("n", "different in the parts of the sum before this stage",
                          fmt::format("parts that take the same sample, or {} in each part", line_text(sampling.call)));
  if (!before.size || before.size == sampling.drawn) return;
  if (sampling.drawn)
    throw InvalidArgument("n", *before.size,
                          fmt::format("{} records before this stage, as many as {} draws",
                                      format_exact(*sampling.drawn), line_text(sampling.call)));
  throw InvalidArgument("n", *before.size,
                        fmt::format("a mechanism for any number of records before {}: the size of its samples is "
                                    "random",
                                    line_text(sampling.call)));
}

}  // namespace

std::function<Neighbours(const Neighbours&)> neighbours_after(const SampledNeighbours& sampling) {
  return [sampling](const Neighbours& before) {
    require_everybody(before);
    if (before.public_tail > 0.0)
      throw InvalidArgument("public_tail", before.public_tail,
                            "0 before this stage: a sample may put a private record where the public ones were");
    require_fitting_relation(before.relation, sampling.needed_relation);
    require_fitting_size(before, sampling);
    Neighbours after = before;
    after.relation = sampling.relation;
    after.size = sampling.size;
    return after;
  };
}

Relation sampling_relation(const std::string& text) {
  constexpr auto kSampled = kRelations.only({Relation::kAddRemove, Relation::kSubstitute});
  if (const auto found = kSampled.value_of(text)) return *found;
  throw InvalidArgument("relation", fmt::format("'{}'", text),
                        fmt::format("{}. Covered: {}", kSampled.listed(" or ", "'"), kCovered));
}

void require_sample(double n, double m) {
  require_whole("n", n, 1.0, 0x1p53);
  require_whole("m", m, 1.0, 0x1p53);
}

SampledEnds sampled_ends(const Mechanism& base, const Bracket& rate, double drawn) {
  // Somebody who is sampled comes to any place of the run, each as likely, and not to the worst.
  if (base.neighbours().is_of_worst_place) {
    const Bracket there = rate * base.worst_places();
    if (!(there.lower() > 0.0) || !base.pairs().attained) return {Attained(nothing_attained())};
    const LossPair pair = poisson_sampled(**base.pairs().attained, there);
    return {Attained(profile_of(pair)), Attained(pair)};
  }
  // A sample of one other record can have the law of the exchanged one; a larger sample cannot consist of it.
  if (base.has_third_law() && drawn > 1.0) {
    if (!base.attained_at_rate()) return {Attained(nothing_attained())};
    const LossPair pair = base.attained_at_rate()(rate);
    return {Attained(profile_of(pair)), Attained(pair)};
  }
  SampledEnds ends;
  if (base.pairs().attained) ends.pair = Attained(poisson_sampled(**base.pairs().attained, rate));
  return ends;
}

namespace {

// More people have at least what so many have, and more are not told apart in the sample.
constexpr double kMostCountedPeople = 64.0;

PeopleCounts taken_of(const PeopleCounts& people, const Taken& taken) {
  PeopleCounts sampled{{people.weights[0]}, people.rest};
  for (std::size_t i = 1; i < people.weights.size(); ++i) {
    const Bracket& weight = people.weights[i];
    if (weight.upper() == 0.0) continue;
    const CountWeights counts = taken(static_cast<double>(i));
    if (sampled.weights.size() < counts.weights.size()) sampled.weights.resize(counts.weights.size());
    for (std::size_t j = 0; j < counts.weights.size(); ++j)
      sampled.weights[j] = sampled.weights[j] + weight * counts.weights[j];
    sampled.rest = rounding::add_up(sampled.rest, rounding::mul_up(weight.upper(), counts.rest));
  }
  // The rest may be any number.
  if (people.rest > 0.0)
    for (Bracket& weight : sampled.weights) weight = weight + Bracket(0.0, people.rest);
  return sampled;
}

PeopleCounts few(PeopleCounts people) {
  for (; static_cast<double>(people.weights.size()) > kMostCountedPeople + 1.0; people.weights.pop_back())
    people.rest = rounding::add_up(people.rest, people.weights.back().upper());
  return people;
}

}  // namespace

Mechanism::PairOfCounts sampled_by_counts(const Mechanism::PairOfCounts& before, const Taken& taken) {
  if (!before) return nullptr;
  return [=](const PeopleCounts& first, const PeopleCounts& second) {
    return before(taken_of(few(first), taken), taken_of(few(second), taken));
  };
}

std::optional<Attained<LossPair>> attained_by(const Mechanism::PairOfCounts& counts, double first, double second) {
  if (!counts) return std::nullopt;
  return Attained(counts(PeopleCounts::exactly(std::min(first, kMostCountedPeople)),
                         PeopleCounts::exactly(std::min(second, kMostCountedPeople))));
}

Evaluated in_random_places(Evaluated sampled, const Mechanism& base) {
  if (base.neighbours().is_of_worst_place)
    sampled.step.assumptions.push_back(
        asserted("the run takes those who were drawn in random order, not in the order of the file, and that order "
                 "stays hidden"));
  return sampled;
}

Mechanism sampled_group(const Mechanism& base, const Mechanism& one, const SampledGroup& group, double k) {
  // A bound: nobody is known who comes near.
  const Profile rule =
      enclosed(Attained(nothing_attained()),
               Dominating(best_counts([base](double j) { return base.group(j).dominating_profile(); }, group.counts)));
  const Profile dominating = one.profile().traits().costly ? rule : tightened(rule, black_box_group(one.profile(), k));
  // What one of them has, they have; asking for both is kept for where that is quick.
  const bool is_one_costly = group.attained && one.profile().traits().costly;
  const Attained<Profile> lower(is_one_costly ? profile_of(**group.attained) : one.profile());
  Profile profile = enclosed(lower, Dominating(dominating));
  if (group.attained && !is_one_costly) profile = raised(profile, profile_of(**group.attained));
  const RenyiCurve renyi = mixed_renyi([&](double j) { return base.group(j).renyi(); }, group.counts);
  return Mechanism::of_laws(profile, enclosed(Attained(one.renyi()), Dominating(renyi)),
                            {.dominating = universal_pair(dominating), .attained = group.attained});
}

Mechanism bounded_by(const Dominating<LossPair>& pair, const Dominating<RenyiCurve>& renyi, const Mechanism& reached) {
  return Mechanism::of_laws(enclosed(Attained(reached.profile()), Dominating(profile_of(*pair))),
                            enclosed(Attained(reached.renyi()), renyi),
                            {.dominating = pair, .attained = reached.pairs().attained});
}

}  // namespace doeblin::pipeline
