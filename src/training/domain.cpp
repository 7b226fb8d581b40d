// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/domain.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "doeblin/core/bracket.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/rounding.hpp"
#include "doeblin/core/words.hpp"
#include "doeblin/numerics/elementary.hpp"

namespace doeblin::training {
namespace {

using rounding::kUnit;
constexpr double kLargestSize = 1e100;

constexpr auto kDomains = words<DomainKind>({{"ball", DomainKind::kBall},
                                             {"box", DomainKind::kBox},
                                             {"simplex", DomainKind::kSimplex},
                                             {"l1_ball", DomainKind::kL1Ball}});

// Eight sums, which do not wait for each other.
double norm_of(std::span<const double> w) {
  double sums[8] = {};
  std::size_t j = 0;
  for (; j + 8 <= w.size(); j += 8)
    for (std::size_t k = 0; k < 8; ++k) sums[k] += w[j + k] * w[j + k];
  for (; j < w.size(); ++j) sums[0] += w[j] * w[j];
  return std::sqrt(((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7])));
}

void project_to_ball(std::span<double> w, double size) {
  const double norm = norm_of(w);
  if (norm <= size) return;
  const double factor = size / norm;
  for (double& x : w) x *= factor;
}

// The t with sum (v_j - t)_+ = total, where v_j = |w_j|: the mean excess of the coordinates above it.
double threshold_of(std::span<const double> w, double total) {
  thread_local std::vector<double> active;
  active.resize(w.size());
  for (std::size_t j = 0; j < w.size(); ++j) active[j] = w[j];
  while (true) {
    double sum = 0.0;
    for (const double v : active) sum += v;
    const double threshold = (sum - total) / static_cast<double>(active.size());
    const auto kept = std::remove_if(active.begin(), active.end(), [&](double v) { return v <= threshold; });
    // Rounding may put every coordinate at or below their mean excess, when they are all but equal.
    if (kept == active.end() || kept == active.begin()) return threshold;
    active.erase(kept, active.end());
  }
}

void project_to_simplex(std::span<double> w, double total) {
  const double threshold = threshold_of(w, total);
  for (double& x : w) x = std::max(0.0, x - threshold);
}

void project_to_l1_ball(std::span<double> w, double size) {
  double sum = 0.0;
  for (const double x : w) sum += std::abs(x);
  if (sum <= size) return;
  thread_local std::vector<double> lengths;
  lengths.resize(w.size());
  for (std::size_t j = 0; j < w.size(); ++j) lengths[j] = std::abs(w[j]);
  const double threshold = threshold_of(lengths, size);
  for (double& x : w) x = std::copysign(std::max(0.0, std::abs(x) - threshold), x);
}

Bracket root(std::size_t dimension) { return numerics::sqrt(Bracket(static_cast<double>(dimension))); }

}  // namespace

void Domain::validate(std::size_t dimension) const {
  require(dimension >= 1, "dimension", static_cast<double>(dimension), "dimension >= 1");
  if (kind == DomainKind::kBox) {
    require(low >= -kLargestSize && low <= kLargestSize, "low", low, "-1e100 <= low <= 1e100");
    require(high - low >= 1.0 / kLargestSize && high <= kLargestSize, "high", high, "low + 1e-100 <= high <= 1e100");
  } else {
    require(size >= 1.0 / kLargestSize && size <= kLargestSize, "radius", size, "1e-100 <= radius <= 1e100");
  }
  if (kind == DomainKind::kSimplex)
    require(dimension >= 2, "dimension", static_cast<double>(dimension), "dimension >= 2 for the simplex");
}

double Domain::diameter(std::size_t dimension) const {
  switch (kind) {
    case DomainKind::kBall:
    case DomainKind::kL1Ball: return 2.0 * size;
    case DomainKind::kBox: return ((Bracket(high) - low) * root(dimension)).upper();
    case DomainKind::kSimplex: return (Bracket(size) * numerics::sqrt(Bracket(2.0))).upper();
  }
  throw InternalError("broken invariant: unknown domain");
}

double Domain::radius(std::size_t dimension) const {
  if (kind != DomainKind::kBox) return size;
  return (Bracket(std::max(std::abs(low), std::abs(high))) * root(dimension)).upper();
}

void Domain::project(std::span<double> w) const {
  switch (kind) {
    case DomainKind::kBall: return project_to_ball(w, size);
    case DomainKind::kBox:
      for (double& x : w) x = std::clamp(x, low, high);
      return;
    case DomainKind::kSimplex: return project_to_simplex(w, size);
    case DomainKind::kL1Ball: return project_to_l1_ball(w, size);
  }
}

// Ball: the computed norm is off by (d/2 + 2) units relatively, and so is the factor, with 2 more; a norm that falls on
// the wrong side of the size is that close to it. Simplex: the threshold is the largest mean excess t* of any set of
// coordinates, those above it, S. A computed one is off by e = (d + 4) units of (largest + size), so none exceeds
// t* + e; the set A that is left in the end meets S, since the largest coordinate is dropped only with all others. What
// A lacks of S was at most t* + e, what it has beyond S at least the final t: |A and S| (t* - t) <= |A or S| e. So
// every coordinate is off by at most d e, with two roundings more; the bound below is three times that.
double Domain::projection_error(std::size_t dimension, double largest) const {
  const auto d = static_cast<double>(dimension);
  switch (kind) {
    case DomainKind::kBall: return (Bracket(d + 8.0) * kUnit * size).upper();
    case DomainKind::kBox: return 0.0;
    case DomainKind::kSimplex:
    case DomainKind::kL1Ball: {
      const Bracket excess = Bracket(d + 4.0) * kUnit * (Bracket(largest) + size);
      return (root(dimension) * (Bracket(3.0) * d + 2.0) * excess).upper();
    }
  }
  throw InternalError("broken invariant: unknown domain");
}

std::string_view name(DomainKind kind) { return kDomains.word_of(kind); }

DomainKind domain_named(std::string_view text) {
  if (const auto found = kDomains.value_of(text)) return *found;
  throw InvalidArgument("domain", fmt::format("'{}'", text), kDomains.listed());
}

}  // namespace doeblin::training
