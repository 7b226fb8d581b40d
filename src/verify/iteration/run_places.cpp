// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_places.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "verify/iteration/run_steps.hpp"

namespace doeblin::verify {
namespace {

constexpr int kDecades = 16;
constexpr int kPerDecade = 10;
constexpr int kFinePerDecade = 100;
constexpr long kBits = 64;
// What is left of the levels.
constexpr double kUsed = 1.0 - 1e-7;

// Excesses x of the levels 1 + x: 0, and from 1e-8 to 1e8 so many to every power of ten.
class LevelGrid {
 public:
  explicit LevelGrid(int per_decade) : per_decade_(per_decade) {
    for (int i = 0; i < kDecades * per_decade + 2; ++i) excesses_.push_back(expm1(Ball(epsilon(i))).upper());
  }
  [[nodiscard]] int count() const { return static_cast<int>(excesses_.size()); }
  [[nodiscard]] double excess(int i) const { return excesses_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] double epsilon(int i) const {
    return i == 0 ? 0.0 : std::log1p(std::pow(10.0, -0.5 * kDecades + static_cast<double>(i - 1) / per_decade_));
  }
  // Divergences are convex in the level: the chord between two levels of the grid.
  template <typename Value>
  [[nodiscard]] Ball chord(const Ball& at, const Value& value) const {
    const double x = at.lower();
    const auto above = static_cast<int>(std::upper_bound(excesses_.begin(), excesses_.end(), x) - excesses_.begin());
    if (above == 0) return Ball(1);
    if (above == count()) return Ball(value(above - 1));
    const Ball low(excess(above - 1)), high(excess(above));
    const Ball share = (Ball(x) - low) / (high - low);
    return Ball(value(above - 1)) * (Ball(1) - share) + Ball(value(above)) * share;
  }

 private:
  int per_decade_;
  std::vector<double> excesses_;
};

class Places {
 public:
  explicit Places(HiddenPlaces places) : places_(std::move(places)) {
    for (const Ball& weight : places_.weights) shares_.push_back(weight.middle());
  }

  Ball bound(const Ball& epsilon) {
    const Ball room = expm1(epsilon.low_end()) * Ball(kUsed);
    const double about = room.lower();
    if (!(about > 0.0) || !std::isfinite(about)) return Ball(1);
    const std::optional<std::vector<double>> levels = chosen(about);
    return levels ? bound_of(*levels, room) : Ball(1);
  }

 private:
  [[nodiscard]] std::size_t count() const { return shares_.size(); }

  const std::vector<double>& row(int i) {
    const auto found = rows_.find(i);
    if (found != rows_.end()) return found->second;
    const WithPrecision bits(kRunBits);
    std::vector<double> values;
    for (const Ball& value : places_.deltas(Ball(grid_.epsilon(i)))) values.push_back(value.upper());
    return rows_.emplace(i, std::move(values)).first->second;
  }

  double first(int i) {
    const auto found = firsts_.find(i);
    if (found != firsts_.end()) return found->second;
    const WithPrecision bits(kRunBits);
    return firsts_.emplace(i, places_.first(Ball(fine_.epsilon(i))).upper()).first->second;
  }

  // How fast the divergence of a class falls after level i.
  double slope(std::size_t r, int i) { return (row(i)[r] - row(i + 1)[r]) / (grid_.excess(i + 1) - grid_.excess(i)); }

  // The other classes fall as fast as the first one does at its level, times g for what they lend.
  std::vector<double> alike(int vertex, double factor) {
    std::vector<double> levels(count(), 0.0);
    levels[0] = grid_.excess(vertex);
    const double target = factor * slope(0, vertex);
    int high = vertex;
    for (std::size_t r = 1; r < count() && high > 0; ++r) {
      int low = 0;
      while (low < high) {
        const int middle = (low + high) / 2;
        if (slope(r, middle) > target)
          low = middle + 1;
        else
          high = middle;
      }
      levels[r] = grid_.excess(low);
    }
    return levels;
  }

  std::optional<std::vector<double>> chosen(double room) {
    const auto spent = [&](const std::vector<double>& levels) {
      double sum = 0.0;
      for (std::size_t r = 0; r < count(); ++r) sum += shares_[r] * levels[r];
      return sum;
    };
    std::vector<double> best(count(), 0.0);
    int low = 0, high = grid_.count() - 1;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      std::vector<double> levels = alike(middle, 1.0 + room);
      if (spent(levels) > room) {
        high = middle;
      } else {
        low = middle;
        best = std::move(levels);
      }
    }
    best[0] += (room - spent(best)) / shares_[0] * kUsed;
    return best[0] >= 0.0 ? std::optional(best) : std::nullopt;
  }

  Ball at(std::size_t r, const Ball& excess) {
    if (r == 0) return fine_.chord(excess, [&](int i) { return first(i); });
    return grid_.chord(excess, [&](int i) { return row(i)[r]; });
  }

  Ball bound_of(const std::vector<double>& levels, const Ball& room) {
    Ball lent(0), borrowed(0), spent(0), sum(0);
    std::vector<Ball> values;
    std::vector<std::size_t> near, far;
    for (std::size_t r = 0; r < count(); ++r) {
      const Ball level(levels[r]);
      values.push_back(at(r, level));
      spent = spent + places_.weights[r] * level;
      if (certainly_at_most(level, room)) {
        far.push_back(r);
        lent = lent + places_.weights[r] * (room - level);
        sum = sum + places_.weights[r] * values[r];
      } else {
        near.push_back(r);
        borrowed = borrowed + places_.weights[r] * (level - room);
      }
    }
    if (near.empty()) return certainly_at_most(spent, room) ? sum : Ball(1);
    // What is borrowed is there.
    if (!certainly_less(Ball(0), lent) || !certainly_at_most(borrowed, lent)) return Ball(1);
    for (const std::size_t r : near) {
      const Ball level = Ball(1) + Ball(levels[r]);
      Ball others(0), moved(0);
      for (std::size_t j = 0; j < far.size(); ++j) {
        const std::size_t k = far[j];
        const Ball own = Ball(1) + Ball(levels[k]);
        const Ball share = places_.weights[k] * (room - Ball(levels[k])) / lent;
        if (j == 0 || levels[k] != levels[far[j - 1]]) moved = own * at(r, (Ball(levels[r]) - Ball(levels[k])) / own);
        others = others + share * (values[k] + moved);
      }
      sum = sum + places_.weights[r] / level * ((Ball(1) + room) * values[r] + (Ball(levels[r]) - room) * others);
    }
    return sum;
  }

  HiddenPlaces places_;
  LevelGrid grid_ = LevelGrid(kPerDecade), fine_ = LevelGrid(kFinePerDecade);
  std::vector<double> shares_;
  std::map<int, std::vector<double>> rows_;
  std::map<int, double> firsts_;
};

}  // namespace

Divergence hidden_place_divergence(HiddenPlaces places) {
  const auto all = std::make_shared<Places>(std::move(places));
  return [all](const Ball& epsilon) {
    const WithPrecision bits(kBits);
    return all->bound(epsilon);
  };
}

}  // namespace doeblin::verify
