// SPDX-License-Identifier: Apache-2.0
#include "verify/subsampling/noise_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "verify/known.hpp"

namespace doeblin::verify {
namespace {

// Doubles are whole up to here.
constexpr double kMostWhole = 0x1p50;
constexpr int kMostDoublings = 60;
// How close to the point found in doubles signs are tried first, and by how much further after that.
constexpr double kFirstTry = 0x1p-40;
constexpr double kNextTry = 256.0;
constexpr int kMostTries = 12;
constexpr double kMostCandidates = 64.0;

double centre_of(const ShiftedMixture& mixture) {
  double centre = 0.0;
  for (const ShiftedPart& part : mixture) centre += part.weight.middle() * part.mean.middle();
  return centre;
}

ShiftedMixture reflected(ShiftedMixture mixture) {
  for (ShiftedPart& part : mixture) part.mean = -part.mean;
  return mixture;
}

// E[e^{rate x}] of the means.
Ball tilted(const ShiftedMixture& mixture, const Ball& rate) {
  Ball sum(0);
  for (const ShiftedPart& part : mixture) sum = sum + part.weight * exp(part.mean * rate);
  return sum;
}

// In doubles, for searching.
class LogMixture {
 public:
  LogMixture(const AddedNoise& noise, const ShiftedMixture& mixture) : noise_(noise) {
    for (const ShiftedPart& part : mixture)
      if (const double weight = part.weight.middle(); weight > 0.0)
        parts_.push_back({std::log(weight), part.mean.middle()});
    logs_.resize(parts_.size());
  }

  double at(double z) {
    double largest = -HUGE_VAL;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      logs_[i] = parts_[i].log_weight + noise_.log_density(z - parts_[i].mean);
      largest = std::max(largest, logs_[i]);
    }
    double sum = 0.0;
    for (const double log : logs_) sum += std::exp(log - largest);
    return largest + std::log(sum);
  }

 private:
  struct Part {
    double log_weight, mean;
  };
  const AddedNoise& noise_;
  std::vector<Part> parts_;
  std::vector<double> logs_;
};

// P right of Q: P/Q grows.
class HalfLine {
 public:
  HalfLine(const AddedNoise& noise, const ShiftedMixture& p, const ShiftedMixture& q, const Ball& epsilon)
      : noise_(noise), p_(p), q_(q), epsilon_(epsilon), growth_(exp(epsilon)) {}

  [[nodiscard]] Ball divergence() const {
    const std::optional<double> about = found();
    std::optional<Ball> value;
    if (about) value = noise_.is_whole ? at_whole(std::ceil(*about)) : at_point(*about);
    return value ? positive_part(*value) : Ball::between(Ball(0), rest());
  }

 private:
  [[nodiscard]] Ball excess(const Ball& z) const {
    Ball sum(0);
    for (const ShiftedPart& part : p_) sum = sum + part.weight * noise_.density(z - part.mean);
    for (const ShiftedPart& part : q_) sum = sum - growth_ * part.weight * noise_.density(z - part.mean);
    return sum;
  }

  // P - e^eps Q of the half-line from z on.
  [[nodiscard]] Ball gained(const Ball& z) const {
    Ball sum(0);
    for (const ShiftedPart& part : p_) sum = sum + part.weight * noise_.above(z - part.mean);
    for (const ShiftedPart& part : q_) sum = sum - growth_ * part.weight * noise_.above(z - part.mean);
    return sum;
  }

  /// About where P reaches e^eps Q; empty if that seems to be nowhere.
  [[nodiscard]] std::optional<double> found() const {
    LogMixture p(noise_, p_), q(noise_, q_);
    const double level = epsilon_.middle();
    const auto is_below = [&](double z) { return p.at(z) - q.at(z) < level; };
    double low = -noise_.scale, high = noise_.scale;
    for (int i = 0; i < kMostDoublings && !is_below(low); ++i) low *= 2.0;
    for (int i = 0; i < kMostDoublings && is_below(high); ++i) high *= 2.0;
    if (is_below(high)) return std::nullopt;
    while (true) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) return high;
      (is_below(middle) ? low : high) = middle;
    }
  }

  // Certainly negative at one end, certainly positive at the other.
  struct Signs {
    Ball low, high;
    Ball at_low, at_high;
  };

  [[nodiscard]] std::optional<Signs> signs(const Ball& low, const Ball& high) const {
    Signs both{.low = low, .high = high, .at_low = excess(low), .at_high = excess(high)};
    if (!certainly_less(both.at_low, Ball(0)) || !certainly_less(Ball(0), both.at_high)) return std::nullopt;
    return both;
  }

  [[nodiscard]] std::optional<Signs> signs_around(double about) const {
    double width = kFirstTry * std::max(std::fabs(about), noise_.scale);
    if (noise_.is_whole) width = std::max(1.0, std::round(width));
    for (int i = 0; i < kMostTries; ++i, width *= kNextTry)
      if (auto both = signs(Ball(about - width), Ball(about + width))) return both;
    return std::nullopt;
  }

  // Secants, whose distance from the crossing is of the second order.
  [[nodiscard]] Signs closer(Signs both) const {
    const Ball scale(std::max(noise_.scale, std::fabs(both.low.middle())));
    Ball enough = scale;
    arb_mul_2exp_si(enough.get(), enough.get(), -precision() / 2);
    for (int i = 0; i < kMostTries; ++i) {
      const Ball width = both.high - both.low;
      if (certainly_less(width, enough)) break;
      Ball z = both.low + width * both.at_low / (both.at_low - both.at_high);
      arb_get_mid_arb(z.get(), z.get());
      const Ball near = square(width) * Ball(kNextTry) / scale;
      const auto next = signs(Ball(z - near).low_end(), Ball(z + near).high_end());
      if (!next) break;
      both = *next;
    }
    return both;
  }

  // What the half-line from the left end on misses is at most the width times the largest density between the ends: of
  // the second order in the width.
  [[nodiscard]] std::optional<Ball> at_point(double about) const {
    const std::optional<Signs> around = signs_around(about);
    if (!around) return std::nullopt;
    const Signs both = closer(*around);
    const Ball missed = absolute(excess(Ball::between(both.low, both.high))) * (both.high - both.low);
    const Ball value = gained(both.low);
    return Ball::between(value, value + missed.high_end());
  }

  // The half-lines from every integer between the signs on.
  [[nodiscard]] std::optional<Ball> at_whole(double about) const {
    const std::optional<Signs> both = std::fabs(about) < kMostWhole ? signs_around(about) : std::nullopt;
    if (!both) return std::nullopt;
    double low = both->low.middle(), high = both->high.middle();
    while (high - low > 1.0) {
      const double middle = std::floor(0.5 * (low + high));
      const Ball value = excess(Ball(middle));
      if (certainly_less(value, Ball(0)))
        low = middle;
      else if (certainly_less(Ball(0), value))
        high = middle;
      else
        break;
    }
    if (!(high - low <= kMostCandidates)) return std::nullopt;
    Ball best = gained(Ball(high));
    for (double m = low + 1.0; m < high; m += 1.0) best = max(best, gained(Ball(m)));
    return best;
  }

  // Where no crossing is enclosed: Q times the largest of P/Q - e^eps, or P beyond a point before the crossing.
  [[nodiscard]] Ball rest() const {
    Ball most(1);
    if (noise_.rate) most = min(most, positive_part(tilted(p_, *noise_.rate) / tilted(q_, *noise_.rate) - growth_));
    double far = noise_.scale;
    for (int i = 0; i < kMostDoublings; ++i) far *= 2.0;
    for (; far > noise_.scale; far /= 16.0) {
      const Ball z(noise_.is_whole ? std::min(std::floor(far), kMostWhole) : far);
      if (!certainly_at_most(excess(z), Ball(0))) continue;
      Ball beyond(0);
      for (const ShiftedPart& part : p_) beyond = beyond + part.weight * noise_.above(z - part.mean);
      return min(most, beyond);
    }
    return most;
  }

  const AddedNoise& noise_;
  const ShiftedMixture& p_;
  const ShiftedMixture& q_;
  Ball epsilon_, growth_;
};

}  // namespace

Ball divergence(const AddedNoise& noise, const ShiftedMixture& p, const ShiftedMixture& q, const Ball& epsilon) {
  if (centre_of(p) < centre_of(q)) return divergence(noise, reflected(p), reflected(q), epsilon);
  return HalfLine(noise, p, q, epsilon).divergence();
}

std::optional<Ball> largest_loss(const AddedNoise& noise, const ShiftedMixture& p, const ShiftedMixture& q) {
  if (!noise.rate) return std::nullopt;
  // P/Q is largest at one end of the line and least at the other.
  const auto at_end = [&](const Ball& rate) { return absolute(log(tilted(p, rate) / tilted(q, rate))); };
  return max(at_end(*noise.rate), at_end(-*noise.rate));
}

}  // namespace doeblin::verify
