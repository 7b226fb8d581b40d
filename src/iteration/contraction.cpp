// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/contraction.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/numerics/theta.hpp"
#include "doeblin/numerics/theta_inverse.hpp"

namespace doeblin {
namespace {

using numerics::log_theta_estimate;
using rounding::kInfinity;

// No double is this small: a search may stop here.
constexpr double kFloor = -800.0;
// Chains of equal blocks are not followed further; the rest is one block.
constexpr std::size_t kLongestChain = 20000;
// Up to here single steps are always among the blocks that are tried.
constexpr std::size_t kLongestSingleSteps = 4096;
// Rounds of improving the blocks and then epsilon.
constexpr int kMostRounds = 40;

// Plain doubles, for searching.
double contracted_estimate(double log_delta, double log_excess, double mu) {
  if (!(log_delta > -kInfinity)) return -kInfinity;
  // log(1 + (g-1)/d)
  const double x = log_excess - log_delta;
  const double level = x > 40.0 ? x : std::log1p(std::exp(x));
  return log_delta + log_theta_estimate(level, mu);
}

double log_excess_of(double epsilon) { return std::log(std::expm1(epsilon)); }

double start_estimate(const HiddenTail& tail, std::size_t stop, double epsilon) {
  return log_theta_estimate(epsilon, tail.start_level(stop));
}

// log_delta in plain doubles, given the levels of the start and of every block.
double chain_estimate(const std::vector<double>& levels, double epsilon, double floor = -kInfinity) {
  double value = log_theta_estimate(epsilon, levels[0]);
  const double log_excess = log_excess_of(epsilon);
  for (std::size_t i = 1; i < levels.size() && value > floor; ++i)
    value = contracted_estimate(value, log_excess, levels[i]);
  return value;
}

std::vector<double> levels_of(const HiddenTail& tail, const Stops& stops) {
  std::vector<double> levels{tail.start_level(stops[0])};
  for (std::size_t i = 1; i < stops.size(); ++i) levels.push_back(tail.block_level(stops[i - 1], stops[i]));
  return levels;
}

double certified_chain(const std::vector<double>& levels, Epsilon epsilon) {
  double value = numerics::log_theta(epsilon.value(), numerics::Wide(levels[0])).upper();
  for (std::size_t i = 1; i < levels.size() && value > -kInfinity; ++i) value = contracted(value, epsilon, levels[i]);
  return value;
}

struct Found {
  Stops stops;
  double value = kInfinity;
};

// Every partition with stops at the given positions, by dynamic programming.
Found best_on(const HiddenTail& tail, const std::vector<std::size_t>& positions, double epsilon) {
  const std::size_t count = positions.size();
  std::vector<double> best(count);
  std::vector<std::size_t> from(count);
  const double log_excess = log_excess_of(epsilon);
  for (std::size_t k = 0; k < count; ++k) {
    best[k] = start_estimate(tail, positions[k], epsilon);
    from[k] = k;
    for (std::size_t j = 0; j < k; ++j) {
      const double value = contracted_estimate(best[j], log_excess, tail.block_level(positions[j], positions[k]));
      if (value < best[k]) best[k] = value, from[k] = j;
    }
  }
  Stops stops;
  for (std::size_t k = count - 1;; k = from[k]) {
    stops.push_back(positions[k]);
    if (from[k] == k) break;
  }
  std::reverse(stops.begin(), stops.end());
  return {stops, best.back()};
}

// Equal blocks of `length` after a start of `first` steps; what is left over joins the last one.
Found equal_blocks(const HiddenTail& tail, std::size_t first, std::size_t length, double epsilon) {
  Found found{{first}, start_estimate(tail, first, epsilon)};
  const double log_excess = log_excess_of(epsilon);
  for (std::size_t stop = first; stop < tail.steps;) {
    const bool is_last = stop + 2 * length > tail.steps || found.stops.size() >= kLongestChain || found.value < kFloor;
    const std::size_t next = is_last ? tail.steps : stop + length;
    found.value = contracted_estimate(found.value, log_excess, tail.block_level(stop, next));
    found.stops.push_back(next);
    stop = next;
  }
  return found;
}

// The shortest block, counted from the start of the tail, whose level is at most mu; `steps` if there is none.
std::size_t length_for(const HiddenTail& tail, double mu) {
  const auto is_level = [&](std::size_t length) { return tail.block_level(0, length) <= mu; };
  return numerics::narrowed<std::size_t>({.safe = tail.steps, .unsafe = 0}, is_level, numerics::WholeHalving{}).safe;
}

// The power of two whose blocks shrink a total variation distance fastest, per step.
std::size_t fastest_length(const HiddenTail& tail) {
  std::size_t best = 1;
  double rate = 0.0;
  for (std::size_t length = 1; length <= tail.steps; length *= 2) {
    const double gain = -log_theta_estimate(0.0, tail.block_level(0, length)) / static_cast<double>(length);
    if (gain > rate) rate = gain, best = length;
  }
  return best;
}

void keep_better(Found& best, Found other) {
  if (other.value < best.value) best = std::move(other);
}

std::vector<std::size_t> spaced(std::size_t steps) {
  const std::size_t count = std::min(steps, kFinePositions);
  std::vector<std::size_t> positions;
  for (std::size_t k = 0; k <= count; ++k)
    positions.push_back(static_cast<std::size_t>(static_cast<double>(steps) * static_cast<double>(k) /
                                                 static_cast<double>(std::max<std::size_t>(count, 1))));
  return positions;
}

}  // namespace

double contracted(double log_delta, Epsilon epsilon, double mu) {
  if (log_delta == -kInfinity) return log_delta;
  using numerics::log;
  // The level log(1 + (g-1)/d), rounded down.
  const Bracket ratio = log(numerics::expm1(Bracket(epsilon.value()))) - log_delta;
  const double level = std::max(0.0, numerics::log_add_exp(Bracket(0.0), ratio).lower());
  const double factor = mu == kInfinity ? 0.0 : numerics::log_theta(level, numerics::Wide(mu)).upper();
  return rounding::add_up(log_delta, std::min(factor, 0.0));
}

StopLevels levels_at(const HiddenTail& tail, const std::vector<std::size_t>& positions) {
  StopLevels levels;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    levels.starts.push_back(tail.start_level(positions[k]));
    levels.blocks.emplace_back();
    for (std::size_t j = 0; j < k; ++j) levels.blocks[k].push_back(tail.block_level(positions[j], positions[k]));
  }
  return levels;
}

std::vector<double> log_deltas(const StopLevels& levels, Epsilon epsilon) {
  const double log_excess = log_excess_of(epsilon.value());
  std::vector<double> estimates, values;
  for (std::size_t k = 0; k < levels.starts.size(); ++k) {
    std::size_t from = k;
    double best = log_theta_estimate(epsilon.value(), levels.starts[k]);
    for (std::size_t j = 0; j < k; ++j) {
      const double estimate = contracted_estimate(estimates[j], log_excess, levels.blocks[k][j]);
      if (estimate < best) best = estimate, from = j;
    }
    estimates.push_back(best);
    const double value = from == k ? numerics::log_theta(epsilon.value(), numerics::Wide(levels.starts[k])).upper()
                                   : contracted(values[from], epsilon, levels.blocks[k][from]);
    // Further steps are processing.
    values.push_back(k > 0 ? std::min(value, values[k - 1]) : value);
  }
  return values;
}

double log_delta(const HiddenTail& tail, const Stops& stops, Epsilon epsilon) {
  return certified_chain(levels_of(tail, stops), epsilon);
}

Stops best_stops(const HiddenTail& tail, Epsilon epsilon) {
  Found best = best_on(tail, spaced(tail.steps), epsilon.value());
  if (tail.steps > kFinePositions && best.value > kFloor) {
    // Blocks shrink a total variation distance fastest, per step, where their level is about 2, unless maps expand.
    std::vector<std::size_t> lengths{fastest_length(tail)};
    for (const double mu : {1.0, 1.6, 2.1, 2.7}) lengths.push_back(length_for(tail, mu));
    if (tail.steps <= kLongestSingleSteps) lengths.push_back(1);
    for (const std::size_t length : lengths)
      for (const double share : {0.0, 1.0, 1.5})
        keep_better(best, equal_blocks(tail, static_cast<std::size_t>(share * static_cast<double>(length)) % tail.steps,
                                       length, epsilon.value()));
    // Refine: between two stops, and around each.
    if (best.stops.size() < kFinePositions) {
      std::vector<std::size_t> positions{0, tail.steps};
      const double reach = static_cast<double>(tail.steps) / static_cast<double>(kFinePositions);
      for (const std::size_t stop : best.stops)
        for (const double offset : {-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75}) {
          const double moved = static_cast<double>(stop) + offset * reach;
          if (moved > 0.0 && moved < static_cast<double>(tail.steps))
            positions.push_back(static_cast<std::size_t>(moved));
        }
      std::sort(positions.begin(), positions.end());
      positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
      keep_better(best, best_on(tail, positions, epsilon.value()));
    }
  }
  return best.stops;
}

double epsilon_bound(const HiddenTail& tail, const Stops& stops, Delta delta, double above) {
  const std::vector<double> levels = levels_of(tail, stops);
  const double log_level = std::log(delta.value());
  const auto certainly_meets = [&](double epsilon) {
    return numerics::exp(Bracket(certified_chain(levels, Epsilon(epsilon)))).upper() <= delta.value();
  };
  if (certainly_meets(0.0)) return 0.0;
  // Search with estimates: secant steps in a bracket, on the log of the profile.
  double low = 0.0, high = above;
  double low_value = chain_estimate(levels, low) - log_level;
  double high_value = std::isfinite(high) ? chain_estimate(levels, high) - log_level : -kInfinity;
  if (high_value > 0.0 || !std::isfinite(high)) return above;
  int stalled = 0;
  for (int i = 0; i < 100 && high - low > 1e-10 * high; ++i) {
    double next = 0.5 * (low + high);
    if (stalled < 2 && std::isfinite(low_value) && std::isfinite(high_value) && low_value > high_value) {
      next = high - (high - low) * high_value / (high_value - low_value);
      const double margin = 1e-3 * (high - low);
      next = std::clamp(next, low + margin, high - margin);
    } else {
      // On a logarithmic scale while nothing small is known.
      if (low == 0.0) next = high * 0.1;
      stalled = 0;
    }
    const double value = chain_estimate(levels, next, log_level - 50.0) - log_level;
    const bool meets = value <= 0.0;
    const double width = high - low;
    if (meets)
      high = next, high_value = value;
    else
      low = next, low_value = value;
    stalled = high - low > 0.5 * width ? stalled + 1 : 0;
    if (high < 1e-300) break;
  }
  for (double slack = 1e-12; slack < 1.0; slack *= 8.0) {
    const double candidate = high * (1.0 + slack);
    if (candidate >= above) return above;
    if (certainly_meets(candidate)) return candidate;
  }
  return above;
}

double epsilon_bound(const HiddenTail& tail, Delta delta, Stops& stops) {
  const Stops shift_only{tail.steps};
  double best = numerics::theta_inverse(delta.value(), numerics::Wide(tail.start_level(tail.steps))).upper();
  if (stops.empty()) stops = shift_only;
  best = std::min(best, epsilon_bound(tail, stops, delta, best));
  for (int i = 0; i < kMostRounds && best > 0.0; ++i) {
    const Stops better = best_stops(tail, Epsilon(best));
    if (better == stops) break;
    const double epsilon = epsilon_bound(tail, better, delta, best);
    if (!(epsilon < best)) break;
    const bool is_settled = epsilon > best * (1.0 - 1e-9);
    best = epsilon;
    stops = better;
    if (is_settled) break;
  }

  return best;
}

}  // namespace doeblin
