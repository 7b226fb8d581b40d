// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "doeblin/mechanism/pipeline.hpp"
#include "doeblin/subsampling/subsampling.hpp"

/// What the sampling stages have in common.
namespace doeblin::pipeline {

/// What a sampling stage needs of the mechanism that gets the sample, and whom the result is about.
struct SampledNeighbours {
  language::Call call;                         ///< the stage, for messages
  Relation needed_relation;                    ///< of the mechanism, unless that is neutral
  std::optional<double> drawn = std::nullopt;  ///< records in a sample; empty when their number is random
  Relation relation;                           ///< of the result
  std::optional<double> size = std::nullopt;   ///< records that are drawn from; empty for any number
};

/// The neighbours after sampling. The mechanism before it must be about everybody, and take samples of
/// this size (catalogue C9).
/// Errors   InvalidArgument
[[nodiscard]] std::function<Neighbours(const Neighbours&)> neighbours_after(const SampledNeighbours& sampling);

/// "add_remove" or "substitute".
[[nodiscard]] Relation sampling_relation(const std::string& text);

/// Throws unless n and m are integers from 1 to 2^53.
void require_sample(double n, double m);

/// What is known from below about a mechanism of which everybody becomes a part with some probability.
struct SampledEnds {
  /// Its lower ends hold. Empty: those of the sampled profile do, by randomised membership (S6).
  std::optional<Attained<Profile>> profile = std::nullopt;
  /// That some neighbours have, where one is known: (1-q) Q + q P against Q if everybody else leaves the law Q.
  std::optional<Attained<LossPair>> pair = std::nullopt;
};

/// Domain: samples of `drawn` records, of which one person is a part with probability `rate`.
[[nodiscard]] SampledEnds sampled_ends(const Mechanism& base, const Bracket& rate, double drawn);

/// A run that takes its records in a fixed order gets those that were drawn in random order: in the order of the file,
/// drawing somebody else moves the places of all records in between, which is more than one exchange.
[[nodiscard]] Evaluated in_random_places(Evaluated sampled, const Mechanism& base);

/// How many of some people, each a whole number of them, a sample takes.
using Taken = std::function<CountWeights(double people)>;

/// What people have who are sampled: as many as the sample takes stand against each other (catalogue C8). Empty as `before` is.
[[nodiscard]] Mechanism::PairOfCounts sampled_by_counts(const Mechanism::PairOfCounts& before, const Taken& taken);

/// The pair that `first` people have against `second` others, in a mechanism that knows.
[[nodiscard]] std::optional<Attained<LossPair>> attained_by(const Mechanism::PairOfCounts& counts, double first,
                                                            double second = 0.0);

/// How several people are sampled, each for themselves, from a mechanism whose groups are known.
struct SampledGroup {
  CountWeights counts;  ///< how many of them are part of the sample
  /// A pair that some groups have, where one is known.
  std::optional<Attained<LossPair>> attained = std::nullopt;
};

/// The mechanism that gets the sample, for several people: by [BBG18] Theorem 7 (catalogue S10), or by the black-box
/// rule for groups of the sampled mechanism, `one`, where that is better.
[[nodiscard]] Mechanism sampled_group(const Mechanism& base, const Mechanism& one, const SampledGroup& group, double k);

/// Several people of whom a pair holds, and `reached`, less than that, is known from below.
[[nodiscard]] Mechanism bounded_by(const Dominating<LossPair>& pair, const Dominating<RenyiCurve>& renyi,
                                   const Mechanism& reached);

/// More people than this are treated by the black-box rule: their counts alone would take long.
inline constexpr double kMostSampledPeople = 1e4;

}  // namespace doeblin::pipeline
