// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/finite.hpp"

#include <cmath>

#include <fmt/format.h>

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

using Row = std::vector<Bracket>;

std::vector<FiniteMechanism::Pair> all_pairs(std::size_t rows) {
  std::vector<FiniteMechanism::Pair> pairs;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = i + 1; j < rows; ++j) pairs.emplace_back(i, j);
  return pairs;
}

Row normalised(const std::vector<double>& row, std::size_t index) {
  Bracket sum(0.0);
  for (std::size_t y = 0; y < row.size(); ++y) {
    if (!(row[y] >= 0.0 && row[y] <= 1.0 + 1e-12))
      throw InvalidArgument(fmt::format("row {}, column {}", index + 1, y + 1), fmt::format("{}", row[y]),
                            "0 <= entry <= 1");
    sum = sum + row[y];
  }
  const double tolerance = 1e-12 * static_cast<double>(row.size());
  if (!(sum.lower() >= 1.0 - tolerance && sum.upper() <= 1.0 + tolerance))
    throw InvalidArgument(fmt::format("sum of row {}", index + 1), fmt::format("{}", sum.middle()),
                          "1 (within 1e-12 per entry)");
  Row result;
  result.reserve(row.size());
  for (const double p : row) result.push_back(clamp(Bracket(p) / sum, 0.0, 1.0));
  return result;
}

// sum_y [P(y) - e^eps Q(y)]_+.
Bracket hockey_stick(const Row& p, const Row& q, double epsilon) {
  // e^eps Q may be finite although e^eps is not: multiply by its square root twice.
  const Bracket root = numerics::exp(Bracket(epsilon) / 2.0);
  Bracket sum(0.0);
  for (std::size_t y = 0; y < p.size(); ++y) {
    const Bracket other = q[y].upper() == 0.0 ? Bracket(0.0) : q[y] * root * root;
    sum = sum + max(p[y] - other, Bracket(0.0));
  }
  return clamp(sum, 0.0, 1.0);
}

Bracket renyi(const Row& p, const Row& q, const Bracket& alpha, const Bracket& s) {
  Bracket log_sum(-rounding::kInfinity);
  for (std::size_t y = 0; y < p.size(); ++y) {
    if (p[y].upper() == 0.0) continue;
    if (q[y].upper() == 0.0) return Bracket(rounding::kInfinity);
    log_sum = numerics::log_add_exp(log_sum, alpha * numerics::log(p[y]) - s * numerics::log(q[y]));
  }
  return max(log_sum / s, Bracket(0.0));
}

Bracket log_ratio(const Row& p, const Row& q) {
  Bracket largest(0.0);
  for (std::size_t y = 0; y < p.size(); ++y) {
    if (p[y].upper() == 0.0) continue;
    if (q[y].upper() == 0.0) return Bracket(rounding::kInfinity);
    largest = max(largest, numerics::log(p[y]) - numerics::log(q[y]));
  }
  return largest;
}

// The largest value of a divergence over adjacent rows, in both directions.
template <typename Divergence>
Bracket worst_pair(const FiniteMechanism& mechanism, const Divergence& divergence) {
  Bracket worst(0.0);
  for (const auto& [i, j] : mechanism.adjacent()) {
    worst = max(worst, divergence(mechanism.rows()[i], mechanism.rows()[j]));
    worst = max(worst, divergence(mechanism.rows()[j], mechanism.rows()[i]));
  }
  return worst;
}

}  // namespace

FiniteMechanism::FiniteMechanism(const std::vector<std::vector<double>>& rows, std::vector<Pair> adjacent)
    : adjacent_(adjacent.empty() ? all_pairs(rows.size()) : std::move(adjacent)) {
  require(rows.size() >= 2, "rows", static_cast<double>(rows.size()), "rows >= 2");
  for (std::size_t x = 0; x < rows.size(); ++x) {
    if (rows[x].size() != rows[0].size() || rows[x].empty())
      throw InvalidArgument(fmt::format("length of row {}", x + 1), fmt::format("{}", rows[x].size()),
                            fmt::format("the length of row 1 ({}), at least 1", rows[0].size()));
    rows_.push_back(normalised(rows[x], x));
  }
  for (const auto& [i, j] : adjacent_)
    if (i >= rows_.size() || j >= rows_.size())
      throw InvalidArgument("adjacent row", fmt::format("{}", std::max(i, j) + 1),
                            fmt::format("at most the number of rows ({})", rows_.size()));
}

Bracket delta(const FiniteMechanism& mechanism, Epsilon epsilon) {
  return worst_pair(mechanism, [&](const Row& p, const Row& q) { return hockey_stick(p, q, epsilon.value()); });
}

Bracket rdp(const FiniteMechanism& mechanism, Alpha alpha) {
  if (std::isinf(alpha.value())) return worst_pair(mechanism, log_ratio);
  const Bracket order(alpha.value());
  const Bracket s = order - 1.0;
  return worst_pair(mechanism, [&](const Row& p, const Row& q) { return renyi(p, q, order, s); });
}

RenyiCurve renyi_of(const FiniteMechanism& mechanism) {
  return RenyiCurve([mechanism](Alpha alpha) { return rdp(mechanism, alpha); }, {.single_pair = false});
}

ProfileTraits profile_traits(const FiniteMechanism& mechanism) {
  // Beyond the largest finite log-ratio only outputs that one row cannot produce are left.
  double bound = 0.0;
  for (const auto& [i, j] : mechanism.adjacent())
    for (std::size_t y = 0; y < mechanism.rows()[i].size(); ++y) {
      const Bracket& p = mechanism.rows()[i][y];
      const Bracket& q = mechanism.rows()[j][y];
      if (p.upper() <= 0.0 || q.upper() <= 0.0) continue;
      if (p.lower() <= 0.0 || q.lower() <= 0.0) return {.tight = true};  // too small to have a finite ratio
      const Bracket ratio = numerics::log(p) - numerics::log(q);
      bound = std::max({bound, ratio.upper(), -ratio.lower()});
    }
  return {.tight = true, .loss_bound = bound, .log_concave = false};
}

LossPair pair_of_rows(const FiniteMechanism& mechanism, const FiniteMechanism::Pair& rows) {
  const ProfileTraits traits = profile_traits(mechanism.with_adjacent({rows}));
  const auto direction = [&](std::size_t from, std::size_t to) {
    return Profile([p = mechanism.rows()[from],
                    q = mechanism.rows()[to]](Epsilon epsilon) { return hockey_stick(p, q, epsilon.value()); },
                   traits);
  };
  return {direction(rows.first, rows.second), direction(rows.second, rows.first)};
}

FiniteMechanism FiniteMechanism::enclosed(std::vector<std::vector<Bracket>> rows, std::vector<Pair> adjacent) {
  FiniteMechanism mechanism;
  mechanism.rows_ = std::move(rows);
  mechanism.adjacent_ = std::move(adjacent);
  return mechanism;
}

FiniteMechanism FiniteMechanism::with_adjacent(std::vector<Pair> adjacent) const {
  FiniteMechanism changed = *this;
  changed.adjacent_ = std::move(adjacent);
  return changed;
}

FiniteMechanism group(const FiniteMechanism& mechanism, double k) {
  const std::size_t rows = mechanism.rows().size();
  std::vector<std::vector<std::size_t>> neighbours(rows);
  for (const auto& [i, j] : mechanism.adjacent()) {
    neighbours[i].push_back(j);
    neighbours[j].push_back(i);
  }
  std::vector<FiniteMechanism::Pair> within;
  for (std::size_t start = 0; start < rows; ++start) {
    // Breadth first, k steps.
    std::vector<bool> reached(rows, false);
    reached[start] = true;
    std::vector<std::size_t> border = {start};
    for (double step = 0.0; step < k && !border.empty(); ++step) {
      std::vector<std::size_t> next;
      for (const std::size_t row : border)
        for (const std::size_t other : neighbours[row])
          if (!reached[other]) {
            reached[other] = true;
            next.push_back(other);
            if (other > start) within.emplace_back(start, other);
          }
      border = std::move(next);
    }
  }
  return mechanism.with_adjacent(std::move(within));
}

}  // namespace doeblin
