// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/calibration.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"

namespace doeblin::pipeline {
namespace {

// Relative accuracy in delta at the end; a value is then decided to a small fraction of it.
constexpr double kFinalDeltaWidth = 2e-4;
// The two sides of a continuous parameter need not be closer than this.
constexpr double kClosest = 1e-9;
constexpr int kMostEvaluations = 200;
// Search between these, unless the domain is smaller.
constexpr double kSmallestValue = 1e-12;
constexpr double kLargestValue = 1e12;

class Calibration {
 public:
  Calibration(const ExpressionWithHole& expression, const Target& target, const Settings& settings,
              const std::function<void(int)>& progress)
      : expression_(expression),
        target_(target),
        settings_(settings),
        progress_(progress),
        domain_(*expression.parameter().monotone),
        safest_(domain_.larger_is_safer ? std::min(domain_.high, kLargestValue)
                                        : std::max(domain_.low, domain_.is_integer ? domain_.low : kSmallestValue)),
        boldest_(domain_.larger_is_safer ? std::max(domain_.low, domain_.is_integer ? domain_.low : kSmallestValue)
                                         : std::min(domain_.high, kLargestValue)) {}

  Calibrated solve() {
    bracket();
    if (bad_) {
      narrow();
      settings_.goal.delta_width = std::min(settings_.goal.delta_width, kFinalDeltaWidth);
      narrow();
    }
    return {good_, expression_.filled(good_, settings_), good_delta_, bad_};
  }

 private:
  // Whether a value meets the target, misses it, or lies too close to tell.
  enum class Verdict { kMeets, kMisses, kUndecided };

  Bracket evaluate(double value) {
    progress_(++evaluations_);
    return expression_.filled(value, settings_).delta(Epsilon(target_.epsilon));
  }

  Verdict try_value(double value) {
    Bracket delta;
    try {
      delta = evaluate(value);
    } catch (const InvalidArgument&) {
      // Outside of what the stage accepts (more draws than people): on the bold side of the domain.
      if (value == safest_) throw;
      bad_ = value, bad_log_ = rounding::kInfinity;
      return Verdict::kMisses;
    }
    const double log_ratio = std::log(delta.middle()) - std::log(target_.delta);
    last_ = delta;
    if (delta.upper() <= target_.delta) {
      good_ = value, good_log_ = log_ratio, good_delta_ = delta;
      return Verdict::kMeets;
    }
    if (delta.lower() > target_.delta) {
      bad_ = value, bad_log_ = log_ratio;
      return Verdict::kMisses;
    }
    return Verdict::kUndecided;
  }

  // A value further towards the safe (sign > 0) or bold side by a factor, within the search range.
  [[nodiscard]] double moved(double value, double sign, double factor) const {
    const bool up = (sign > 0.0) == domain_.larger_is_safer;
    double next = up ? value * factor : value / factor;
    if (domain_.is_integer) next = up ? std::max(std::floor(next), value + 1.0) : std::min(std::ceil(next), value - 1.0);
    return std::clamp(next, std::min(safest_, boldest_), std::max(safest_, boldest_));
  }

  // Steps that grow until both sides are known.
  void bracket() {
    const double start = std::clamp(1.0, std::min(safest_, boldest_), std::max(safest_, boldest_));
    const Verdict first = try_value(start);
    if (first != Verdict::kMeets && !walk(start, 1.0, Verdict::kMeets)) fail();
    // Without a miss, even the boldest value meets the target.
    if (first != Verdict::kMisses) walk(start, -1.0, Verdict::kMisses);
  }

  // Whether a value with the wanted verdict was found in this direction.
  bool walk(double value, double sign, Verdict wanted) {
    for (double factor = 2.0;; factor = std::min(factor * factor, 1e4)) {
      const double next = moved(value, sign, factor);
      if (next == value) return false;
      value = next;
      if (try_value(value) == wanted) return true;
    }
  }

  [[noreturn]] void fail() const {
    throw InvalidArgument(fmt::format(
        "calibrate: no value of {} meets delta <= {} at epsilon = {}: even {} gives delta >= {}", expression_.parameter().name,
        format_exact(target_.delta), format_exact(target_.epsilon), format_exact(safest_), format_down(last_.lower())));
  }

  [[nodiscard]] bool are_close() const {
    if (domain_.is_integer) return std::fabs(good_ - *bad_) <= 1.0;
    return std::fabs(good_ - *bad_) <= kClosest * std::max(good_, *bad_);
  }

  // False position on the log scale, kept away from the ends by a tenth; a bisection where a side has no finite value.
  [[nodiscard]] double between() const {
    double t = 0.5;
    if (std::isfinite(good_log_) && std::isfinite(bad_log_)) t = std::clamp(bad_log_ / (bad_log_ - good_log_), 0.02, 0.98);
    const double value = *bad_ > 0.0 && good_ > 0.0 ? *bad_ * std::pow(good_ / *bad_, t) : *bad_ + t * (good_ - *bad_);
    return domain_.is_integer ? std::clamp(std::round(value), std::min(good_, *bad_) + 1.0, std::max(good_, *bad_) - 1.0)
                              : value;
  }

  void narrow() {
    int same_side = 0;
    bool last_met = false;
    while (!are_close() && evaluations_ < kMostEvaluations) {
      // Two steps from the same side: false position is stuck, bisect.
      const double value = same_side >= 2 ? middle() : between();
      const Verdict verdict = try_value(value);
      if (verdict == Verdict::kUndecided) return step_around(value);
      const bool met = verdict == Verdict::kMeets;
      same_side = met == last_met ? same_side + 1 : 1;
      last_met = met;
    }
  }

  [[nodiscard]] double middle() const {
    const double value = *bad_ > 0.0 && good_ > 0.0 ? std::sqrt(*bad_ * good_) : 0.5 * (*bad_ + good_);
    return domain_.is_integer ? std::round(value) : value;
  }

  // The target is inside the bracket at `value`: step to both sides by as much as the slope says the bracket is wide.
  void step_around(double value) {
    const double slope = std::isfinite(good_log_) && std::isfinite(bad_log_)
                             ? std::fabs(bad_log_ - good_log_) / std::fabs(std::log(good_ / *bad_))
                             : 1.0;
    const double excess = std::log(last_.upper()) - std::log(target_.delta);
    const double shortfall = std::log(target_.delta) - std::log(std::max(last_.lower(), 1e-320));
    const auto step = [&](double sign, double distance, Verdict wanted) {
      const double limit = sign > 0.0 ? good_ : *bad_;
      for (double by = 1.05 * distance / slope + 1e-12; evaluations_ < kMostEvaluations; by *= 2.0) {
        const double next = moved(value, sign, std::exp(by));
        if (std::fabs(next - value) >= std::fabs(limit - value)) return;
        if (try_value(next) == wanted) return;
      }
    };
    step(1.0, excess, Verdict::kMeets);
    step(-1.0, shortfall, Verdict::kMisses);
  }

  const ExpressionWithHole& expression_;
  Target target_;
  Settings settings_;
  std::function<void(int)> progress_;
  Monotone domain_;
  double safest_;
  double boldest_;
  int evaluations_ = 0;
  Bracket last_;
  double good_ = 0.0;
  Bracket good_delta_;
  double good_log_ = rounding::kInfinity;
  std::optional<double> bad_;
  double bad_log_ = rounding::kInfinity;
};

}  // namespace

void Target::validate() const {
  static_cast<void>(Epsilon(epsilon));
  require(delta >= 0.0 && delta < 1.0, "delta", delta, "0 <= delta < 1");
}

Calibrated calibrate(const ExpressionWithHole& expression, const Target& target, const Settings& settings,
                     const std::function<void(int)>& progress) {
  target.validate();
  return Calibration(expression, target, settings, progress).solve();
}

}  // namespace doeblin::pipeline
