// SPDX-License-Identifier: Apache-2.0
#include "iteration/random_place.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

#include "doeblin/core/error.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/solve.hpp"

namespace doeblin::pipeline {
namespace {

// Levels are 1 and 1 + x, x from 1e-8 to 1e8 in steps of a tenth of a power of ten.
constexpr std::size_t kGridLevels = 162;
constexpr double kGridStep = 0.1;
constexpr double kGridStart = -8.0;
// The first class, which matters most and costs least, is asked for ten times as closely.
constexpr std::size_t kFiner = 10;
constexpr std::size_t kFineLevels = (kGridLevels - 2) * kFiner + 2;
// What is left of the levels, more than everything that is rounded on the way.
constexpr double kKept = 1.0 - 1e-6;
constexpr double kLeastLent = 1e-6;
// Levels of far classes that are as close as this are as good as one.
constexpr double kNearby = 1e-4;
constexpr double kRoundedSum = 1.0 + 1e-4;
// Nothing underflows on the way.
constexpr double kLeastDelta = 1e-300;

// 0, and then equal steps of the logarithm of the excess.
Epsilon level_at(std::size_t i, double step) {
  return Epsilon(i == 0 ? 0.0 : std::log1p(std::pow(10.0, kGridStart + step * static_cast<double>(i - 1))));
}

template <std::size_t count>
std::array<double, count> excesses_of(double step) {
  std::array<double, count> excesses;
  for (std::size_t i = 0; i < count; ++i) excesses[i] = numerics::expm1(Bracket(level_at(i, step).value())).upper();
  return excesses;
}

// Divergences are convex in the level, so that chords bound what lies between two of the grid.
template <std::size_t count, typename Value>
double chord(const std::array<double, count>& excesses, double excess, const Value& value) {
  const auto above =
      static_cast<std::size_t>(std::upper_bound(excesses.begin(), excesses.end(), excess) - excesses.begin());
  if (above == count) return value(count - 1);
  const double share = (excess - excesses[above - 1]) / (excesses[above] - excesses[above - 1]);
  return value(above - 1) * (1.0 - share) + value(above) * share;
}

// Levels 1 + x are told by their excesses x.
class RandomPlace {
 public:
  explicit RandomPlace(PlaceClasses classes) : classes_(std::move(classes)) {}

  double delta(Epsilon epsilon) {
    const double room = numerics::expm1(Bracket(epsilon.value())).lower() * kKept;
    if (!(room > 0.0) || !std::isfinite(room)) return 1.0;
    return bound(levels_for(room), room);
  }

 private:
  struct Row {
    std::once_flag is_known;
    std::vector<double> values;
  };
  struct First {
    std::once_flag is_known;
    double value;
  };
  [[nodiscard]] std::size_t count() const { return classes_.weights.size(); }

  // All classes at a level of the grid.
  const std::vector<double>& row(std::size_t i) {
    std::call_once(rows_[i].is_known, [&] { rows_[i].values = classes_.deltas(level_at(i, kGridStep)); });
    return rows_[i].values;
  }
  double first(std::size_t i) {
    std::call_once(firsts_[i].is_known, [&] { firsts_[i].value = classes_.worst(level_at(i, kGridStep / kFiner)); });
    return firsts_[i].value;
  }

  // Excesses of the levels, by class, that add up to the room: slopes alike, and what is left goes to the first class.
  std::vector<double> levels_for(double room) {
    std::vector<double> best(count(), 0.0);
    const auto fits = [&](std::size_t vertex) {
      std::vector<double> levels = levels_at(vertex, room);
      if (total(levels) > room) return false;
      best = std::move(levels);
      return true;
    };
    constexpr numerics::Sides<std::size_t> kAll{.safe = 0, .unsafe = kGridLevels - 1};
    static_cast<void>(numerics::narrowed<std::size_t>(kAll, fits, numerics::WholeHalving{}));
    const double rest = room - total(best);
    if (rest > 0.0) best[0] += rest / classes_.weights[0] * kKept;
    return best;
  }

  // The first class has this vertex, the others are where their slopes are as large as there. The levels of far classes
  // count twice: they also weaken what is lent to the near ones.
  std::vector<double> levels_at(std::size_t vertex, double room) {
    std::vector<double> levels(count(), 0.0);
    levels[0] = excesses_[vertex];
    const double slope = (1.0 + room) * fall(0, vertex) / (excesses_[vertex + 1] - excesses_[vertex]);
    for (std::size_t r = 1; r < count() && vertex > 0; ++r) {
      vertex = vertex_of(r, slope, vertex);
      levels[r] = excesses_[vertex];
    }
    return levels;
  }

  // Where delta + slope x is least, up to `high`.
  std::size_t vertex_of(std::size_t r, double slope, std::size_t high) {
    std::size_t low = 0;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (fall(r, middle) > slope * (excesses_[middle + 1] - excesses_[middle]))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  double fall(std::size_t r, std::size_t i) { return row(i)[r] - row(i + 1)[r]; }

  [[nodiscard]] double total(const std::vector<double>& levels) const {
    double sum = 0.0;
    for (std::size_t r = 0; r < count(); ++r) sum += classes_.weights[r] * levels[r];
    return sum;
  }

  double at(std::size_t r, double excess) {
    if (r == 0) return chord(fine_excesses_, excess, [&](std::size_t i) { return first(i); });
    return chord(excesses_, excess, [&](std::size_t i) { return row(i)[r]; });
  }

  // Sums of products of positive numbers: all roundings together are less than kRoundedSum - 1. What is lent and borrowed
  // differs by the rounding of sums, far less than what was kept back of the room.
  double bound(const std::vector<double>& levels, double room) {
    const double g = 1.0 + room;
    std::vector<double> values;
    double lent = 0.0, sum = 0.0;
    for (std::size_t k = 0; k < count(); ++k) {
      values.push_back(at(k, levels[k]));
      if (levels[k] > room) continue;
      lent += classes_.weights[k] * (room - levels[k]);
      sum += classes_.weights[k] * values[k];
    }
    for (std::size_t r = 0; r < count(); ++r) {
      if (!(levels[r] > room)) continue;
      if (!(lent > kLeastLent * room)) return 1.0;
      const double level = 1.0 + levels[r];
      double others = 0.0, shifted = 0.0, used = -1.0;
      for (std::size_t k = 0; k < count(); ++k) {
        if (levels[k] > room) continue;
        const double share = classes_.weights[k] * (room - levels[k]) / lent;
        // Any level from that of the class on will do.
        if (used < 0.0 || used - levels[k] > kNearby) {
          used = levels[k];
          shifted = (1.0 + used) * at(r, (levels[r] - used) / (1.0 + used));
        }
        others += share * (values[k] + shifted);
      }
      sum += classes_.weights[r] * (g / level * values[r] + (levels[r] - room) / level * others);
    }
    return std::isfinite(sum) ? std::min(1.0, sum * kRoundedSum + kLeastDelta) : 1.0;
  }

  PlaceClasses classes_;
  std::array<double, kGridLevels> excesses_ = excesses_of<kGridLevels>(kGridStep);
  std::array<double, kFineLevels> fine_excesses_ = excesses_of<kFineLevels>(kGridStep / kFiner);
  std::array<Row, kGridLevels> rows_;
  std::array<First, kFineLevels> firsts_;
};

}  // namespace

std::function<double(Epsilon)> random_place_delta(PlaceClasses classes) {
  ensure(!classes.weights.empty() && classes.weights[0] > 0.0, "there are places");
  const auto places = std::make_shared<RandomPlace>(std::move(classes));
  return [places](Epsilon epsilon) { return places->delta(epsilon); };
}

}  // namespace doeblin::pipeline
