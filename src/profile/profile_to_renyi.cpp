// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/profile_to_renyi.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/quadrature.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

constexpr int kScoutCells = 128;
// Cells of each segment.
constexpr int kFirstCells = 1 << 6;
constexpr int kMostCells = 1 << 16;
// A profile can fall on very different scales (a small sampling rate: at once by a little, then slowly): the range is
// cut into halves towards 0, and each segment has its own grid.
constexpr int kSegments = 16;
constexpr double kTargetWidth = 1e-6;
// A tail below e^-30 of the whole is past caring about.
constexpr double kTailMargin = 30.0;

// The last two values that a tail is extended from.
struct LastSecant {
  double log_before;  // a lower bound
  double log_at;      // an upper bound
  double step;
  double end;
};

// log int_end^inf e^{s eps} delta(eps) d eps <= s end + log delta(end) - log(r - s), r the rate of the last secant.
double log_tail_upper(const LastSecant& last, double s) {
  if (last.log_at == -kInfinity) return -kInfinity;
  const double rate = (last.log_before - last.log_at) / last.step * (1.0 - 0x1p-40);
  if (!(rate > s)) return kInfinity;
  const double rise = s * last.end;
  return rise + last.log_at - std::log(rate - s) + 1e-9 + 0x1p-48 * (std::fabs(rise) + std::fabs(last.log_at));
}

// The samples of one profile at increasing resolution, made when first needed.
class SampledProfile {
 public:
  explicit SampledProfile(const Profile& profile)
      : profile_(profile), has_tail_(!std::isfinite(profile.traits().loss_bound)) {}

  [[nodiscard]] Bracket at(double epsilon) const { return profile_.delta(Epsilon(epsilon)); }
  [[nodiscard]] double loss_bound() const { return profile_.traits().loss_bound; }

  // The log of int_0^inf e^{s eps} delta(eps) d eps, on a range that ends at `end`; s may be negative.
  Bracket log_moment(double end, double s) {
    const std::vector<double> edges = segment_edges(end);
    const auto on_segment = [&](std::size_t i, int cells) {
      const Bracket inside = numerics::log_exp_weighted_integral(segment(edges[i], edges[i + 1], cells), s);
      return inside + Bracket(edges[i]) * s;
    };
    std::vector<Bracket> parts;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) parts.push_back(on_segment(i, kFirstCells));
    std::vector<int> cells(parts.size(), kFirstCells);
    Bracket body(-kInfinity);
    while (true) {
      body = Bracket(-kInfinity);
      for (const Bracket& part : parts) body = numerics::log_add_exp(body, part);
      // The segment that contributes most to the width gets a finer grid.
      std::size_t widest = 0;
      double most = 0.0, sum = 0.0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const double width = std::exp(parts[i].upper() - body.upper()) - std::exp(parts[i].lower() - body.upper());
        if (cells[i] < kMostCells && width > most) most = width, widest = i;
        sum += width;
      }
      if (!(sum > kTargetWidth / 4.0) || most == 0.0) break;
      cells[widest] *= 4;
      const Bracket finer = on_segment(widest, cells[widest]);
      const double lower = std::max(parts[widest].lower(), finer.lower());
      const double upper = std::min(parts[widest].upper(), finer.upper());
      // Upper bounds on a profile need not be convex, as profiles are in e^eps: then nothing is known from below.
      if (lower > upper) cells[widest] = kMostCells;
      parts[widest] = {lower > upper ? -kInfinity : lower, upper};
    }
    if (!has_tail_) return body;
    const double last = edges[edges.size() - 2];
    const Bracket tail(-kInfinity, log_tail_upper(last_secant(segment(last, edges.back(), kFirstCells), last), s));
    return numerics::log_add_exp(body, tail);
  }

  // A range so long that the tail does not matter for this weight; infinite when none is found.
  double integration_end(double s) {
    if (!has_tail_) return profile_.traits().loss_bound;
    if (!profile_.traits().log_concave && !profile_.traits().majorant) return kInfinity;
    for (double end = 0x1p-40; end < 0x1p40; end *= 2.0) {
      const numerics::ConvexSamples& coarse = scout(end);
      if (log_tail_upper(last_secant(coarse, 0.0), s) <
          numerics::log_exp_weighted_integral(coarse, s).lower() - kTailMargin)
        return end;
    }
    return kInfinity;
  }

 private:
  // From the profile itself, or from the log-concave one above it.
  [[nodiscard]] LastSecant last_secant(const numerics::ConvexSamples& on_grid, double start) const {
    const std::size_t last = on_grid.log_values.size() - 3;
    const double end = start + end_of(on_grid);
    if (profile_.traits().log_concave)
      return {on_grid.log_values[last - 1].lower(), on_grid.log_values[last].upper(), on_grid.step, end};
    const Profile& above = *profile_.traits().majorant;
    return {numerics::log(above.delta(Epsilon(end - on_grid.step))).lower(),
            numerics::log(above.delta(Epsilon(end))).upper(), on_grid.step, end};
  }

  // Powers of two, so that one segment's grid ends where the next one starts.
  static std::vector<double> segment_edges(double end) {
    const double whole = std::exp2(std::ceil(std::log2(end)));
    std::vector<double> edges = {0.0};
    for (int i = kSegments; i >= 0; --i) edges.push_back(std::ldexp(whole, -i));
    return edges;
  }

  const numerics::ConvexSamples& segment(double start, double stop, int cells) {
    auto& slot = segments_[{start, stop, cells}];
    if (!slot)
      slot = std::make_unique<numerics::ConvexSamples>(
          numerics::sample_convex([&](double t) { return at(start + t); }, stop - start, cells));
    return *slot;
  }

  const numerics::ConvexSamples& scout(double end) {
    auto& slot = scouts_[end];
    if (!slot)
      slot = std::make_unique<numerics::ConvexSamples>(
          numerics::sample_convex([this](double epsilon) { return at(epsilon); }, end, kScoutCells));
    return *slot;
  }

  Profile profile_;
  bool has_tail_;
  std::map<std::tuple<double, double, int>, std::unique_ptr<numerics::ConvexSamples>> segments_;
  std::map<double, std::unique_ptr<numerics::ConvexSamples>> scouts_;
};

// D_alpha of the pair whose divergences are `above`, and in the other direction `below`.
Bracket divergence(SampledProfile& above, SampledProfile& below, double alpha) {
  if (above.at(0.0).upper() == 0.0) return Bracket(0.0);
  // A positive limit is mass that one neighbour alone can produce.
  if (above.at(kInfinity).lower() > 0.0) return Bracket(kInfinity);
  const Bracket s = Bracket(alpha) - 1.0;
  const Bracket fall = -(s + 1.0);
  const double end = above.integration_end(s.upper());
  const double other_end = below.integration_end(fall.upper());
  // No grid to speak of among the subnormals.
  if (std::isinf(end) || std::isinf(other_end) || end < 1e-280 || other_end < 1e-280) return {0.0, kInfinity};
  const auto log_integral = [&](double rise, double back) {
    return numerics::log_add_exp(above.log_moment(end, rise), below.log_moment(other_end, back));
  };
  // e^{s eps} + e^{-(s+1) eps} increases with s.
  const Bracket low = log_integral(s.lower(), fall.lower());
  const bool exact = s.is_exact() && fall.is_exact();
  const Bracket high = exact ? low : log_integral(s.upper(), fall.upper());
  const Bracket log_excess = numerics::log(s * (s + 1.0)) + Bracket(low.lower(), high.upper());
  const Bracket value = (log_excess.upper() < 0.0 ? numerics::log1p(numerics::exp(log_excess))
                                                  : numerics::log_add_exp(Bracket(0.0), log_excess)) /
                        s;
  // Mass of which it is not known whether the other neighbour has any.
  if (above.at(kInfinity).upper() > 0.0) return {std::max(0.0, value.lower()), kInfinity};
  // No finite loss exceeds the largest.
  return min(max(value, Bracket(0.0)), Bracket(above.loss_bound()));
}

}  // namespace

namespace {

// Both directions, or the forward one alone.
RenyiCurve sampled_renyi(const LossPair& pair, bool both) {
  struct Shared {
    explicit Shared(const LossPair& p) : forward(p.forward), backward(p.backward) {}
    SampledProfile forward;
    SampledProfile backward;
    std::mutex mutex;
  };
  const auto shared = std::make_shared<Shared>(pair);
  const auto curve = [shared, both, symmetric = pair.symmetric](Alpha alpha) {
    const std::lock_guard lock(shared->mutex);
    SampledProfile& below = symmetric ? shared->forward : shared->backward;
    if (std::isinf(alpha.value())) {
      const bool mass_alone = shared->forward.at(kInfinity).upper() > 0.0 || below.at(kInfinity).upper() > 0.0;
      return Bracket(0.0, mass_alone ? kInfinity : std::max(shared->forward.loss_bound(), below.loss_bound()));
    }
    const Bracket forward = divergence(shared->forward, below, alpha.value());
    return symmetric || !both ? forward : max(forward, divergence(below, shared->forward, alpha.value()));
  };
  // The larger of two directions is not the divergence of one pair: another mechanism may have the other direction.
  return RenyiCurve(curve, {.single_pair = pair.symmetric || !both, .is_of_profile = true});
}

}  // namespace

RenyiCurve renyi_from_pair(const LossPair& pair) { return sampled_renyi(pair, true); }

RenyiCurve forward_renyi_from_pair(const LossPair& pair) { return sampled_renyi(pair, false); }

RenyiCurve renyi_from_profile(const Profile& profile) { return renyi_from_pair(LossPair::symmetric_of(profile)); }

}  // namespace doeblin
