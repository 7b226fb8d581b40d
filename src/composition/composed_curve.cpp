// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "composition/loss_solver.hpp"
#include "doeblin/composition/loss_composition.hpp"

namespace doeblin {
namespace {

// The grid of the question at epsilon 0 is good for deltas above this.
constexpr double kLargeDelta = 0.1;
// Levels of delta that are up to seven standard deviations apart for bell curves, so that the grid of each is good down
// from the one before it: what tilting takes from a mass there is less than what rounding leaves of it.
constexpr double kCurveLevels[] = {2e-2, 3e-7, 1e-19, 1e-44, 1e-88, 1e-148, 1e-224, 1e-299};

// One direction of a composition, from above, for those who ask at many epsilons.
class ComposedCurve {
 public:
  ComposedCurve(std::shared_ptr<const std::vector<LossPart>> parts, AccuracyGoal goal, Direction direction)
      : parts_(std::move(parts)), goal_(goal), direction_(direction) {}

  // Every curve holds everywhere.
  [[nodiscard]] double upper(double epsilon) {
    const std::lock_guard guard(lock_);
    if (!first_) first_ = LossSolver(*parts_, goal_, {direction_}, {false, 0.0}).upper_curve();
    double least = *first_ ? (*first_)->delta(epsilon) : 1.0;
    if (least >= kLargeDelta) return std::min(least, 1.0);
    for (std::size_t i = 0; i < std::size(kCurveLevels); ++i) {
      if (i == curves_.size())
        curves_.push_back(LossSolver(*parts_, goal_, {direction_}, {true, kCurveLevels[i]}).upper_curve());
      if (curves_[i]) least = std::min(least, curves_[i]->delta(epsilon));
      if (least >= kCurveLevels[i]) break;
    }
    return least;
  }

 private:
  std::shared_ptr<const std::vector<LossPart>> parts_;
  AccuracyGoal goal_;
  Direction direction_;
  std::mutex lock_;
  std::optional<std::optional<TailCurve>> first_;
  std::vector<std::optional<TailCurve>> curves_;
};

}  // namespace

Dominating<LossPair> pair_of_composition(std::vector<LossPart> parts, AccuracyGoal goal) {
  const auto shared = std::make_shared<const std::vector<LossPart>>(std::move(parts));
  const bool is_symmetric = std::all_of(shared->begin(), shared->end(),
                                        [](const LossPart& part) { return part.pairs.dominating->symmetric; });
  const auto profile = [&](Direction direction) {
    const LossComposition composition(*shared, goal, {direction});
    const auto curve = std::make_shared<ComposedCurve>(shared, goal, direction);
    const double rest = composition.delta(Epsilon(rounding::kInfinity)).upper();
    const double bound = composition.loss_bound();
    const auto upper = [curve, rest, bound](Epsilon epsilon) {
      return Bracket(epsilon.value() >= bound ? rest : curve->upper(epsilon.value()));
    };
    return Profile(upper, {.loss_bound = bound, .goal = goal});
  };
  if (is_symmetric) return Dominating(LossPair::symmetric_of(profile(Direction::kForward)));
  return Dominating(LossPair{profile(Direction::kForward), profile(Direction::kBackward)});
}

}  // namespace doeblin
