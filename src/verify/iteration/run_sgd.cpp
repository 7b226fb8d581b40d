// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_sgd.hpp"

#include <algorithm>

#include "verify/iteration/run_known.hpp"

namespace doeblin::verify {
namespace {

// Steps times uses up to which the records of a run are looked at one by one.
constexpr double kMostWork = 3e7;
// Uses of all the groups of records together.
constexpr std::size_t kMostUsesInAll = 8'000'000;
// Groups whose blocks are looked at; the others count with their Gaussian level.
constexpr std::size_t kMostExamined = 520;

// The uses between releases, each with the release that follows.
struct Piece {
  RecordUses uses;
  std::size_t released;
};

std::vector<Piece> pieces_of(const OrderedRun& run, const RecordUses& uses) {
  std::vector<Piece> pieces;
  auto next = run.releases.begin();
  for (const std::size_t step : uses) {
    const auto release = std::lower_bound(next, run.releases.end(), step);
    if (pieces.empty() || release != next || pieces.back().released != *release) pieces.push_back({{}, *release});
    pieces.back().uses.push_back(step);
    next = release;
  }
  return pieces;
}

struct Level {
  Ball low;  // attained where nothing is confined and nothing is rounded
  Ball high;
};

// Each use is a release of its own.
Level public_level(const ConfinedRun& run, const RecordUses& uses) {
  const WithPrecision bits(kRunBits);
  Ball low(0), high(0);
  std::optional<Ball> alike;
  for (const std::size_t step : uses) {
    if (!run.steps.are_alike() || !alike)
      alike = run.steps.level_unit() * run.steps.shift(step) / sqrt(run.steps.between(step - 1, step).variance);
    const Ball& level = *alike;
    low = low + square(level);
    if (!arb_is_zero(level.get())) high = high + square(level + run.rounding);
  }
  return {sqrt(low), sqrt(high)};
}

Level hidden_level(const ConfinedRun& run, const Piece& piece) {
  const WithPrecision bits(kRunBits);
  return {ideal_shift_level(run, piece.uses, piece.released), shift_level(run, piece.uses, piece.released)};
}

Level level_of(const OrderedRun& run, const RecordUses& uses) {
  if (uses.empty()) return {Ball(0), Ball(0)};
  if (run.is_public) return public_level(*run.run, uses);
  const WithPrecision bits(kRunBits);
  const std::vector<Piece> pieces = pieces_of(run, uses);
  if (pieces.size() == 1) return hidden_level(*run.run, pieces[0]);
  Level all{Ball(0), Ball(0)};
  for (const Piece& piece : pieces) {
    const Level one = hidden_level(*run.run, piece);
    all = {all.low + square(one.low), all.high + square(one.high)};
  }
  return {sqrt(all.low), sqrt(all.high)};
}

Known known_piece(const OrderedRun& run, const Piece& piece) {
  const Level level = hidden_level(*run.run, piece);
  if (!run.run->is_bounded()) return known_level(level.low, level.high);
  if (arb_is_zero(level.high.get())) return known_nothing();
  const auto tail = std::make_shared<RunTail>(run.run, piece.uses, piece.released);
  return known_dominated(level.high, [tail](const Ball& epsilon) { return best_delta(*tail, epsilon); });
}

bool all_alike(const OrderedRun& run) {
  return run.run->steps.are_alike() && run.batch > 0 && run.records.records() % run.batch == 0;
}

// The made-up record, with as few steps after it as any private one has.
Known known_pattern(const OrderedRun& run) {
  const std::size_t latest = run.records.last_use_of_first(run.private_records);
  if (latest == 0) return known_nothing();
  const RecordUses uses = worst_pattern(run);
  const Piece piece{uses, uses.back() + (run.run->steps.count() - latest)};
  if (run.is_public) return known_record(run, uses);
  Known known = known_piece(run, piece);
  if (!known.mu) return known;
  // Nobody need be as badly off.
  const Ball level = *known.mu;
  return known_dominated(level, [level](const Ball& epsilon) { return profile_at(epsilon, level); });
}

struct Group {
  std::size_t record;
  Level level;
};

std::vector<Group> groups_of(const OrderedRun& run) {
  std::vector<Group> groups;
  std::size_t uses_in_all = 0;
  for (std::size_t record = 1; record <= run.private_records; record = run.records.last_alike(record) + 1) {
    const RecordUses uses = run.records.uses(record);
    // Expanding maps leave every use on its own, and every restart has to look at all that follow.
    const bool is_slow = run.run->is_bounded() && !run.run->steps.never_expand();
    uses_in_all += uses.size() * (is_slow ? uses.size() : 1) + 1;
    if (uses_in_all > kMostUsesInAll) throw CannotCheck("too many steps to look at every record");
    groups.push_back({record, level_of(run, uses)});
  }
  return groups;
}

Known worst_level(const std::vector<Group>& groups) {
  Level worst{Ball(0), Ball(0)};
  for (const Group& group : groups) worst = {max(worst.low, group.level.low), max(worst.high, group.level.high)};
  return known_level(worst.low, worst.high);
}

// In decreasing order of their levels, until the rest is certainly better.
Known worst_by_blocks(const OrderedRun& run, std::vector<Group> groups) {
  std::sort(groups.begin(), groups.end(), [](const Group& x, const Group& y) {
    return arf_cmp(arb_midref(x.level.high.get()), arb_midref(y.level.high.get())) > 0;
  });
  Ball most(0);
  for (const Group& group : groups) most = max(most, group.level.high);
  // What is left out is bounded by the largest level of it.
  Ball rest(0);
  for (std::size_t k = kMostExamined; k < groups.size(); ++k) rest = max(rest, groups[k].level.high);
  groups.resize(std::min(groups.size(), kMostExamined));
  std::vector<Ball> bounds(groups.size(), rest);
  for (std::size_t k = groups.size(); k-- > 0;)
    bounds[k] = max(groups[k].level.high, k + 1 < groups.size() ? bounds[k + 1] : rest);
  const auto records = std::make_shared<std::vector<std::optional<Known>>>(groups.size());
  return known_dominated(most, [run, groups, bounds, rest, records](const Ball& epsilon) {
    Ball worst(0);
    for (std::size_t k = 0; k < groups.size(); ++k) {
      const Ball by_level = profile_at(epsilon, bounds[k]);
      // Nobody from here on has a larger level; the two are compared up to less than the last bit of a double.
      if (certainly_at_most(by_level * (Ball(1) - Ball(0x1p-58)), worst)) return max(worst, by_level);
      auto& known = (*records)[k];
      if (!known) known = known_record(run, run.records.uses(groups[k].record));
      worst = max(worst, known->delta(epsilon).upper);
    }
    return max(worst, profile_at(epsilon, rest));
  });
}

}  // namespace

Known known_record(const OrderedRun& run, const RecordUses& uses) {
  if (uses.empty()) return known_nothing();
  if (run.is_public) {
    const Level level = public_level(*run.run, uses);
    return known_level(level.low, level.high);
  }
  std::vector<Known> parts;
  for (const Piece& piece : pieces_of(run, uses)) parts.push_back(known_piece(run, piece));
  return parts.size() == 1 ? parts[0] : known_repeated(parts, 1.0);
}

RecordUses worst_pattern(const OrderedRun& run) {
  RecordUses uses = run.records.uses(1);
  const std::size_t gap = run.records.records() / run.batch;
  for (std::size_t k = 1; k < uses.size(); ++k) uses[k] = uses[k - 1] + gap;
  return uses;
}

RecordUses latest_uses(const OrderedRun& run, unsigned long k) {
  constexpr std::size_t kMostJointUses = 200'000;
  if (run.releases.size() != 1 || !run.run->steps.are_alike() || !run.run->steps.never_expand()) return {};
  std::vector<RecordUses> all;
  std::size_t count = 0;
  for (std::size_t back = 0; back < run.records.records() && all.size() < k; ++back) {
    const std::size_t record = run.records.record_before_end(back);
    if (record > run.private_records) continue;
    all.push_back(run.records.uses(record));
    count += all.back().size();
    if (count > kMostJointUses) return {};
  }
  RecordUses joint;
  for (const RecordUses& uses : all) joint.insert(joint.end(), uses.begin(), uses.end());
  std::sort(joint.begin(), joint.end());
  return joint;
}

Known known_worst(const OrderedRun& run) {
  const bool has_one_release = run.releases.size() == 1;
  // The same pattern of uses for everybody, only earlier or later: what follows is processing.
  if (has_one_release && all_alike(run)) return known_record(run, run.records.uses(run.private_records));
  const RunSteps& steps = run.run->steps;
  const bool has_pattern = has_one_release && steps.are_alike() && steps.never_expand();
  const double work = static_cast<double>(steps.count()) * static_cast<double>(run.records.uses(1).size());
  if (has_pattern && work > kMostWork) return known_pattern(run);
  std::vector<Group> groups = groups_of(run);
  if (run.is_public || !run.run->is_bounded()) return worst_level(groups);
  Known known = worst_by_blocks(run, std::move(groups));
  if (!has_pattern) return known;
  known.delta = [all = known.delta, pattern = known_pattern(run).delta](const Ball& epsilon) {
    return Enclosed{min(all(epsilon).upper, pattern(epsilon).upper), Ball(0)};
  };
  return known;
}

}  // namespace doeblin::verify
