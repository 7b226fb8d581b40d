// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/named_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/core/whole.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/wide.hpp"

namespace doeblin {
namespace {

constexpr double kMostMatrixStates = 4096.0;

// Entries that are known through brackets, as a kernel knows them: their middles, and what those may be off by.
struct Calculated {
  double relative_error = 0.0;
  double absolute_error = 0.0;

  double operator()(const Bracket& entry) {
    const double middle = std::clamp(entry.middle(), 0.0, 1.0);
    if (entry.is_exact()) return middle;
    if (entry.upper() < 0x1p-1000 || entry.lower() <= 0.0)
      absolute_error = std::max(absolute_error, entry.upper());
    else
      relative_error = std::max(relative_error, rounding::div_up(entry.width(), entry.lower()));
    return middle;
  }
};
}  // namespace

void KAryResponse::validate() const {
  require_whole("k", k, 2.0, 0x1p53);
  require(p >= 0.0 && p <= 1.0, "p", p, "0 <= p <= 1");
  require_whole("steps", steps, 1.0, 0x1p53);
}

Bracket KAryResponse::memory() const {
  validate();
  const Bracket lost = replaced() * k / (Bracket(k) - 1.0);
  // (k p - 1)/(k - 1), where the product is exact: near p = 1/k little is left of it.
  const Bracket lambda = p_is_of_replacing
                             ? 1.0 - lost
                             : numerics::enclose(numerics::Wide(p) * k - numerics::Wide(1.0)) / (Bracket(k) - 1.0);
  if (steps == 1.0) return lambda;
  // lambda^steps through logarithms, for each end that is not 0.
  const bool is_even = std::fmod(steps, 2.0) == 0.0;
  const auto magnitude = [&](double base) {  // |base|^steps
    if (base == 0.0) return Bracket(0.0);
    return clamp(numerics::exp(steps * numerics::log(Bracket(std::fabs(base)))), 0.0, 1.0);
  };
  // Near 1 the loss is known better than lambda itself.
  if (lost.upper() < 0.5) return clamp(numerics::exp(steps * numerics::log1p(-lost)), 0.0, 1.0);
  const auto signed_power = [&](double base) { return base < 0.0 && !is_even ? -magnitude(base) : magnitude(base); };
  const Bracket low = signed_power(lambda.lower());
  const Bracket high = signed_power(lambda.upper());
  const bool crosses = lambda.lower() < 0.0 && lambda.upper() > 0.0;
  return {std::min({low.lower(), high.lower(), crosses ? 0.0 : high.lower()}), std::max(low.upper(), high.upper())};
}

Bracket KAryResponse::diagonal() const {
  validate();
  if (steps == 1.0) return kept();
  return clamp((1.0 + (Bracket(k) - 1.0) * memory()) / k, 0.0, 1.0);
}

Bracket KAryResponse::off_diagonal() const {
  validate();
  if (steps == 1.0) return clamp(replaced() / (Bracket(k) - 1.0), 0.0, 1.0);
  // 1 - lambda^r without cancellation, where lambda is near 1.
  const Bracket lost = replaced() * k / (Bracket(k) - 1.0);
  const Bracket forgotten = lost.upper() < 0.5 ? -numerics::expm1(steps * numerics::log1p(-lost)) : 1.0 - memory();
  return clamp(forgotten / k, 0.0, 1.0);
}

Bracket hockey_stick(const KAryResponse& kernel, Epsilon epsilon) {
  const Bracket left = kernel.memory();
  const Bracket magnitude = left.lower() >= 0.0   ? left
                            : left.upper() <= 0.0 ? -left
                                                  : Bracket(0.0, std::max(-left.lower(), left.upper()));
  const Bracket excess =
      std::isinf(epsilon.value()) ? Bracket(rounding::kInfinity) : numerics::expm1(Bracket(epsilon.value()));
  const Bracket smaller = kernel.smaller_entry();
  const Bracket cost(rounding::mul_down(excess.lower(), smaller.lower()),
                     rounding::mul_up(excess.upper(), smaller.upper()));
  return clamp(magnitude - cost, 0.0, 1.0);
}

MixingKernel mixing_kernel(const KAryResponse& kernel) {
  kernel.validate();
  ProfileTraits traits;
  const Bracket smaller = kernel.smaller_entry();
  if (smaller.lower() > 0.0) {
    // (|lambda^r| + smaller)/smaller is the largest ratio of two entries of a column.
    const Bracket left = kernel.memory();
    const double largest = std::max(-left.lower(), left.upper());
    traits.loss_bound = numerics::log1p(Bracket(largest) / smaller).upper();
  }
  return {Profile([kernel](Epsilon epsilon) { return hockey_stick(kernel, epsilon); }, traits)};
}

Bracket doeblin_gamma(const KAryResponse& kernel) { return clamp(1.0 - kernel.smaller_entry() * kernel.k, 0.0, 1.0); }

FiniteKernel finite_kernel(const KAryResponse& kernel) {
  kernel.validate();
  require(kernel.k <= kMostMatrixStates, "k", kernel.k, "k <= 4096 for a matrix");
  const auto n = static_cast<std::size_t>(kernel.k);
  Calculated calculated;
  std::vector<double> values(n * n, calculated(kernel.off_diagonal()));
  const double diagonal = calculated(kernel.diagonal());
  for (std::size_t x = 0; x < n; ++x) values[x * n + x] = diagonal;
  return FiniteKernel::calculated(n, n, std::move(values), calculated.relative_error, calculated.absolute_error);
}

FiniteKernel truncated_geometric(double states, double ratio) {
  require_whole("states", states, 2.0, kMostMatrixStates);
  require(ratio >= 0.0 && ratio < 1.0, "ratio", ratio, "0 <= ratio < 1");
  const auto n = static_cast<std::size_t>(states);
  // ratio^j/(1 + ratio) and ratio^j (1 - ratio)/(1 + ratio).
  const Bracket norm = 1.0 + Bracket(ratio);
  const Bracket log_ratio = numerics::log(Bracket(ratio));
  Calculated calculated;
  std::vector<double> ends(n);
  std::vector<double> inner(n);
  for (std::size_t j = 0; j < n; ++j) {
    const Bracket power = j == 0         ? Bracket(1.0)
                          : ratio == 0.0 ? Bracket(0.0)
                                         : numerics::exp(static_cast<double>(j) * log_ratio);
    ends[j] = calculated(power / norm);
    inner[j] = calculated(power * (1.0 - Bracket(ratio)) / norm);
  }
  std::vector<double> values(n * n);
  for (std::size_t x = 0; x < n; ++x)
    for (std::size_t y = 0; y < n; ++y) {
      const std::size_t distance = x > y ? x - y : y - x;
      values[x * n + y] = y == 0 || y == n - 1 ? ends[distance] : inner[distance];
    }
  return FiniteKernel::calculated(n, n, std::move(values), calculated.relative_error, calculated.absolute_error);
}

FiniteKernel lazy_walk(std::size_t nodes, const std::vector<Edge>& edges, double laziness) {
  require(laziness >= 0.0 && laziness <= 1.0, "laziness", laziness, "0 <= laziness <= 1");
  // Every edge both ways, sorted by where it starts; edges between the same nodes become one.
  std::vector<FiniteKernel::Entry> moves;
  moves.reserve(2 * edges.size() + nodes);
  for (const Edge& edge : edges) {
    ensure(edge.first < nodes && edge.second < nodes, "edges join nodes");
    require(edge.weight > 0.0 && std::isfinite(edge.weight), "weight", edge.weight, "0 < weight < infinity");
    moves.push_back({edge.first, edge.second, edge.weight});
    if (edge.first != edge.second) moves.push_back({edge.second, edge.first, edge.weight});
  }
  const auto by_place = [](const auto& a, const auto& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  };
  std::sort(moves.begin(), moves.end(), by_place);
  std::size_t most_edges = 0;
  std::vector<FiniteKernel::Entry> entries;
  entries.reserve(moves.size() + nodes);
  std::size_t next = 0;
  for (std::uint32_t x = 0; x < nodes; ++x) {
    const std::size_t begin = next;
    double total = 0.0;
    for (; next < moves.size() && moves[next].row == x; ++next) total += moves[next].value;
    require(std::isfinite(total), "weight", total, "a finite sum of the weights of a node's edges");
    most_edges = std::max(most_edges, next - begin);
    const double stays = begin == next ? 1.0 : laziness;
    const std::size_t first_entry = entries.size();
    if (stays > 0.0) entries.push_back({x, x, stays});
    for (std::size_t k = begin; k < next && laziness < 1.0; ++k) {
      const double share = moves[k].value / total;
      // A share that underflows would look like no edge at all.
      require(share >= 0x1p-900, "weight", moves[k].value, "at least 2^-900 of what a node's edges weigh together");
      const double value = (1.0 - laziness) * share;
      const bool is_again = k > begin && moves[k - 1].column == moves[k].column;
      // The entry of staying comes first, wherever the node's own number stands among its neighbours.
      if (moves[k].column == x && stays > 0.0)
        entries[first_entry].value += value;
      else if (is_again)
        entries.back().value += value;
      else
        entries.push_back({x, moves[k].column, value});
    }
  }
  // A share has a rounding for each weight that was added to the total, one for each edge that it joins, and five more.
  const double error = (2.0 * static_cast<double>(most_edges) + 8.0) * 0x1p-53;
  return FiniteKernel::sparse(nodes, nodes, std::move(entries)).with_relative_error(error);
}

}  // namespace doeblin
