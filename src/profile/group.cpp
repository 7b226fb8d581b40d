// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/group.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "doeblin/core/whole.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/black_box.hpp"

namespace doeblin {
namespace {

constexpr double kNegligibleDelta = 1e-290;
constexpr double kLargestUseful = 1e6;

// log((e^eps - 1)/(e^{eps/k} - 1)), with eps/k given as a bracket so that nothing overflows.
Bracket log_growth(double epsilon, const Bracket& share, double k) {
  if (epsilon == 0.0 || share.lower() <= 0.0) return {0.0, numerics::log(Bracket(k)).upper() + epsilon};
  const auto log_rise = [](const Bracket& x) { return numerics::log(-numerics::expm1(-x)); };
  return Bracket(epsilon) - share + log_rise(Bracket(epsilon)) - log_rise(share);
}

// (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k).
double rule_upper(const Profile& profile, double k, double epsilon) {
  const Bracket share = Bracket(epsilon) / k;
  const double at_share = profile.delta(Epsilon(share.lower())).upper();
  if (at_share == 0.0) return 0.0;
  if (std::isinf(epsilon)) return 1.0;
  if (epsilon == 0.0) return std::min(1.0, rounding::mul_up(k, at_share));
  return std::min(1.0, numerics::exp(log_growth(epsilon, share, k) + numerics::log(Bracket(at_share))).upper());
}

// An epsilon from which on the rule says nothing better: where the profile is constant, or has fallen to the end of the
// doubles, only the growth factor changes.
double last_useful(const Profile& profile, double k) {
  double settled = std::min(profile.traits().loss_bound, profile.epsilon(Delta(kNegligibleDelta)).upper());
  if (std::isinf(settled)) {
    // A profile that does not fall so far: twice its last value.
    const double least = profile.delta(Epsilon(kLargestUseful)).upper();
    for (settled = 1.0; settled < kLargestUseful && profile.delta(Epsilon(settled)).upper() > 2.0 * least;)
      settled *= 2.0;
  }
  return rounding::mul_up(std::min(settled, kLargestUseful), k);
}

// The rule at the best smaller epsilon, which holds too: delta_k never increases, the rule does where the profile falls
// slowly. Between the points of a grid it is the rule itself, kept between what is known at both of them.
class RunningRule {
 public:
  RunningRule(Profile profile, double k, double last) : profile_(std::move(profile)), k_(k), last_(last) {}

  [[nodiscard]] double upper(double epsilon) {
    std::call_once(once_, [this] { tabulate(); });
    if (epsilon >= last_) return minima_.back();
    const auto next = std::upper_bound(points_.begin(), points_.end(), epsilon) - points_.begin();
    const double here = std::min(rule_upper(profile_, k_, epsilon), minima_[static_cast<std::size_t>(next - 1)]);
    return std::max(here, minima_[static_cast<std::size_t>(next)]);
  }

 private:
  // Even steps, which suit profiles with kinks, and steps that double for small epsilons.
  void tabulate() {
    const int count = profile_.traits().costly ? kCostlyPoints : kPoints;
    points_ = {0.0};
    for (double small = last_ / count / 2.0; points_.size() < 8; small /= 2.0) points_.push_back(small);
    for (int i = 1; i < count; ++i) points_.push_back(last_ * (i / static_cast<double>(count)));
    points_.push_back(last_);
    std::sort(points_.begin(), points_.end());
    minima_.reserve(points_.size());
    for (const double point : points_)
      minima_.push_back(std::min(minima_.empty() ? 1.0 : minima_.back(), rule_upper(profile_, k_, point)));
  }

  static constexpr int kPoints = 200;
  static constexpr int kCostlyPoints = 24;

  Profile profile_;
  double k_;
  double last_;
  std::once_flag once_;
  std::vector<double> points_;
  std::vector<double> minima_;
};

// A pure eps0-DP mechanism is pure k eps0-DP for k people, with all that P4 says about that.
std::optional<BlackBox> pure_level(const Profile& profile, double k) {
  const double level = rounding::mul_up(profile.traits().loss_bound, k);
  if (!std::isfinite(level) || profile.delta(Epsilon(rounding::kInfinity)).upper() > 0.0) return std::nullopt;
  return BlackBox{level, 0.0};
}

}  // namespace

void require_group_size(double k) { require_whole("k", k, 1.0, 0x1p53); }

Profile black_box_group(const Profile& profile, double k) {
  require_group_size(k);
  if (k == 1.0) return profile;
  const double last = last_useful(profile, k);
  const std::optional<BlackBox> pure = pure_level(profile, k);
  const auto rule = std::make_shared<RunningRule>(profile, k, last);
  const auto delta = [profile, rule, pure](Epsilon epsilon) {
    const double lower = profile.delta(epsilon).lower();
    double upper = rule->upper(epsilon.value());
    if (pure) upper = std::min(upper, doeblin::delta(*pure, epsilon).upper());
    return Bracket(std::min(lower, upper), upper);
  };
  return Profile(delta, {.tight = false,
                         .loss_bound = pure ? pure->epsilon : last,
                         .log_concave = false,
                         .costly = profile.traits().costly});
}

namespace {

// More people than this take orders that are too large to say anything.
constexpr double kMostSteps = 64.0;

// The triangle inequality of Renyi divergences: with 1/p + 1/q = 1, D_alpha(P||R) is at most
// (alpha - 1/p)/(alpha - 1) D_{p alpha}(P||Q) + D_{q (alpha - 1/p)}(Q||R). Half of the people on each side of Q.
double by_halves(const RenyiCurve& renyi, const Bracket& alpha, double k) {
  if (k == 1.0) return renyi.at(Alpha(alpha.upper())).upper();
  double best = rounding::kInfinity;
  for (const double p : k > 4.0 ? std::vector<double>{2.0} : std::vector<double>{1.25, 2.0, 5.0}) {
    const Bracket rest = alpha - 1.0 / Bracket(p);
    const double far = by_halves(renyi, p * alpha, std::ceil(k / 2.0));
    const double near = by_halves(renyi, p / (Bracket(p) - 1.0) * rest, std::floor(k / 2.0));
    if (std::isinf(far) || std::isinf(near)) continue;
    best = std::min(best, (rest / (alpha - 1.0) * far + near).upper());
  }
  return best;
}

}  // namespace

RenyiCurve black_box_group_renyi(const Profile& profile, const RenyiCurve& renyi, double k) {
  require_group_size(k);
  if (k == 1.0) return renyi;
  const std::optional<BlackBox> pure = pure_level(profile, k);
  const auto divergence = [renyi, pure, k](Alpha alpha) {
    const double lower = renyi.at(alpha).lower();
    double upper = pure ? rdp(*pure, alpha).upper() : rounding::kInfinity;
    if (k <= kMostSteps && std::isfinite(alpha.value()))
      upper = std::min(upper, by_halves(renyi, Bracket(alpha.value()), k));
    return Bracket(std::min(lower, upper), upper);
  };
  // Every half doubles the order.
  const double doublings = std::exp2(std::ceil(std::log2(k)));
  const bool is_known = k <= kMostSteps && profile.delta(Epsilon(rounding::kInfinity)).lower() == 0.0;
  const double largest = is_known ? std::max(1.0, renyi.traits().largest_order / doublings) : 1.0;
  return RenyiCurve(divergence,
                    {.largest_order = pure ? rounding::kInfinity : largest, .tight = false, .is_of_profile = !pure});
}

}  // namespace doeblin
