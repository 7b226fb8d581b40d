// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/shifted_noise.hpp"
#include "profile/any_level.hpp"
#include "profile/twice_laplace_law.hpp"

// With y = |z - x| and v = |z| - |z - x| the likelihood ratio of a shift by x is e^v (1 + w(y))/(1 + w(|z|)). It is odd
// around x/2; from there on |z| = y + v and w(y + v) = w(y) + e^{-dy} w(v), so that its log is
//   v - log(1 + e^{-dy} w(v)/(1 + w(y))),
// a difference of two that does not cancel before both are small. Its slope is rho times the difference of w/(1 + w) at
// z and at z - x, where w(-y) is taken to be -w(y): it is nowhere negative.
namespace doeblin {
namespace {

using numerics::Wide;

// e^{-760} (1 + 760/2)/2 is below every double, and no noise has more mass that far out.
constexpr double kNothingBeyond = 760.0;

class TwiceLaplaceNoise : public ShiftedNoise {
 public:
  explicit TwiceLaplaceNoise(const TwiceLaplace& noise) : law_(law_of(noise)), unit_(shift_of(noise)) {}

  [[nodiscard]] Bracket log_ratio(double z, double m) const override {
    const Wide x = unit_ * m, here(z);
    const Bracket twice = enclose(here * 2.0 - x);
    if (twice.lower() >= 0.0) return rising(twice, enclose(here - x), enclose(x));
    if (twice.upper() <= 0.0) return -rising(-twice, enclose(-here), enclose(x));
    // Between -v and v on both sides of the middle.
    const double most = std::max(-twice.lower(), twice.upper());
    return {-most, most};
  }
  [[nodiscard]] Bracket divergence(const Bracket& level, double m) const override {
    const Wide shift = unit_ * m;
    return at_any_level(level, [&](double x) { return law_.delta(shift, x); });
  }
  [[nodiscard]] Slope approximate_log_ratio(double z, double m) const override {
    const double x = unit_.hi * m;
    if (2.0 * z >= x) return approximate_rising(z, x);
    const Slope mirrored = approximate_rising(x - z, x);
    return {-mirrored.value, mirrored.derivative};
  }
  // What the ratio still grows further out is in its bracket there.
  [[nodiscard]] double farthest(double m) const override {
    return rounding::add_up(enclose(unit_ * m).upper(), kNothingBeyond + 1.0);
  }
  [[nodiscard]] std::shared_ptr<const Profile> majorant(double /*m*/) const override { return nullptr; }
  [[nodiscard]] double loss_bound(double m) const override { return enclose(unit_ * m).upper(); }

 private:
  // From the middle on, where 2z - x = `twice` >= 0 and z - x = `gap`: between 0 and x.
  [[nodiscard]] Bracket rising(const Bracket& twice, const Bracket& gap, const Bracket& x) const {
    const Bracket y = max(max(gap, -gap), Bracket(0.0));
    const Bracket v = min(twice, x);
    const Bracket ratio = v - numerics::log1p(numerics::exp(-(law_.d * y)) * law_.w(v) / (1.0 + law_.w(y)));
    return {std::max(0.0, ratio.lower()),
            gap.lower() >= kNothingBeyond ? x.upper() : std::min(x.upper(), ratio.upper())};
  }

  [[nodiscard]] double approximate_w(double y) const {
    const double d = law_.d.middle();
    return d * y == 0.0 ? y : -std::expm1(-d * y) / d;
  }

  [[nodiscard]] Slope approximate_rising(double z, double x) const {
    const double y = std::fabs(z - x), v = std::min(x, 2.0 * z - x);
    const double decay = std::exp(-law_.d.middle() * y);
    const double w_y = approximate_w(y), w_z = approximate_w(z);
    const double slope =
        z < x ? w_z / (1.0 + w_z) + w_y / (1.0 + w_y) : decay * approximate_w(x) / ((1.0 + w_z) * (1.0 + w_y));
    return {v - std::log1p(decay * approximate_w(v) / (1.0 + w_y)), law_.rho.middle() * slope};
  }

  TwiceLaplaceLaw law_;
  Wide unit_;
};

}  // namespace

std::shared_ptr<const ShiftedNoise> twice_laplace_noise(const TwiceLaplace& noise) {
  noise.validate();
  const bool is_resolved = law_of(noise).is_resolved() && std::isfinite(enclose(shift_of(noise)).upper());
  return is_resolved ? std::make_shared<TwiceLaplaceNoise>(noise) : nullptr;
}

}  // namespace doeblin
