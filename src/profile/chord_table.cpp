// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/chord_table.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "doeblin/core/error.hpp"
#include "doeblin/numerics/elementary.hpp"

namespace doeblin {

struct ChordTable::Known {
  explicit Known(ChordNodes source) : more(std::move(source)) {}

  ChordNodes more;
  std::mutex lock = {};
  std::vector<ChordNode> nodes = {};
  bool is_complete = false;

  void extend() {
    std::optional<ChordNode> node = more();
    is_complete = !node;
    if (!node) return;
    // A value that rounding made larger than the one before it is none.
    if (!nodes.empty()) node->delta = std::min(node->delta, nodes.back().delta);
    nodes.push_back(*node);
  }
};

ChordTable::ChordTable(ChordNodes nodes) : known_(std::make_shared<Known>(std::move(nodes))) {}

double ChordTable::upper(double epsilon) const {
  const std::lock_guard guard(known_->lock);
  const std::vector<ChordNode>& nodes = known_->nodes;
  while (!known_->is_complete && (nodes.empty() || nodes.back().epsilon <= epsilon)) known_->extend();
  const auto after = std::upper_bound(nodes.begin(), nodes.end(), epsilon,
                                      [](double x, const ChordNode& node) { return x < node.epsilon; });
  ensure(after != nodes.begin(), "a table is asked where it has nodes");
  const ChordNode& left = *std::prev(after);
  if (after == nodes.end()) return left.delta;
  // Along the chord in e^eps: (e^eps - e^a)/(e^b - e^a), from below because the chord falls.
  const Bracket share =
      numerics::expm1(Bracket(epsilon) - left.epsilon) / numerics::expm1(Bracket(after->epsilon) - left.epsilon);
  const double least = std::clamp(share.lower(), 0.0, 1.0);
  const double fall = rounding::mul_down(least, rounding::sub_down(left.delta, after->delta));
  return std::min(left.delta, rounding::sub_up(left.delta, fall));
}

namespace {

// A chord over a length h is above c e^{-s eps} by s (s + 1) h^2/8, relatively.
constexpr double kLeastExcess = 1e-3;
// The log of 1/delta from which on the excess grows.
constexpr double kBulk = 5.0;
constexpr double kLeastDelta = 1e-300;
constexpr double kFarthest = 700.0;
constexpr double kFirstStep = 1e-3;
constexpr double kMostGrowth = 2.0;

class NodesBySlope {
 public:
  explicit NodesBySlope(Profile profile)
      : profile_(std::move(profile)), end_(std::min(profile_.traits().loss_bound, kFarthest)) {}

  std::optional<ChordNode> operator()() {
    if (!last_) return last_ = at(0.0);
    if (!(last_->delta > kLeastDelta) || !(last_->epsilon < end_)) return std::nullopt;
    const ChordNode node = at(std::min(end_, last_->epsilon + step_));
    const double fall = std::max(0.0, std::log(last_->delta) - std::log(node.delta));
    const double slope = fall / (node.epsilon - last_->epsilon);
    const double growth = 1.0 - std::log(node.delta) / kBulk;
    step_ = std::min(kMostGrowth * step_, std::sqrt(8.0 * kLeastExcess / (slope * (slope + 1.0))) * growth);
    return last_ = node;
  }

 private:
  [[nodiscard]] ChordNode at(double epsilon) const { return {epsilon, profile_.delta(Epsilon(epsilon)).upper()}; }

  Profile profile_;
  double end_;
  double step_ = kFirstStep;
  std::optional<ChordNode> last_;
};

}  // namespace

ChordNodes nodes_by_slope(const Profile& profile) { return NodesBySlope(profile); }

Profile tabulated(const Profile& profile) {
  const ChordTable table(nodes_by_slope(profile));
  // What is left at infinity is asked for itself: it would take all of the table.
  const auto upper = [profile, table](Epsilon epsilon) {
    return Bracket(std::isinf(epsilon.value()) ? profile.delta(epsilon).upper() : table.upper(epsilon.value()));
  };
  return Profile(upper, {.loss_bound = profile.traits().loss_bound, .goal = profile.traits().goal});
}

}  // namespace doeblin
