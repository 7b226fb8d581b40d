// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_contraction.hpp"

#include <algorithm>
#include <cmath>

#include "verify/iteration/run_estimate.hpp"
#include "verify/iteration/run_known.hpp"

namespace doeblin::verify {
namespace {

// No double is as small as e^kFloor: what follows need not be looked at, for F(d) <= d.
constexpr double kFloor = -800.0;
// Every partition is looked at for so many later steps; longer tails have so many positions at first.
constexpr std::size_t kAllPositions = 160;
constexpr std::size_t kLongestRunChain = 20'000;
constexpr std::size_t kLongestSingleSteps = 4096;
// Partitions with more stops than this are not refined.
constexpr std::size_t kMostRefined = 64;
// Partitions that are computed in balls, of those that look best.
constexpr std::size_t kComputed = 4;

struct BlockPartition {
  std::vector<std::size_t> stops;
  double value = kInfinity;
};

struct Searched {
  std::vector<double> best;
  std::vector<std::size_t> from;
};

double log_excess_of(double epsilon) { return std::log(std::expm1(epsilon)); }

// Dynamic programming over the positions, in plain numbers.
Searched search(RunTail& tail, const std::vector<std::size_t>& positions, double epsilon) {
  const double log_excess = log_excess_of(epsilon);
  Searched found{std::vector<double>(positions.size()), std::vector<std::size_t>(positions.size())};
  for (std::size_t k = 0; k < positions.size(); ++k) {
    found.best[k] = estimate_log_theta(epsilon, tail.start_estimate(positions[k]));
    found.from[k] = k;
    // Nothing needs to become smaller than the floor.
    for (std::size_t j = 0; j < k && found.best[k] > kFloor; ++j) {
      const double value =
          estimate_contracted(found.best[j], log_excess, tail.block_estimate(positions[j], positions[k]));
      if (value < found.best[k]) found.best[k] = value, found.from[k] = j;
    }
  }
  return found;
}

BlockPartition best_at(RunTail& tail, const std::vector<std::size_t>& positions, double epsilon) {
  const Searched found = search(tail, positions, epsilon);
  BlockPartition result{{}, found.best.back()};
  for (std::size_t k = positions.size() - 1;; k = found.from[k]) {
    result.stops.push_back(positions[k]);
    if (found.from[k] == k) break;
  }
  std::reverse(result.stops.begin(), result.stops.end());
  return result;
}

// Equal blocks after a start of `first` steps; what is left over joins the last one.
BlockPartition equal_blocks(RunTail& tail, std::size_t first, std::size_t length, double epsilon) {
  const double log_excess = log_excess_of(epsilon);
  BlockPartition result{{first}, estimate_log_theta(epsilon, tail.start_estimate(first))};
  for (std::size_t stop = first; stop < tail.steps();) {
    const bool is_last =
        stop + 2 * length > tail.steps() || result.stops.size() >= kLongestRunChain || result.value < kFloor;
    const std::size_t next = is_last ? tail.steps() : stop + length;
    result.value = estimate_contracted(result.value, log_excess, tail.block_estimate(stop, next));
    result.stops.push_back(next);
    stop = next;
  }
  return result;
}

// The shortest block whose level is at most mu; the whole tail if there is none.
std::size_t length_for(RunTail& tail, double mu) {
  std::size_t low = 0, high = tail.steps();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (tail.block_estimate(0, middle) <= mu ? high : low) = middle;
  }
  return high;
}

// Lengths for blocks that shrink a total variation distance quickly.
std::vector<std::size_t> likely_lengths(RunTail& tail) {
  std::vector<std::size_t> lengths;
  std::size_t fastest = 1;
  double rate = 0.0;
  for (std::size_t length = 1; length <= tail.steps(); length *= 2) {
    const double gain = -estimate_log_theta(0.0, tail.block_estimate(0, length)) / static_cast<double>(length);
    if (gain > rate) rate = gain, fastest = length;
  }
  lengths.push_back(fastest);
  for (const double mu : {0.7, 1.0, 1.3, 1.6, 1.85, 2.1, 2.4, 2.7, 3.2}) lengths.push_back(length_for(tail, mu));
  if (tail.steps() <= kLongestSingleSteps) lengths.push_back(1);
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

std::vector<std::size_t> spaced(std::size_t steps, std::size_t count) {
  std::vector<std::size_t> positions;
  for (std::size_t k = 0; k <= count; ++k)
    positions.push_back(
        static_cast<std::size_t>(static_cast<double>(steps) * static_cast<double>(k) / static_cast<double>(count)));
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

// Positions around the stops, closer and closer, until single steps are tried.
BlockPartition refined(RunTail& tail, BlockPartition best, double reach, double epsilon) {
  bool is_last = false;
  for (int round = 0; round < 24 && !is_last; ++round) {
    is_last = reach <= 4.0;
    if (is_last) reach = 4.0;
    std::vector<std::size_t> positions{0, tail.steps()};
    for (const std::size_t stop : best.stops)
      for (const double offset : {-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75}) {
        const double moved = static_cast<double>(stop) + offset * reach;
        if (moved > 0.0 && moved < static_cast<double>(tail.steps()))
          positions.push_back(static_cast<std::size_t>(moved));
      }
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    BlockPartition next = best_at(tail, positions, epsilon);
    const bool improves = next.value < best.value - 1e-12 * std::fabs(best.value);
    if (next.value < best.value) best = std::move(next);
    if (best.stops.size() > kMostRefined) break;
    // Where it improved it may do so again at the same reach.
    if (!improves)
      reach /= 2.0;
    else
      is_last = false;
  }
  return best;
}

std::vector<BlockPartition> candidates(RunTail& tail, double epsilon) {
  if (tail.steps() <= kAllPositions)
    return {best_at(tail, spaced(tail.steps(), std::max<std::size_t>(tail.steps(), 1)), epsilon)};
  std::vector<BlockPartition> all{best_at(tail, spaced(tail.steps(), 64), epsilon),
                                  best_at(tail, spaced(tail.steps(), 128), epsilon)};
  for (const std::size_t length : likely_lengths(tail))
    for (const double share : {0.0, 0.5, 1.0, 1.5, 2.0})
      all.push_back(equal_blocks(tail, static_cast<std::size_t>(share * static_cast<double>(length)) % tail.steps(),
                                 length, epsilon));
  const auto is_better = [](const BlockPartition& x, const BlockPartition& y) { return x.value < y.value; };
  std::sort(all.begin(), all.end(), is_better);
  const double reach = static_cast<double>(tail.steps()) / 64.0;
  const std::size_t count = std::min<std::size_t>(all.size(), 3);
  for (std::size_t k = 0; k < count; ++k)
    if (all[k].stops.size() < kMostRefined && all[k].value > kFloor)
      all.push_back(refined(tail, all[k], reach, epsilon));
  std::sort(all.begin(), all.end(), is_better);
  all.resize(std::min(all.size(), kComputed));
  return all;
}

Ball contracted(const Ball& delta, const Ball& epsilon, const Ball& mu) {
  if (arb_is_zero(delta.get())) return delta;
  // Increasing in d and in mu: their upper ends.
  const Ball d = delta.high_end();
  const Ball level = log1p(expm1(epsilon.low_end()) / d);
  const Ball factor = profile_at(positive_part(level.low_end()), mu.high_end()).high_end();
  return min(d * factor, d).high_end();
}

bool has_vanished(const Ball& delta) {
  return arf_sgn(arb_midref(delta.get())) == 0 || arf_cmpabs_2exp_si(arb_midref(delta.get()), -1155) < 0;
}

Ball start_delta(const Ball& epsilon, const Ball& level) {
  return profile_at(epsilon.low_end(), level.high_end()).high_end();
}

Ball delta_of(RunTail& tail, const BlockPartition& partition, const Ball& epsilon) {
  Ball delta = start_delta(epsilon, tail.start(partition.stops[0]));
  for (std::size_t k = 1; k < partition.stops.size() && !has_vanished(delta); ++k)
    delta = contracted(delta, epsilon, tail.block(partition.stops[k - 1], partition.stops[k]));
  return delta;
}

}  // namespace

RunTail::RunTail(std::shared_ptr<const ConfinedRun> run, RecordUses uses, std::size_t released)
    : run_(std::move(run)), uses_(std::move(uses)), steps_(released - uses_.back()) {}

const RunTail::Level& RunTail::start_level(std::size_t stop) {
  const auto found = starts_.find(stop);
  if (found != starts_.end()) return found->second;
  const WithPrecision bits(kRunBits);
  Ball level = shift_level(*run_, uses_, uses_.back() + stop);
  const double estimate = level.upper();
  return starts_.emplace(stop, Level{std::move(level), estimate}).first->second;
}

const RunTail::Level& RunTail::block_level(std::size_t from, std::size_t to) {
  // Where all steps are alike only the length counts.
  const std::size_t key = run_->steps.are_alike() ? to - from : from * (steps_ + 1) + to;
  const auto found = blocks_.find(key);
  if (found != blocks_.end()) return found->second;
  const WithPrecision bits(kRunBits);
  const std::size_t last = uses_.back();
  Ball level = kernel_level(*run_, last + from, last + to);
  const double estimate = level.upper();
  return blocks_.emplace(key, Level{std::move(level), estimate}).first->second;
}

const Ball& RunTail::start(std::size_t stop) { return start_level(stop).ball; }
const Ball& RunTail::block(std::size_t from, std::size_t to) { return block_level(from, to).ball; }
double RunTail::start_estimate(std::size_t stop) { return start_level(stop).estimate; }
double RunTail::block_estimate(std::size_t from, std::size_t to) { return block_level(from, to).estimate; }

std::vector<Ball> delta_at_positions(RunTail& tail, const std::vector<std::size_t>& positions, const Ball& epsilon) {
  const Searched found = search(tail, positions, epsilon.middle());
  std::vector<Ball> deltas;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const std::size_t from = found.from[k];
    Ball delta = from == k ? start_delta(epsilon, tail.start(positions[k]))
                 : has_vanished(deltas[from])
                     ? deltas[from]
                     : contracted(deltas[from], epsilon, tail.block(positions[from], positions[k]));
    // Further steps are processing.
    if (k > 0) delta = min(delta, deltas[k - 1]);
    deltas.push_back(std::move(delta));
  }
  return deltas;
}

Ball best_delta(RunTail& tail, const Ball& epsilon) {
  Ball least = start_delta(epsilon, tail.start(tail.steps()));
  for (const BlockPartition& partition : candidates(tail, epsilon.middle()))
    least = min(least, delta_of(tail, partition, epsilon));
  return least;
}

}  // namespace doeblin::verify
