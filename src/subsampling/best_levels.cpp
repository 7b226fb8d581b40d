// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/best_levels.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/solve.hpp"
#include "subsampling/chords.hpp"

namespace doeblin {
namespace {

using numerics::exp;
using rounding::add_up;
using rounding::mul_down;
using rounding::mul_up;

// Numbers that weigh less than this share of the answer, together, are charged in full.
constexpr double kLostWeight = 0x1p-40;
constexpr std::size_t kFirstNumbers = 4;
constexpr double kLargestExponent = 600.0;

// A chord of the divergence for one number of people.
struct Edge {
  std::size_t number;
  Chord chord;
};

bool is_steeper(const Edge& a, const Edge& b) { return a.chord.slope < b.chord.slope; }

// The weights of 1, 2, ... people, and the points of their divergences, which are made when they are first needed.
class Numbers {
 public:
  Numbers(std::function<Profile(double)> group_profile, CountWeights counts)
      : group_profile_(std::move(group_profile)), counts_(std::move(counts)) {
    rests_.push_back(counts_.rest);
    for (std::size_t j = counts_.weights.size(); j-- > 1;)
      rests_.push_back(add_up(rests_.back(), counts_.weights[j].upper()));
    std::reverse(rests_.begin(), rests_.end());
  }

  [[nodiscard]] std::size_t size() const { return counts_.weights.size() - 1; }
  [[nodiscard]] const Bracket& weight(std::size_t j) const { return counts_.weights[j]; }
  /// At least the weight of all numbers but the first.
  [[nodiscard]] double rest_after(std::size_t numbers) const { return rests_[numbers]; }

  /// Null for what has no weight.
  [[nodiscard]] const std::vector<ChordPoint>* points(std::size_t j) {
    if (counts_.weights[j].upper() == 0.0) return nullptr;
    points_.resize(std::max(points_.size(), j + 1));
    if (points_[j].empty()) points_[j] = divergence_points(group_profile_(static_cast<double>(j)));
    return &points_[j];
  }

  /// What is left where no finite loss is larger.
  [[nodiscard]] double infinite_loss() const {
    double sum = counts_.rest;
    for (std::size_t j = counts_.weights.size(); j-- > 1;) {
      if (counts_.weights[j].upper() == 0.0) continue;
      const Profile profile = group_profile_(static_cast<double>(j));
      sum = add_up(sum, mul_up(counts_.weights[j].upper(), profile.delta(Epsilon(rounding::kInfinity)).upper()));
    }
    return std::min(1.0, sum);
  }

  /// The largest loss of j people, for every j; empty if one of these is not known or some weight is left over.
  [[nodiscard]] std::vector<double> loss_bounds() const {
    std::vector<double> bounds{0.0};
    for (std::size_t j = 1; j < counts_.weights.size(); ++j) {
      const bool has_weight = counts_.weights[j].upper() > 0.0;
      bounds.push_back(has_weight ? group_profile_(static_cast<double>(j)).traits().loss_bound : 0.0);
      if (!(bounds.back() <= kLargestExponent)) return {};
    }
    return counts_.rest > 0.0 ? std::vector<double>{} : bounds;
  }

 private:
  std::function<Profile(double)> group_profile_;
  CountWeights counts_;
  std::vector<double> rests_;
  std::vector<std::vector<ChordPoint>> points_;
};

// One question at a time: tables grow while they are used.
class BestLevels {
 public:
  explicit BestLevels(Numbers numbers) : numbers_(std::move(numbers)) {}
  virtual ~BestLevels() = default;

  [[nodiscard]] double at(double epsilon) {
    const std::lock_guard guard(lock_);
    // From below: what holds for a smaller g holds for this one.
    const double g = std::max(1.0, exp(Bracket(std::min(epsilon, kLargestExponent))).lower());
    if (used_ == 0) use(std::min(kFirstNumbers, numbers_.size()));
    while (true) {
      const double sum = best_sum(g);
      const double rest = numbers_.rest_after(used_);
      if (used_ == numbers_.size() || rest <= kLostWeight * sum) return std::min(1.0, add_up(sum, rest));
      use(std::min(numbers_.size(), used_ + (used_ + 1) / 2));
    }
  }

 protected:
  virtual void add(std::size_t j, const std::vector<ChordPoint>& points) = 0;
  virtual void sort() = 0;
  [[nodiscard]] virtual double best_sum(double g) const = 0;

  [[nodiscard]] const Numbers& numbers() const { return numbers_; }
  /// w_0 (g - 1), from below.
  [[nodiscard]] double free_budget(double g) const { return mul_down(numbers_.weight(0).lower(), g - 1.0); }
  [[nodiscard]] std::size_t used() const { return used_; }

 private:
  void use(std::size_t numbers) {
    for (std::size_t j = used_ + 1; j <= numbers; ++j)
      if (const auto* points = numbers_.points(j)) add(j, *points);
    used_ = numbers;
    sort();
  }

  Numbers numbers_;
  std::mutex lock_;
  std::size_t used_ = 0;
};

// The budget for levels, and how far it goes.
class Purse {
 public:
  explicit Purse(double budget) : left_(std::max(0.0, budget)) {}

  [[nodiscard]] double left() const { return left_; }
  void add(double more) { left_ = rounding::add_down(left_, more); }
  [[nodiscard]] bool covers(double cost) const { return cost <= left_; }
  void pay(double cost) { left_ = std::max(0.0, rounding::sub_down(left_, cost)); }
  /// A level that it covers, from here towards there, at so much for each unit.
  [[nodiscard]] double farthest(double from, double to, double price) const {
    double level = std::clamp(from + rounding::div_down(left_, price), from, to);
    while (level > from && !covers(mul_up(price, rounding::sub_up(level, from)))) level = rounding::next_down(level);
    return level;
  }

 private:
  double left_;
};

class BestCounts final : public BestLevels {
 public:
  using BestLevels::BestLevels;

 protected:
  void add(std::size_t j, const std::vector<ChordPoint>& points) override {
    ends_.resize(j + 1);
    ends_[j] = points.back();
    for (const Chord& chord : convex_chords(points)) edges_.push_back({j, chord});
  }

  void sort() override { std::sort(edges_.begin(), edges_.end(), is_steeper); }

  [[nodiscard]] double best_sum(double g) const override {
    // Everybody at g first, then along the steepest chords.
    std::vector<double> values(used() + 1, 0.0);
    for (std::size_t j = 1; j < ends_.size(); ++j) values[j] = ends_[j].value;
    for (const Edge& edge : edges_)
      if (edge.chord.from.at <= g && g < edge.chord.to.at) values[edge.number] = edge.chord.value_at(g);
    Purse purse(free_budget(g));
    for (const Edge& edge : edges_) {
      const double from = std::max(edge.chord.from.at, g);
      if (!(edge.chord.to.at > from) || edge.chord.slope >= 0.0) continue;
      const double price = numbers().weight(edge.number).upper();
      const double cost = mul_up(price, rounding::sub_up(edge.chord.to.at, from));
      if (purse.covers(cost)) {
        purse.pay(cost);
        values[edge.number] = edge.chord.to.value;
        continue;
      }
      values[edge.number] = edge.chord.value_at(purse.farthest(from, edge.chord.to.at, price));
      break;
    }
    double sum = 0.0;
    for (std::size_t j = values.size(); j-- > 1;) sum = add_up(sum, mul_up(numbers().weight(j).upper(), values[j]));
    return sum;
  }

 private:
  std::vector<Edge> edges_;
  std::vector<ChordPoint> ends_;
};

class BestExchanges final : public BestLevels {
 public:
  using BestLevels::BestLevels;

 protected:
  void add(std::size_t j, const std::vector<ChordPoint>& points) override {
    for (const Chord& chord : convex_chords(continued_to_zero(points))) falling_.push_back({j, chord});
    for (const Chord& chord : convex_chords(perspective(points))) rising_.push_back({j, chord});
  }

  void sort() override {
    std::sort(falling_.begin(), falling_.end(), is_steeper);
    std::sort(rising_.begin(), rising_.end(), is_steeper);
  }

  [[nodiscard]] double best_sum(double g) const override {
    // All levels begin at 0, where divergences of the first kind are 1 and of the second 0.
    std::vector<double> first(used() + 1, 1.0), second(used() + 1, 0.0);
    Purse purse(free_budget(g));
    auto cheapest = rising_.begin();
    double sold = 0.0;  // how far along the cheapest
    for (const Edge& edge : falling_) {
      if (edge.chord.slope >= 0.0) continue;
      const double price = numbers().weight(edge.number).upper();
      const double cost = mul_up(price, rounding::sub_up(edge.chord.to.at, edge.chord.from.at));
      // What a level of the second kind adds to the budget costs as much as its slope.
      while (!purse.covers(cost) && cheapest != rising_.end() && cheapest->chord.slope < -edge.chord.slope) {
        const Chord& chord = cheapest->chord;
        const double from = std::max(sold, chord.from.at);
        const double gain = mul_down(g, numbers().weight(cheapest->number).lower());
        // A little more, so that rounding leaves enough.
        const double wanted = (from + (1.0 + 1e-12) * (cost - purse.left()) / gain) * (1.0 + 8.0 * rounding::kUnit);
        sold = wanted > from && wanted < chord.to.at ? wanted : chord.to.at;
        purse.add(mul_down(gain, rounding::sub_down(sold, from)));
        second[cheapest->number] = chord.rising_value_at(sold);
        if (sold == chord.to.at) {
          ++cheapest;
          sold = 0.0;
        }
      }
      if (purse.covers(cost)) {
        purse.pay(cost);
        first[edge.number] = edge.chord.to.value;
        continue;
      }
      first[edge.number] = edge.chord.value_at(purse.farthest(edge.chord.from.at, edge.chord.to.at, price));
      break;
    }
    double sum = 0.0;
    for (std::size_t j = first.size(); j-- > 1;)
      sum = add_up(sum, mul_up(numbers().weight(j).upper(), add_up(first[j], mul_up(g, second[j]))));
    return sum;
  }

 private:
  std::vector<Edge> falling_;
  std::vector<Edge> rising_;
};

// From where on every number can have its largest loss as its level, or epsilon where that is more:
// sum_j w_j (e^{B_j} - g)_+ <= w_0 (g - 1).
double largest_loss(const Numbers& numbers) {
  const std::vector<double> bounds = numbers.loss_bounds();
  if (bounds.empty()) return rounding::kInfinity;
  const auto is_enough = [&](double epsilon) {
    const Bracket g = exp(Bracket(epsilon));
    double used = 0.0;
    for (std::size_t j = 1; j < bounds.size(); ++j)
      if (bounds[j] > epsilon)
        used = add_up(used, mul_up(numbers.weight(j).upper(), (exp(Bracket(bounds[j])) - g).upper()));
    return used <= mul_down(numbers.weight(0).lower(), rounding::sub_down(g.lower(), 1.0));
  };
  const double most = *std::max_element(bounds.begin(), bounds.end());
  return numerics::narrowed(numerics::Sides<double>{.safe = most, .unsafe = 0.0}, is_enough,
                            numerics::Halving{.steps = 100, .width = 1e-13})
      .safe;
}

// log(E[e^{B_j}]/E[e^{-B_j}]); where something is impossible once somebody takes part, all that is left of it on the other
// side is what everybody else leaves, w_0.
double largest_exchange(const Numbers& numbers, bool is_something_impossible) {
  const std::vector<double> bounds = numbers.loss_bounds();
  if (bounds.empty()) return rounding::kInfinity;
  Bracket above = numbers.weight(0), below = numbers.weight(0);
  for (std::size_t j = 1; j < bounds.size(); ++j) {
    above = above + numbers.weight(j) * exp(Bracket(bounds[j]));
    if (!is_something_impossible) below = below + numbers.weight(j) * exp(Bracket(-bounds[j]));
  }
  return below.lower() > 0.0 ? numerics::log(above / below).upper() : rounding::kInfinity;
}

Profile profile_by(const std::shared_ptr<BestLevels>& levels, double loss_bound, double infinite_loss) {
  return Profile(
      [=](Epsilon epsilon) {
        return Bracket(0.0, epsilon.value() >= loss_bound ? infinite_loss : levels->at(epsilon.value()));
      },
      {.tight = false, .loss_bound = loss_bound});
}

}  // namespace

Profile best_counts(const std::function<Profile(double)>& group_profile, const CountWeights& counts) {
  const Numbers numbers(group_profile, counts);
  return profile_by(std::make_shared<BestCounts>(numbers), largest_loss(numbers), numbers.infinite_loss());
}

Profile best_exchanges(const std::function<Profile(double)>& group_profile, const CountWeights& counts) {
  const Numbers numbers(group_profile, counts);
  const double infinite = numbers.infinite_loss();
  return profile_by(std::make_shared<BestExchanges>(numbers), largest_exchange(numbers, infinite > 0.0), infinite);
}

}  // namespace doeblin
