// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/projected_noise.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "doeblin/core/whole.hpp"
#include "doeblin/iteration/shift.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/mills.hpp"
#include "doeblin/numerics/theta.hpp"
#include "doeblin/profile/black_box.hpp"

namespace doeblin {
namespace {

using numerics::Wide;
using rounding::kInfinity;

// Partitions of more steps than this have their stops at equally spaced places.
constexpr std::size_t kMostStops = 32;
// Tails of points closer than this are subtracted through the density between them.
constexpr double kSmallDistance = 1e-5;
// Chains of equal blocks are followed this far; what is left is one block.
constexpr std::size_t kLongestProjectedChain = 4096;

void require_law(double scale, double lipschitz) {
  require(scale > 0.0 && std::isfinite(scale), "sigma", scale, "0 < sigma < infinity");
  require(lipschitz >= 0.0 && std::isfinite(lipschitz), "lipschitz", lipschitz, "0 <= lipschitz < infinity");
}

Wide width_of(double low, double high) {
  const auto [sum, error] = numerics::two_sum(high, -low);
  return {sum, error, 0.0};
}

// How far apart two means can be.
Wide distance_of(const IntervalNoise& noise) {
  const Wide moved = width_of(noise.low, noise.high) * noise.lipschitz;
  if (!std::isfinite(noise.mean_low) || !std::isfinite(noise.mean_high)) return moved;
  const Wide range = width_of(noise.mean_low, noise.mean_high);
  return numerics::enclose(range - moved).upper() <= 0.0 ? range : moved;
}

// log S(x) for x in units of the scale.
Bracket log_tail(ProjectedLaw law, const Bracket& x) {
  const auto at = [law](double point) {
    if (law == ProjectedLaw::kGaussian) return numerics::log_normal_tail(point);
    const Bracket half(0.5);
    if (point >= 0.0) return numerics::log(half) - point;
    return numerics::log1p(-(half * numerics::exp(Bracket(point))));
  };
  return {at(x.upper()).lower(), at(x.lower()).upper()};
}

// The density of Z between two points, in units of the scale.
Bracket density_between(ProjectedLaw law, const Bracket& x1, const Bracket& x2) {
  const auto at = [law](double distance) {
    if (law == ProjectedLaw::kLaplace) return numerics::exp(Bracket(-distance)) / 2.0;
    const Bracket square = Bracket(distance) * distance;
    return numerics::exp(-square / 2.0) / numerics::sqrt(Bracket(6.283185307179586, 6.283185307179587));
  };
  const double farthest = std::max(std::fabs(x1.lower()), std::fabs(x2.upper()));
  const bool has_centre = x1.lower() <= 0.0 && x2.upper() >= 0.0;
  const double nearest = has_centre ? 0.0 : std::min(std::fabs(x1.lower()), std::fabs(x2.upper()));
  return {at(farthest).lower(), at(nearest).upper()};
}

// S(x1) - e^eps S(x2) for x2 = x1 + w with a small w: w times a density, less (e^eps - 1) S(x2).
Bracket small_difference_of_tails(ProjectedLaw law, const Bracket& x1, const Bracket& x2, const Bracket& w,
                                  double epsilon) {
  const Bracket moved = w * density_between(law, x1, x2);
  const Bracket lost = numerics::expm1(Bracket(epsilon)) * numerics::exp(log_tail(law, x2));
  return clamp(moved - lost, 0.0, 1.0);
}

// S(x1) - e^eps S(x2), or 0 where that is negative; x2 = x1 + w.
Bracket difference_of_tails(ProjectedLaw law, const Bracket& x1, const Bracket& x2, const Bracket& w, double epsilon) {
  if (w.upper() < kSmallDistance) return small_difference_of_tails(law, x1, x2, w, epsilon);
  const Bracket first = log_tail(law, x1);
  const Bracket exponent = epsilon + log_tail(law, x2) - first;
  if (exponent.lower() >= 0.0) return Bracket(0.0);
  // Where both tails vanish nothing is left.
  if (first.upper() == -kInfinity) return Bracket(0.0);
  const Bracket share = -numerics::expm1(Bracket(exponent.lower(), std::min(exponent.upper(), 0.0)));
  return clamp(numerics::exp(first) * share, 0.0, 1.0);
}

// h at its peak: no threshold is out of reach.
Bracket peak(ProjectedLaw law, const Wide& ratio, double epsilon) {
  if (law == ProjectedLaw::kGaussian) return numerics::theta(epsilon, ratio);
  const Bracket exponent = (epsilon - numerics::enclose(ratio)) / 2.0;
  if (exponent.lower() >= 0.0) return Bracket(0.0);
  return clamp(-numerics::expm1(Bracket(exponent.lower(), std::min(exponent.upper(), 0.0))), 0.0, 1.0);
}

// The larger of the values of h on a range of u, in units of the scale: from (lowest + ratio/2) to (highest - ratio/2).
Bracket best_in_range(ProjectedLaw law, const Bracket& lowest, const Bracket& highest, const Wide& ratio,
                      double epsilon) {
  const Bracket w = numerics::enclose(ratio);
  const Bracket top =
      law == ProjectedLaw::kGaussian ? Bracket(epsilon) / w : Bracket(epsilon) / 2.0;  // u*, w > 0 where this is used
  const Bracket all = peak(law, ratio, epsilon);
  const Bracket last = highest - w / 2.0;
  const Bracket first = lowest + w / 2.0;
  const auto below_peak = [&](const Bracket& value) {
    return Bracket(value.lower(), std::min(value.upper(), all.upper()));
  };
  if (last.upper() < top.lower()) return below_peak(difference_of_tails(law, highest - w, highest, w, epsilon));
  if (first.lower() > top.upper()) return below_peak(difference_of_tails(law, lowest, lowest + w, w, epsilon));
  if (last.lower() >= top.upper() && first.upper() <= top.lower()) return all;
  // An end of the range is where the peak is, up to rounding: the value there is the peak's, nearly.
  const Bracket edge = last.lower() < top.upper() ? difference_of_tails(law, highest - w, highest, w, epsilon)
                                                  : difference_of_tails(law, lowest, lowest + w, w, epsilon);
  return {edge.lower(), all.upper()};
}

// (x - y) in units of the scale, where either may be infinite.
Bracket scaled_difference(double x, double y, double scale) {
  if (std::isinf(x) || std::isinf(y)) return Bracket(x - y);
  return (Bracket(x) - y) / scale;
}

// How `steps` steps are cut into blocks: all partitions with stops at up to kMostStops places, and chains of equal
// blocks.
class Partitions {
 public:
  explicit Partitions(double steps)
      : steps_(static_cast<std::size_t>(std::min(steps, 1e9))), places_(std::min(steps_, kMostStops)) {}

  /// The smallest bound; contraction(d, m) bounds the divergence after a block of m steps, given d before it.
  template <typename Contraction>
  [[nodiscard]] double best(const Contraction& contraction) const {
    std::vector<double> least(places_ + 1, 1.0);
    for (std::size_t k = 1; k <= places_; ++k)
      for (std::size_t j = 0; j < k; ++j) least[k] = std::min(least[k], contraction(least[j], place(k) - place(j)));
    double smallest = least[places_];
    for (std::size_t block = 1; block < steps_; block *= 2) smallest = std::min(smallest, chain(block, contraction));
    return smallest;
  }

  /// The bound from single steps alone.
  template <typename Contraction>
  [[nodiscard]] double singles(const Contraction& contraction) const {
    double value = 1.0;
    for (std::size_t k = 0; k < std::min(steps_, kLongestProjectedChain) && value > 0.0; ++k)
      value = contraction(value, 1);
    return value;
  }

 private:
  [[nodiscard]] std::size_t place(std::size_t k) const { return k * steps_ / places_; }

  template <typename Contraction>
  [[nodiscard]] double chain(std::size_t block, const Contraction& contraction) const {
    double value = 1.0;
    const std::size_t count = std::min(steps_ / block, kLongestProjectedChain);
    for (std::size_t k = 0; k < count && value > 0.0; ++k) value = contraction(value, block);
    const std::size_t left = steps_ - count * block;
    return left > 0 && value > 0.0 ? contraction(value, left) : value;
  }

  std::size_t steps_;
  std::size_t places_;
};

// kappa of one step from above, at an epsilon.
using Single = std::function<double(double)>;
// The Gaussian level of that many consecutive steps as one kernel, from above.
using BlockLevel = std::function<double(std::size_t)>;

MixingKernel in_blocks(double steps, const Single& single, const BlockLevel& level) {
  const Partitions partitions(steps);
  // The partitions ask for the same blocks at every epsilon.
  const auto levels = std::make_shared<std::map<std::size_t, double>>();
  (void)partitions.best([&](double, std::size_t block) {
    if (!levels->contains(block)) levels->emplace(block, level(block));
    return 1.0;
  });
  ProfileTraits traits;
  traits.tight = false;
  traits.costly = steps > 8.0;
  return {Profile(
      [=](Epsilon epsilon) {
        return Bracket(0.0, partitions.best([&](double d, std::size_t block) {
          const auto kappa = [&](Epsilon at) {
            return Bracket(
                0.0, block == 1 ? single(at.value()) : numerics::theta(at.value(), Wide(levels->at(block))).upper());
          };
          return mixed(Bracket(d), kappa, epsilon).upper();
        }));
      },
      traits)};
}

MixingKernel in_single_steps(double steps, const Single& single, double loss_bound) {
  const Partitions partitions(steps);
  ProfileTraits traits;
  traits.tight = false;
  traits.loss_bound = loss_bound;
  traits.costly = steps > 64.0;
  return {Profile(
      [=](Epsilon epsilon) {
        return Bracket(0.0, partitions.singles([&](double d, std::size_t) {
          return mixed(
                     Bracket(d), [&](Epsilon at) { return Bracket(0.0, single(at.value())); }, epsilon)
              .upper();
        }));
      },
      traits)};
}

BlockLevel block_level(double lipschitz, double scale, double distance, double steps) {
  const NoisySteps run({Bracket(lipschitz), Bracket(scale)}, static_cast<std::size_t>(std::min(steps, 1e9)));
  return [=](std::size_t block) { return kernel_level(run, 0, block, distance).upper(); };
}

void require_steps(double steps) { require_whole("steps", steps, 1.0, 0x1p53); }

}  // namespace

void IntervalNoise::validate() const {
  require_law(scale, lipschitz);
  require(std::isfinite(low), "low", low, "a finite number");
  require(std::isfinite(high) && high >= low, "high", high, "low <= high < infinity");
  require(mean_low < kInfinity, "mean_low", mean_low, "mean_low < infinity");
  require(mean_high >= mean_low && mean_high > -kInfinity, "mean_high", mean_high, "mean_low <= mean_high");
}

Bracket hockey_stick(const IntervalNoise& noise, Epsilon epsilon) {
  noise.validate();
  const Wide distance = distance_of(noise);
  if (numerics::enclose(distance).upper() <= 0.0) return Bracket(0.0);
  if (std::isinf(epsilon.value())) return Bracket(0.0);
  const Wide ratio = distance * numerics::ratio(1.0, noise.scale);
  if (numerics::enclose(ratio).lower() <= 0.0)  // too small to divide by
    return Bracket(0.0, peak(noise.law, ratio, epsilon.value()).upper());
  const auto scaled = [&](double x, double y) { return scaled_difference(x, y, noise.scale); };
  const Bracket up = best_in_range(noise.law, scaled(noise.low, noise.mean_high), scaled(noise.high, noise.mean_low),
                                   ratio, epsilon.value());
  const Bracket down = best_in_range(noise.law, scaled(noise.mean_low, noise.high), scaled(noise.mean_high, noise.low),
                                     ratio, epsilon.value());
  return max(up, down);
}

MixingKernel interval_kernel(const IntervalNoise& noise, double steps) {
  noise.validate();
  require_steps(steps);
  const bool is_gaussian = noise.law == ProjectedLaw::kGaussian;
  // No ratio of densities or atoms is larger than at infinity; bisecting for it is cheap.
  const double loss_bound =
      is_gaussian ? kInfinity : numerics::enclose(distance_of(noise) * numerics::ratio(1.0, noise.scale)).upper();
  if (steps == 1.0) {
    ProfileTraits traits;
    traits.loss_bound = loss_bound;
    return {Profile([noise](Epsilon epsilon) { return hockey_stick(noise, epsilon); }, traits)};
  }
  const auto single = [noise](double epsilon) { return hockey_stick(noise, Epsilon(epsilon)).upper(); };
  if (!is_gaussian) return in_single_steps(steps, single, loss_bound);
  // A block sees points at most (high - low) apart, and their images at most mean_high - mean_low.
  double distance = rounding::sub_up(noise.high, noise.low);
  if (std::isfinite(noise.mean_low) && std::isfinite(noise.mean_high) && noise.lipschitz > 0.0)
    distance = std::min(distance, rounding::div_up(rounding::sub_up(noise.mean_high, noise.mean_low), noise.lipschitz));
  return in_blocks(steps, single, block_level(noise.lipschitz, noise.scale, distance, steps));
}

void BallNoise::validate() const {
  require_law(scale, lipschitz);
  require(radius >= 0.0 && std::isfinite(radius), "radius", radius, "0 <= radius < infinity");
}

MixingKernel ball_kernel(const BallNoise& noise, double steps) {
  noise.validate();
  require_steps(steps);
  const Wide ratio = Wide(2.0 * noise.radius) * noise.lipschitz * numerics::ratio(1.0, noise.scale);
  if (noise.law == ProjectedLaw::kLaplace) {
    const double level = numerics::enclose(ratio).upper();
    const auto single = [level](double epsilon) { return delta(BlackBox{.epsilon = level}, Epsilon(epsilon)).upper(); };
    require(std::isfinite(level), "radius", noise.radius, "2 lipschitz radius/sigma < infinity");
    return in_single_steps(steps, single, level);
  }
  const auto single = [ratio](double epsilon) { return numerics::theta(epsilon, ratio).upper(); };
  return in_blocks(steps, single, block_level(noise.lipschitz, noise.scale, 2.0 * noise.radius, steps));
}

}  // namespace doeblin
