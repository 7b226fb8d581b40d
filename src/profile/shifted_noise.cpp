// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/shifted_noise.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/mills.hpp"
#include "doeblin/numerics/theta.hpp"
#include "doeblin/profile/gdp.hpp"
#include "profile/any_level.hpp"

namespace doeblin {
namespace {

using numerics::Wide;

// Q(40) is below every double: no mass of a normal law is further out.
constexpr double kFarOut = 40.0;

class NormalNoise : public ShiftedNoise {
 public:
  explicit NormalNoise(const Wide& mu) : mu_(mu) {}

  // z m mu - (m mu)^2/2. Double-double, because the terms can be large and cancel.
  [[nodiscard]] Bracket log_ratio(double z, double m) const override {
    const Wide shift = mu_ * m;
    return enclose(shift * z - shift * shift * 0.5);
  }
  [[nodiscard]] Bracket divergence(const Bracket& level, double m) const override {
    const Wide shift = mu_ * m;
    if (shift.is_zero()) return Bracket(0.0);
    return at_any_level(level, [&](double x) { return numerics::theta(x, shift); });
  }
  [[nodiscard]] Slope approximate_log_ratio(double z, double m) const override {
    const double shift = m * mu_.hi;
    return {shift * z - 0.5 * shift * shift, shift};
  }
  [[nodiscard]] double farthest(double m) const override {
    return rounding::add_up(rounding::mul_up(m, enclose(mu_).upper()), kFarOut);
  }
  [[nodiscard]] std::shared_ptr<const Profile> majorant(double m) const override {
    return std::make_shared<const Profile>(profile_of(Gdp{mu_ * m}));
  }
  [[nodiscard]] double loss_bound(double /*m*/) const override { return rounding::kInfinity; }
  [[nodiscard]] double tail(double z) const override { return numerics::normal_tail(z).upper(); }

 private:
  Wide mu_;
};

// (|z| - |z - x|) for a shift of x units of the scale: from -x, at slope 2 between 0 and x, to x.
Bracket laplace_log_ratio(const Wide& z, const Wide& x) {
  if (enclose(z).upper() <= 0.0) return -enclose(x);
  if (enclose(x - z).upper() <= 0.0) return enclose(x);
  const Bracket inside = enclose(z * 2.0 - x);
  const Bracket most = enclose(x);
  return {std::max(-most.upper(), inside.lower()), std::min(most.upper(), inside.upper())};
}

ShiftedNoise::Slope approximate_laplace_log_ratio(double z, double x) {
  if (z <= 0.0) return {-x, 0.0};
  if (z >= x) return {x, 0.0};
  return {2.0 * z - x, 2.0};
}

class LaplaceNoise : public ShiftedNoise {
 public:
  explicit LaplaceNoise(const Wide& level) : level_(level) {}

  [[nodiscard]] Bracket log_ratio(double z, double m) const override { return laplace_log_ratio(Wide(z), level_ * m); }
  [[nodiscard]] Bracket divergence(const Bracket& level, double m) const override {
    const Wide shift = level_ * m;
    // P2, whose formula holds at negative levels down to -shift too.
    return at_any_level(
        level, [&](double x) { return clamp(-numerics::expm1(-(numerics::difference(shift, x) / 2.0)), 0.0, 1.0); });
  }
  [[nodiscard]] Slope approximate_log_ratio(double z, double m) const override {
    return approximate_laplace_log_ratio(z, m * level_.hi);
  }
  [[nodiscard]] double farthest(double m) const override { return rounding::next_up(enclose(level_ * m).upper()); }
  [[nodiscard]] std::shared_ptr<const Profile> majorant(double /*m*/) const override { return nullptr; }
  [[nodiscard]] double loss_bound(double m) const override { return enclose(level_ * m).upper(); }

 private:
  Wide level_;
};

// On the integers; z counts these.
template <typename Noise>
class IntegerNoise : public ShiftedNoise {
 public:
  explicit IntegerNoise(const Noise& noise) : noise_(noise) { noise.validate(); }

  [[nodiscard]] Bracket divergence(const Bracket& level, double m) const override {
    Noise moved = noise_;
    moved.sensitivity = distance(m);
    return at_any_level(level, [&](double x) { return delta(moved, Epsilon(x)); });
  }
  [[nodiscard]] std::shared_ptr<const Profile> majorant(double /*m*/) const override { return nullptr; }
  [[nodiscard]] std::shared_ptr<const IntegerLaw> law() const override {
    std::call_once(is_law_known_, [this] { law_ = law_of(noise_); });
    return law_;
  }

 protected:
  // Sensitivities are at most 2^40, so that the product is exact for up to 2^13 people.
  [[nodiscard]] double distance(double m) const { return m * noise_.sensitivity; }
  Noise noise_;

 private:
  mutable std::once_flag is_law_known_;
  mutable std::shared_ptr<const IntegerLaw> law_;
};

class IntegerNormal : public IntegerNoise<DiscreteGaussian> {
 public:
  using IntegerNoise::IntegerNoise;

  [[nodiscard]] Bracket divergence(const Bracket& level, double m) const override {
    const DiscreteGaussian moved{noise_.sigma, distance(m)};
    return at_any_level(level, [&](double x) {
      const std::optional<Bracket> found = by_half_lines(x, moved.sensitivity);
      return found ? *found : delta(moved, Epsilon(x));
    });
  }

  // D (2z - D)/(2 sigma^2).
  [[nodiscard]] Bracket log_ratio(double z, double m) const override {
    const Wide d(distance(m));
    const Bracket twice_variance = 2.0 * Bracket(noise_.sigma) * Bracket(noise_.sigma);
    return enclose(d * (2.0 * z) - d * d) / twice_variance;
  }
  [[nodiscard]] Slope approximate_log_ratio(double z, double m) const override {
    const double d = distance(m), variance = noise_.sigma * noise_.sigma;
    return {d * (2.0 * z - d) / (2.0 * variance), d / variance};
  }
  [[nodiscard]] double farthest(double m) const override {
    return rounding::add_up(distance(m), rounding::add_up(rounding::mul_up(kFarOut, noise_.sigma), 1.0));
  }
  [[nodiscard]] double loss_bound(double /*m*/) const override { return rounding::kInfinity; }

 private:
  // Pr[d + Z >= z] - e^x Pr[Z >= z] at the first z whose loss is above x, the best of all z; from the table of the law, if
  // that is narrow.
  [[nodiscard]] std::optional<Bracket> by_half_lines(double x, double d) const {
    const double crossing = x * noise_.sigma * noise_.sigma / d + d / 2.0;
    if (!(d > 0.0 && crossing < kLargestCrossing && x < kLargestTabledLevel)) return std::nullopt;
    const std::shared_ptr<const IntegerLaw> table = law();
    if (!table) return std::nullopt;
    const Bracket excess = numerics::expm1(Bracket(x));
    const auto at = [&](double z) {
      Bracket moved_past(0.0);
      if (d <= kFewIntegers)
        for (double k = z - d; k < z; ++k) moved_past = moved_past + table->mass(k);
      else
        moved_past = table->tail(z - d) - table->tail(z);
      return moved_past - excess * table->tail(z);
    };
    const double before = std::floor(crossing), share = crossing - before;
    Bracket best = max(Bracket(0.0), at(before + 1.0));
    // Rounding may have moved the crossing past an integer.
    if (share < kNearAnInteger) best = max(best, at(before));
    if (share > 1.0 - kNearAnInteger) best = max(best, at(before + 2.0));
    if (!(best.width() <= kTableWidth * best.lower())) return std::nullopt;
    return best;
  }

  static constexpr double kLargestTabledLevel = 600.0;
  // Up to here a crossing is known to a hundredth of what counts as near an integer.
  static constexpr double kLargestCrossing = 1e5;
  static constexpr double kNearAnInteger = 1e-8;
  // The difference of two tails so far apart keeps its digits, and of nearer ones the masses are few.
  static constexpr double kFewIntegers = 16.0;
  static constexpr double kTableWidth = 1e-11;
};

class IntegerLaplace : public IntegerNoise<DiscreteLaplace> {
 public:
  using IntegerNoise::IntegerNoise;

  [[nodiscard]] Bracket log_ratio(double z, double m) const override {
    return laplace_log_ratio(Wide(z), Wide(distance(m))) / Bracket(noise_.scale);
  }
  [[nodiscard]] Slope approximate_log_ratio(double z, double m) const override {
    const Slope slope = approximate_laplace_log_ratio(z, distance(m));
    return {slope.value / noise_.scale, slope.derivative / noise_.scale};
  }
  [[nodiscard]] double farthest(double m) const override { return distance(m); }
  [[nodiscard]] double loss_bound(double m) const override { return rounding::div_up(distance(m), noise_.scale); }
};

}  // namespace

std::shared_ptr<const ShiftedNoise> normal_noise(const Wide& mu) { return std::make_shared<NormalNoise>(mu); }
std::shared_ptr<const ShiftedNoise> laplace_noise(const Wide& level) { return std::make_shared<LaplaceNoise>(level); }
std::shared_ptr<const ShiftedNoise> integer_noise(const DiscreteGaussian& noise) {
  return std::make_shared<IntegerNormal>(noise);
}
std::shared_ptr<const ShiftedNoise> integer_noise(const DiscreteLaplace& noise) {
  return std::make_shared<IntegerLaplace>(noise);
}

}  // namespace doeblin
