// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/calibration.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/numerics/solve.hpp"

namespace doeblin::pipeline {
namespace {

// The two sides of a continuous parameter need not be closer than this.
constexpr double kClosest = 1e-9;
constexpr int kMostEvaluations = 200;
// Search between these, unless the domain is smaller.
constexpr double kSmallestValue = 1e-12;
constexpr double kLargestValue = 1e12;

class Calibration {
 public:
  Calibration(const Unknown& unknown, const Target& target, const Settings& settings,
              const std::function<void(int)>& progress, const CalibrationSearch& search)
      : unknown_(unknown),
        target_(target),
        settings_(settings),
        progress_(progress),
        search_(search),
        domain_(unknown.domain),
        safest_(domain_.larger_is_safer ? std::min(domain_.high, kLargestValue)
                                        : std::max(domain_.low, domain_.is_integer ? domain_.low : kSmallestValue)),
        boldest_(domain_.larger_is_safer ? std::max(domain_.low, domain_.is_integer ? domain_.low : kSmallestValue)
                                         : std::min(domain_.high, kLargestValue)) {}

  Calibrated solve() {
    bracket();
    if (over_) {
      narrow();
      settings_.goal.delta_width = std::min(settings_.goal.delta_width, search_.delta_width);
      // What was decided on a coarse bracket may look different on a fine one.
      if (settings_.goal.delta_width < coarse_width_) {
        reopen();
        narrow();
      }
      not_known_ = over_;
      // Where the lower end says nothing, no value is certain to miss.
      if (good_delta_.lower() > 0.0) find_miss();
      if (misses_ && std::fabs(*misses_ - good_) < std::fabs(*not_known_ - good_)) not_known_ = misses_;
    }
    return {good_, pipeline::evaluate(unknown_.filled(good_), settings_), good_delta_, misses_, not_known_};
  }

 private:
  Bracket evaluate(double value) {
    progress_(++evaluations_);
    const Pipeline pipeline = pipeline::evaluate(unknown_.filled(value), settings_);
    is_costly_ = pipeline.mechanism().profile().traits().costly;
    return pipeline.delta(Epsilon(target_.epsilon));
  }

  // Whether a value certainly meets the target.
  bool meets(double value) {
    Bracket delta(1.0);
    try {
      delta = evaluate(value);
    } catch (const InvalidArgument&) {
      // Outside of what the stage accepts (more draws than people): on the bold side of the domain.
      if (value == safest_) throw;
    }
    last_ = delta;
    const double log_ratio = std::log(delta.upper()) - std::log(target_.delta);
    if (delta.lower() > target_.delta && (!misses_ || std::fabs(value - good_) < std::fabs(*misses_ - good_)))
      misses_ = value;
    if (delta.upper() <= target_.delta) {
      good_ = value, good_log_ = log_ratio, good_delta_ = delta;
      return true;
    }
    over_ = value, over_log_ = log_ratio;
    return false;
  }

  // A value further towards the safe (sign > 0) or bold side by a factor, within the search range.
  [[nodiscard]] double moved(double value, double sign, double factor) const {
    const bool up = (sign > 0.0) == domain_.larger_is_safer;
    double next = up ? value * factor : value / factor;
    if (domain_.is_integer)
      next = up ? std::max(std::floor(next), value + 1.0) : std::min(std::ceil(next), value - 1.0);
    return std::clamp(next, std::min(safest_, boldest_), std::max(safest_, boldest_));
  }

  // Steps that grow until both sides are known.
  void bracket() {
    const double start = std::clamp(search_.guess, std::min(safest_, boldest_), std::max(safest_, boldest_));
    const bool met = meets(start);
    if (!met && !walk(start, 1.0, true)) fail();
    // If nothing is over, even the boldest value meets the target.
    if (met) walk(start, -1.0, false);
  }

  // Whether a value that meets the target, or one that does not, was found in this direction.
  bool walk(double value, double sign, bool wanted) {
    for (double factor = search_.first_factor;; factor = std::min(factor * factor, 1e4)) {
      const double next = moved(value, sign, factor);
      if (next == value) return false;
      value = next;
      if (meets(value) == wanted) return true;
    }
  }

  // Both ends again under the present settings, a little further apart until they hold.
  void reopen() {
    const double good = good_;
    const double over = *over_;
    if (!meets(good)) walk_slowly(good, 1.0, true);
    if (meets(over)) walk_slowly(over, -1.0, false);
  }

  void walk_slowly(double value, double sign, bool wanted) {
    for (double factor = 1.0 + 1e-4; evaluations_ < kMostEvaluations; factor *= factor) {
      value = moved(value, sign, factor);
      if (meets(value) == wanted) return;
    }
  }

  [[noreturn]] void fail() const {
    throw InvalidArgument(fmt::format(
        "calibrate: no value of {} meets delta <= {} at epsilon = {}: even {} gives delta >= {}", unknown_.parameter,
        format_exact(target_.delta), format_exact(target_.epsilon), format_exact(safest_), format_down(last_.lower())));
  }

  [[nodiscard]] bool is_close_enough() const {
    if (domain_.is_integer) return std::fabs(good_ - *over_) <= 1.0;
    // A slow profile has a bracket of its own width: closer than a part of that is not worth a second.
    if (is_costly_ && good_log_ > -0.25 * settings_.goal.delta_width) return true;
    return std::fabs(good_ - *over_) <= kClosest * std::max(good_, *over_);
  }

  // False position on the log scale, kept away from the ends; the middle where a side has no finite value.
  [[nodiscard]] double between(bool bisect) const {
    const double t = bisect ? 0.5 : numerics::FalsePosition{.lean = 1e-3, .least = 0.01}.share(over_log_, good_log_);
    const double value =
        *over_ > 0.0 && good_ > 0.0 ? *over_ * std::pow(good_ / *over_, t) : *over_ + t * (good_ - *over_);
    if (!domain_.is_integer) return value;
    return std::clamp(std::round(value), std::min(good_, *over_) + 1.0, std::max(good_, *over_) - 1.0);
  }

  void narrow() {
    numerics::SameSide side;
    while (!is_close_enough() && evaluations_ < kMostEvaluations) side.moved(meets(between(side.is_stuck())));
    coarse_width_ = is_costly_ ? settings_.goal.delta_width : 0.0;
  }

  // A value close to the answer that certainly misses the target, further out as the width of the bracket demands.
  void find_miss() {
    const double slope = std::isfinite(good_log_) && std::isfinite(over_log_) && good_ > 0.0 && *over_ > 0.0
                             ? std::max(1e-3, std::fabs(over_log_ - good_log_) / std::fabs(std::log(good_ / *over_)))
                             : 1.0;
    double value = good_;
    double by = 1.5 * std::log(good_delta_.upper() / std::max(good_delta_.lower(), 1e-3 * good_delta_.upper())) / slope;
    if (misses_ && std::fabs(std::log(good_ / *misses_)) <= 2.0 * by) return;
    for (int i = 0; i < 12; ++i, by *= 2.0) {
      const double next = moved(value, -1.0, std::exp(std::max(by, 1e-9)));
      if (next == value || (misses_ && std::fabs(next - good_) >= std::fabs(*misses_ - good_))) return;
      const double good = good_, good_log = good_log_;
      const Bracket good_delta = good_delta_;
      const bool met = meets(next);
      // Beyond `over_` nothing is better, whatever one more evaluation says.
      if (met) good_ = good, good_log_ = good_log, good_delta_ = good_delta;
      if (misses_ && *misses_ == next) return;
    }
  }

  const Unknown& unknown_;
  Target target_;
  Settings settings_;
  std::function<void(int)> progress_;
  CalibrationSearch search_;
  language::Monotone domain_;
  double safest_;
  double boldest_;
  int evaluations_ = 0;
  bool is_costly_ = false;
  double coarse_width_ = 0.0;
  Bracket last_;
  double good_ = 0.0;
  double good_log_ = rounding::kInfinity;
  Bracket good_delta_;
  std::optional<double> over_;  // does not certainly meet the target
  double over_log_ = rounding::kInfinity;
  std::optional<double> not_known_;
  std::optional<double> misses_;  // certainly does not meet it
};

}  // namespace

void Target::validate() const {
  static_cast<void>(Epsilon(epsilon));
  require(delta >= 0.0 && delta < 1.0, "delta", delta, "0 <= delta < 1");
}

Unknown unknown_of(const Program& program) {
  const std::vector<language::ArgumentPlace> open = holes_of(program);
  if (open.empty()) throw InvalidArgument("calibrate: nothing is open, so there is nothing to solve for");
  std::optional<language::Monotone> domain;
  for (const auto& [call, parameter] : open) {
    const language::Parameter* const known = language::find_schema(call->name)->parameter(parameter);
    if (!known->monotone)
      throw InvalidArgument(parameter + " of " + call->name +
                            " cannot be solved for: the guarantee is not monotone in it");
    const language::Monotone more = domain_of(*call, parameter);
    if (!domain) domain = more;
    if (more.larger_is_safer != domain->larger_is_safer)
      throw InvalidArgument("calibrate: a larger " + open[0].parameter + " and a larger " + parameter +
                            " have opposite effects, need one argument");
    domain->low = std::max(domain->low, more.low);
    domain->high = std::min(domain->high, more.high);
    domain->is_integer = domain->is_integer || more.is_integer;
  }
  if (!(domain->low <= domain->high))
    throw InvalidArgument("calibrate: no number suits all of the open arguments, need one of them");
  return {open[0].call->name, open[0].parameter, *domain,
          [program](double value) { return language::filled(program, value); }};
}

Calibrated calibrate(const Unknown& unknown, const Target& target, const Settings& settings,
                     const std::function<void(int)>& progress, const CalibrationSearch& search) {
  target.validate();
  require(search.guess > 0.0 && std::isfinite(search.guess), "guess", search.guess, "0 < guess < infinity");
  return Calibration(unknown, target, settings, progress, search).solve();
}

}  // namespace doeblin::pipeline
