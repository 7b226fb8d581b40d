// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/lattice_coarsening.hpp"

#include <cmath>

namespace doeblin {
namespace {

// Weights and sums below are a few dozen rounded operations on positive terms.
constexpr double kRelative = 0x1p-53 * 64.0;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

TiltedLattice empty_like(const TiltedLattice& lattice, std::int64_t factor) {
  const std::int64_t last = lattice.first + static_cast<std::int64_t>(lattice.mass.size()) - 1;
  TiltedLattice coarse{.step = lattice.step * static_cast<double>(factor),
                       .first = floor_div(lattice.first, factor),
                       .tilt = lattice.tilt,
                       .log_scale = lattice.log_scale,
                       .stray = lattice.stray,
                       .infinite = lattice.infinite,
                       .log_total = lattice.log_total,
                       .offset = lattice.offset};
  coarse.mass.assign(static_cast<std::size_t>(floor_div(last, factor) + 2 - coarse.first), 0.0);
  return coarse;
}

// A loss r steps above a coarse point sends the part (1 - e^{-rh})/(1 - e^{-mh}) of its mass to the next one.
TiltedLattice split(const TiltedLattice& lattice, std::int64_t factor) {
  TiltedLattice coarse = empty_like(lattice, factor);
  const double h = lattice.step;
  const double cell = -std::expm1(-coarse.step);
  const double rounded = kRelative + 0x1p-53 * 4.0 * lattice.tilt * coarse.step;
  std::vector<double> down(static_cast<std::size_t>(factor));
  std::vector<double> up(down.size());
  for (std::size_t r = 0; r < down.size(); ++r) {
    const double offset = static_cast<double>(r) * h;
    const double rest = coarse.step - offset;
    // e^{-rh} - e^{-mh} = e^{-rh} (1 - e^{-(m-r)h}).
    down[r] = std::exp(-offset) * -std::expm1(-rest) / cell * std::exp(-lattice.tilt * offset) * (1.0 + rounded);
    up[r] = -std::expm1(-offset) / cell * std::exp(lattice.tilt * rest) * (1.0 + rounded);
  }
  std::int64_t whole = coarse.first;
  auto r = static_cast<std::size_t>(lattice.first - whole * factor);
  std::size_t slot = 0;
  for (const double mass : lattice.mass) {
    coarse.mass[slot] += mass * down[r];
    coarse.mass[slot + 1] += mass * up[r];
    if (++r == down.size()) r = 0, ++slot;
  }
  for (double& mass : coarse.mass) mass *= 1.0 + 0x1p-53 * 4.0 * static_cast<double>(factor);
  return coarse;
}

// Collects losses from the lowest on into the bin of a coarse point X until sum of p (1 - e^{X - x}) reaches 0, which
// makes the bin's own loss X. What is left of the last one starts the next bin.
class Merger {
 public:
  Merger(TiltedLattice& coarse, std::int64_t factor, double fine_step)
      : coarse_(coarse), factor_(factor), h_(fine_step) {}

  void add(std::int64_t k, double mass) {
    if (!open_) start(k);
    while (mass > 0.0) {
      ++terms_;
      // In units of the tilted mass at the bin's own point.
      const double offset = static_cast<double>(k - point_ * factor_) * h_;
      const double weight = std::exp(-coarse_.tilt * offset);
      const double excess = -std::expm1(-offset);
      if (offset <= 0.0) {
        sum_ += mass * weight;
        lack_ -= mass * weight * excess;
        most_lack_ = lack_;
        return;
      }
      // Slightly more than needed, so that the bin's loss is not below its point whatever rounding did.
      const double available = mass * weight * excess;
      const double needed =
          std::max(0.0, lack_) + 0x1p-53 * (64.0 + 8.0 * terms_ + 8.0 * coarse_.tilt * std::fabs(offset)) * most_lack_;
      if (available < needed * (1.0 + kRelative)) {
        sum_ += mass * weight;
        lack_ -= available;
        return;
      }
      const double part = std::min(1.0, needed * (1.0 + kRelative) / available);
      close(point_, sum_ + mass * weight * part);
      mass *= (1.0 - part) * (1.0 - 4.0 * 0x1p-53);
      if (mass > 0.0) start(k);
    }
  }

  // Losses that no higher one lifts to their point stay above the point before.
  void finish() {
    if (open_ && sum_ > 0.0) close(point_ - 1, sum_ * std::exp(-coarse_.tilt * coarse_.step));
  }

 private:
  void start(std::int64_t k) {
    point_ = -floor_div(-k, factor_);
    sum_ = 0.0;
    lack_ = 0.0;
    most_lack_ = 0.0;
    terms_ = 0.0;
    open_ = true;
  }

  void close(std::int64_t point, double mass) {
    open_ = false;
    const std::int64_t slot = point - coarse_.first;
    if (slot >= 0) coarse_.mass[static_cast<std::size_t>(slot)] += mass;
  }

  TiltedLattice& coarse_;
  std::int64_t factor_;
  double h_;
  std::int64_t point_ = 0;
  double sum_ = 0.0;
  double lack_ = 0.0;
  double most_lack_ = 0.0;
  double terms_ = 0.0;
  bool open_ = false;
};

TiltedLattice merged(const TiltedLattice& lattice, std::int64_t factor) {
  TiltedLattice coarse = empty_like(lattice, factor);
  Merger merger(coarse, factor, lattice.step);
  for (std::size_t k = 0; k < lattice.mass.size(); ++k)
    merger.add(lattice.first + static_cast<std::int64_t>(k), lattice.mass[k]);
  merger.finish();
  for (double& mass : coarse.mass) mass *= 1.0 - kRelative - 0x1p-53 * 8.0 * static_cast<double>(factor);
  return coarse;
}

}  // namespace

TiltedLattice coarsened(const TiltedLattice& lattice, std::int64_t factor, Side side) {
  ensure(factor >= 1, "coarsened: factor >= 1");
  if (factor == 1) return lattice;
  return side == Side::kUpper ? split(lattice, factor) : merged(lattice, factor);
}

}  // namespace doeblin
