// SPDX-License-Identifier: Apache-2.0
#include "composition/placed_losses.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/core/error.hpp"
#include "doeblin/core/rounding.hpp"

namespace doeblin {
namespace {

using rounding::kUnit;

// Weights below are a few dozen rounded operations on positive terms.
constexpr double kWeightRounding = 64.0 * kUnit;
constexpr double kLeastMass = 1e-300;

// The losses from `begin` to before `end` lie within one step, and no other step holds more mass.
struct Bulk {
  std::size_t begin;
  std::size_t end;
};

Bulk bulk_of(const ScatteredLosses& losses, double step) {
  Bulk best{0, 1};
  double most = 0.0;
  double sum = 0.0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < losses.loss.size(); ++i) {
    sum += losses.mass[i];
    while (losses.loss[i] - losses.loss[begin] >= step) sum -= losses.mass[begin++];
    if (sum > most) most = sum, best = {begin, i + 1};
  }
  return best;
}

// The loss -log(sum p e^{-x} / sum p) of a law that is merged, rounded down.
double common_loss(const ScatteredLosses& losses, const Bulk& bulk) {
  const double origin = losses.loss[bulk.begin];
  double sum = 0.0;
  double lack = 0.0;  // sum of p (1 - e^{origin - x}), of positive terms
  for (std::size_t i = bulk.begin; i < bulk.end; ++i) {
    sum += losses.mass[i];
    lack += losses.mass[i] * -std::expm1(origin - losses.loss[i]);
  }
  if (!(sum > 0.0)) return origin;
  // Sums err by a unit for each term.
  const double relative = kWeightRounding + 4.0 * kUnit * static_cast<double>(bulk.end - bulk.begin);
  const double above = -std::log1p(-std::min(lack / sum * (1.0 - relative), 0.999));
  return rounding::add_down(origin, rounding::larger(0.0, above * (1.0 - kWeightRounding)));
}

// Entries that grow at both ends.
class Entries {
 public:
  Entries(double least, double most, double step)
      : first_(static_cast<std::int64_t>(std::floor(least / step)) - 2),
        mass_(static_cast<std::size_t>(static_cast<std::int64_t>(std::ceil(most / step)) + 3 - first_), 0.0) {}

  void add(double index, double mass) {
    mass_[static_cast<std::size_t>(static_cast<std::int64_t>(index) - first_)] += mass;
  }

  [[nodiscard]] LossLattice lattice(const ScatteredLosses& losses, double step, double offset) && {
    return {.step = step,
            .first = first_,
            .mass = std::move(mass_),
            .infinite = losses.infinite,
            .log_total = losses.log_total,
            .offset = offset};
  }
  std::vector<double>& masses() { return mass_; }

 private:
  std::int64_t first_;
  std::vector<double> mass_;
};

// A loss t above a grid point sends the part (1 - e^{-t})/(1 - e^{-h}) of its mass to the next one.
LossLattice split_losses(const ScatteredLosses& losses, double h, double offset) {
  Entries grid(losses.loss.front() - offset, losses.loss.back() - offset, h);
  const double cell = -std::expm1(-h);
  for (std::size_t i = 0; i < losses.loss.size(); ++i) {
    if (losses.mass[i] == 0.0) continue;
    const double distance = losses.loss[i] - offset;
    double index = std::floor(distance / h);
    // A larger loss is on the safe side, whatever the two differences were rounded by.
    double t = rounding::larger(0.0, distance - index * h) + 4.0 * kUnit * (std::fabs(distance) + h);
    if (t >= h) index += 1.0, t = std::min(h, rounding::larger(0.0, t - h));
    // e^{-t} - e^{-h} = e^{-t} (1 - e^{-(h-t)}).
    grid.add(index, losses.mass[i] * (std::exp(-t) * -std::expm1(t - h) / cell * (1.0 + kWeightRounding)));
    grid.add(index + 1.0, losses.mass[i] * (-std::expm1(-t) / cell * (1.0 + kWeightRounding)));
  }
  // Sums err by a unit for each term.
  const double relative = kUnit * (4.0 + 2.0 * static_cast<double>(losses.loss.size()));
  for (double& mass : grid.masses())
    if (mass > 0.0) mass = rounding::larger(kLeastMass, mass * (1.0 + relative));
  LossLattice result = std::move(grid).lattice(losses, h, offset);
  result.log_total += kWeightRounding + 2.0 * relative;
  return result;
}

// A bin of losses x that will count as the loss X of a grid point: allowed when sum of p (1 - e^{X - x}) >= 0.
struct Bin {
  double index = 0.0;
  double sum = 0.0;
  double balance = 0.0;  // that sum, negative terms first when going up, positive ones first when going down
  double largest = 0.0;  // of its absolute values
  double terms = 0.0;
  bool is_open = false;

  void start(double at) { *this = {.index = at, .is_open = true}; }
  void take(double mass, double gain) {
    sum += mass;
    balance += gain;
    largest = std::max(largest, std::fabs(balance));
    terms += 1.0;
  }
  // What rounding may have done to the balance.
  [[nodiscard]] double doubt() const { return kUnit * (64.0 + 8.0 * terms) * largest; }
  [[nodiscard]] double kept() const { return sum * (1.0 - kWeightRounding - 2.0 * kUnit * terms); }
};

class OutwardMerger {
 public:
  OutwardMerger(Entries& grid, double step) : grid_(grid), h_(step) {}

  // Losses in rising order: a bin starts below its point and is lifted to it by what lies above.
  void add_rising(double distance, double mass) {
    while (mass > 0.0) {
      if (!bin_.is_open) bin_.start(point_above(distance));
      const double gain = mass * -std::expm1(bin_.index * h_ - distance);
      const double needed = (rounding::larger(0.0, -bin_.balance) + bin_.doubt()) * (1.0 + kWeightRounding);
      if (gain <= 0.0 || gain < needed) return bin_.take(mass, gain);
      const double part = std::min(1.0, needed / gain);
      grid_.add(bin_.index, bin_.kept() + mass * part * (1.0 - kWeightRounding));
      mass *= (1.0 - part) * (1.0 - 4.0 * kUnit);
      bin_.is_open = false;
    }
  }

  // Losses that no higher one lifts to their point stay above the point before.
  void finish_rising() {
    if (bin_.is_open) grid_.add(bin_.index - 1.0, bin_.kept());
  }

  // Losses in falling order: a bin starts above its point and has room for some that lie below.
  void add_falling(double distance, double mass) {
    while (mass > 0.0) {
      if (!bin_.is_open) bin_.start(-point_above(-distance));
      const double gain = mass * -std::expm1(bin_.index * h_ - distance);
      const double room = rounding::larger(0.0, bin_.balance - 2.0 * bin_.doubt()) * (1.0 - kWeightRounding);
      if (gain >= 0.0 || -gain < room) return bin_.take(mass, gain);
      const double part = std::min(1.0, room / -gain);
      grid_.add(bin_.index, bin_.kept() + mass * part * (1.0 - kWeightRounding));
      mass *= (1.0 - part) * (1.0 - 4.0 * kUnit);
      bin_.is_open = false;
    }
  }

  void finish_falling() {
    if (bin_.is_open) grid_.add(bin_.index, bin_.kept());
  }

 private:
  // The first point that is not below; the quotient may have been rounded past it.
  [[nodiscard]] double point_above(double distance) const {
    const double index = std::ceil(distance / h_);
    return index * h_ < distance ? index + 1.0 : index;
  }

  Entries& grid_;
  double h_;
  Bin bin_;
};

LossLattice merged_losses(const ScatteredLosses& losses, double h, const Bulk& bulk, double offset) {
  Entries grid(losses.loss.front() - offset, losses.loss.back() - offset, h);
  // A smaller loss is on the safe side, whatever the differences were rounded by.
  const auto distance = [&](std::size_t i) {
    const double rounded = losses.loss[i] - offset;
    return rounded - 4.0 * kUnit * (std::fabs(rounded) + h);
  };
  double sum = 0.0;
  for (std::size_t i = bulk.begin; i < bulk.end; ++i) sum += losses.mass[i];
  grid.add(0.0, sum * (1.0 - kUnit * (4.0 + static_cast<double>(bulk.end - bulk.begin))));
  OutwardMerger above(grid, h);
  for (std::size_t i = bulk.end; i < losses.loss.size(); ++i) above.add_rising(distance(i), losses.mass[i]);
  above.finish_rising();
  OutwardMerger below(grid, h);
  for (std::size_t i = bulk.begin; i > 0; --i) below.add_falling(distance(i - 1), losses.mass[i - 1]);
  below.finish_falling();
  // An entry is the sum of a few bins.
  for (double& mass : grid.masses()) mass = mass < kLeastMass ? 0.0 : mass * (1.0 - kWeightRounding);
  return std::move(grid).lattice(losses, h, offset);
}

}  // namespace

LossLattice placed(const ScatteredLosses& losses, double step, Side side) {
  ensure(!losses.loss.empty() && losses.loss.size() == losses.mass.size(), "placed: a mass for every loss");
  ensure(losses.loss.back() - losses.loss.front() < 0x1p23 * step, "placed: a range of less than 2^23 steps");
  const Bulk bulk = bulk_of(losses, step);
  const double offset = common_loss(losses, bulk);
  return side == Side::kUpper ? split_losses(losses, step, offset) : merged_losses(losses, step, bulk, offset);
}

}  // namespace doeblin
