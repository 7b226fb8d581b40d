// SPDX-License-Identifier: Apache-2.0
#include "composition/cumulants.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "composition/geometric.hpp"
#include "doeblin/numerics/solve.hpp"

namespace doeblin {
namespace {

// Where a decreasing criterion crosses 0, on a logarithmic scale of the tilt, to a few percent.
template <typename Criterion>
double crossing(const Criterion& criterion, double largest) {
  const double least = std::min(1e-9, largest / 2.0);
  if (criterion(least) <= 0.0) return 0.0;
  if (criterion(largest) >= 0.0) return largest;
  const auto [low, high] = numerics::narrowed<double>(
      {.safe = least, .unsafe = largest}, [&](double tilt) { return criterion(tilt) > 0.0; },
      numerics::LogHalving{.ratio = 1.03});
  return std::sqrt(low * high);
}

}  // namespace

Cumulants LossCumulants::at(double tilt) const {
  Cumulants total{0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < lattices_.size(); ++i) {
    const LossLattice& lattice = lattices_[i];
    const double rate = tilt * lattice.step;
    const double peak = log_peak(lattice.mass, rate);
    if (std::isinf(peak)) continue;
    Geometric weight(rate, -peak);
    double sum = 0.0, first = 0.0, second = 0.0, x = 0.0;
    for (const double mass : lattice.mass) {
      const double w = weight.next();
      const double p = mass > 0.0 ? mass * w : 0.0;
      sum += p;
      first += p * x;
      second += p * x * x;
      x += 1.0;
    }
    const double start = lattice.offset + static_cast<double>(lattice.first) * lattice.step;
    const double mean = first / sum;
    total.log_moment += counts_[i] * (std::log(sum) + peak + tilt * start);
    total.mean += counts_[i] * (start + mean * lattice.step);
    total.variance += counts_[i] * std::max(0.0, second / sum - mean * mean) * lattice.step * lattice.step;
  }
  return total;
}

double log_tail(const Cumulants& c, double tilt) {
  const double width = std::sqrt(2.0 * std::numbers::pi * std::max(c.variance, 0.0));
  return c.log_moment - tilt * c.mean - std::log1p(tilt * (1.0 + tilt) * width);
}

double tilt_for_delta(const LossCumulants& cumulants, double log_delta) {
  return crossing([&](double tilt) { return log_tail(cumulants.at(tilt), tilt) - log_delta; },
                  cumulants.largest_tilt());
}

double tilt_for_loss(const LossCumulants& cumulants, double epsilon) {
  return crossing([&](double tilt) { return epsilon - cumulants.at(tilt).mean; }, cumulants.largest_tilt());
}

}  // namespace doeblin
