// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/profile_to_renyi.hpp"

#include <map>
#include <memory>
#include <mutex>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/quadrature.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

constexpr int kScoutCells = 16;
constexpr int kFirstCells = 1 << 10;
constexpr int kMostCells = 1 << 17;
constexpr double kTargetWidth = 1e-6;
// A tail below e^-30 of the whole is past caring about.
constexpr double kTailMargin = 30.0;

// log int_end^inf e^{s eps} delta(eps) d eps <= s end + log delta(end) - log(r - s), r the rate of the last secant.
double log_tail_upper(const numerics::ConvexSamples& samples, double s) {
  const std::size_t last = samples.log_values.size() - 3;
  const double high = samples.log_values[last].upper();
  if (high == -kInfinity) return -kInfinity;
  const double rate = (samples.log_values[last - 1].lower() - high) / samples.step * (1.0 - 0x1p-40);
  if (!(rate > s)) return kInfinity;
  const double rise = s * end_of(samples);
  return rise + high - std::log(rate - s) + 1e-9 + 0x1p-48 * (std::fabs(rise) + std::fabs(high));
}

// log of the integral in C2, tail included; `fall` stands for -(s + 1), rounded to the side that is wanted.
Bracket log_moment_integral(const numerics::ConvexSamples& samples, double s, double fall, bool has_tail) {
  const Bracket body = numerics::log_add_exp(numerics::log_exp_weighted_integral(samples, s),
                                             numerics::log_exp_weighted_integral(samples, fall));
  if (!has_tail) return body;
  // e^{-(s+1) eps} <= e^{s eps}: twice the tail covers both terms.
  const Bracket tail(-kInfinity, log_tail_upper(samples, s) + std::log(2.0) + 1e-15);
  return numerics::log_add_exp(body, tail);
}

// The samples of one profile at increasing resolution, made when first needed.
class SampledProfile {
 public:
  explicit SampledProfile(const Profile& profile)
      : profile_(profile), has_tail_(!std::isfinite(profile.traits().loss_bound)) {}

  Bracket divergence(double alpha) {
    if (at(0.0).upper() == 0.0) return Bracket(0.0);
    // A positive limit is mass that one neighbour alone can produce.
    if (at(kInfinity).lower() > 0.0) return Bracket(kInfinity);
    const Bracket s = Bracket(alpha) - 1.0;
    const double end = integration_end(s.upper());
    // No grid to speak of among the subnormals.
    if (std::isinf(end) || end < 1e-280) return {0.0, kInfinity};
    Bracket result(0.0, kInfinity);
    for (int cells = kFirstCells; cells <= kMostCells && !(result.relative_width() <= kTargetWidth); cells *= 4) {
      const Bracket next = divergence_on(samples(end, cells), s);
      result = {std::max(result.lower(), next.lower()), std::min(result.upper(), next.upper())};
    }
    return result;
  }

 private:
  [[nodiscard]] Bracket at(double epsilon) const { return profile_.delta(Epsilon(epsilon)); }

  [[nodiscard]] Bracket divergence_on(const numerics::ConvexSamples& samples, const Bracket& s) const {
    // e^{s eps} + e^{-(s+1) eps} increases with s.
    const Bracket fall = -(s + 1.0);
    const Bracket low = log_moment_integral(samples, s.lower(), fall.lower(), has_tail_);
    const bool exact = s.is_exact() && fall.is_exact();
    const Bracket high = exact ? low : log_moment_integral(samples, s.upper(), fall.upper(), has_tail_);
    const Bracket log_excess = numerics::log(s * (s + 1.0)) + Bracket(low.lower(), high.upper());
    return (log_excess.upper() < 0.0 ? numerics::log1p(numerics::exp(log_excess))
                                     : numerics::log_add_exp(Bracket(0.0), log_excess)) /
           s;
  }

  // A range so long that the tail does not matter; infinite when none is found.
  double integration_end(double s) {
    if (!has_tail_) return profile_.traits().loss_bound;
    if (!profile_.traits().log_concave) return kInfinity;
    for (double end = 0x1p-40; end < 0x1p40; end *= 2.0) {
      const auto& coarse = samples(end, kScoutCells);
      if (log_tail_upper(coarse, s) < numerics::log_exp_weighted_integral(coarse, s).upper() - kTailMargin) return end;
    }
    return kInfinity;
  }

  const numerics::ConvexSamples& samples(double end, int cells) {
    auto& slot = samples_[{end, cells}];
    if (!slot)
      slot = std::make_unique<numerics::ConvexSamples>(
          numerics::sample_convex([this](double epsilon) { return at(epsilon); }, end, cells));
    return *slot;
  }

  Profile profile_;
  bool has_tail_;
  std::map<std::pair<double, int>, std::unique_ptr<numerics::ConvexSamples>> samples_;
};

}  // namespace

RenyiCurve renyi_from_profile(const Profile& profile) {
  struct Shared {
    explicit Shared(const Profile& p) : sampled(p) {}
    SampledProfile sampled;
    std::mutex mutex;
  };
  const auto shared = std::make_shared<Shared>(profile);
  const double loss_bound = profile.traits().loss_bound;
  return RenyiCurve([shared, loss_bound](Alpha alpha) {
    if (std::isinf(alpha.value())) return Bracket(0.0, loss_bound);
    const std::lock_guard lock(shared->mutex);
    const Bracket divergence = shared->sampled.divergence(alpha.value());
    // No divergence exceeds the largest loss, unless one neighbour has mass that the other lacks.
    return divergence.lower() < kInfinity ? min(divergence, Bracket(loss_bound)) : divergence;
  });
}

}  // namespace doeblin
