// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/quadrature.hpp"

#include <cmath>

#include "doeblin/numerics/elementary.hpp"

namespace doeblin::numerics {
namespace {

// int_0^h e^{s t} dt = h at s = 0.
Bracket exponential_mass(double s, double h) { return s == 0.0 ? Bracket(h) : expm1(Bracket(s) * h) / s; }

// int_0^h e^{s t} (e^t - 1)/(e^h - 1) dt: the weight of the right end when f is linear in e^t.
Bracket right_weight(double s, double h) {
  // Two enclosures: the closed form loses digits like 1/h, the elementary one is off by (|s| + 1) h, because
  // e^{-h} t/h <= (e^t - 1)/(e^h - 1) <= t/h.
  const Bracket growth = exp(Bracket(s) * h);
  const double least = std::min(growth.lower(), 1.0);
  const double most = std::max(growth.upper(), 1.0);
  const Bracket rough = Bracket(h) / 2.0 * Bracket(least, most) * Bracket(exp(Bracket(-h)).lower(), 1.0);
  if (s == -1.0) return rough;
  const Bracket sharp =
      ((expm1((Bracket(s) + 1.0) * h) / (Bracket(s) + 1.0)) - exponential_mass(s, h)) / expm1(Bracket(h));
  return {std::max(rough.lower(), sharp.lower()), std::min(rough.upper(), sharp.upper())};
}

}  // namespace

double end_of(const ConvexSamples& samples) {
  return samples.step * static_cast<double>(samples.log_values.size() - 3);
}

ConvexSamples sample_convex(const std::function<Bracket(double)>& f, double end, int least_cells) {
  require(end > 0.0 && std::isfinite(end), "end", end, "0 < end < infinity");
  ConvexSamples samples;
  samples.step = std::exp2(std::floor(std::log2(end / least_cells)));
  const auto cells = static_cast<std::size_t>(std::ceil(end / samples.step));
  for (std::size_t k = 0; k < cells + 3; ++k) {
    samples.log_values.push_back(log(f(samples.step * static_cast<double>(k))));
    const double size = std::fabs(samples.log_values.back().upper());
    if (std::isfinite(size)) samples.largest_log = std::max(samples.largest_log, size);
  }
  for (std::size_t k = 0; k + 1 < samples.log_values.size(); ++k) {
    const double here = samples.log_values[k].lower();
    const double next = samples.log_values[k + 1].upper();
    const bool falls = here > -rounding::kInfinity && next < here;
    samples.drops.push_back(falls ? -std::expm1(next - here) * (1.0 - 0x1p-50) : 0.0);
  }
  return samples;
}

Bracket log_exp_weighted_integral(const ConvexSamples& samples, double s) {
  const double h = samples.step;
  const std::size_t cells = samples.log_values.size() - 3;
  // A grid so coarse for this weight says nothing.
  if (!(std::fabs(s) * h < 600.0)) return {-rounding::kInfinity, rounding::kInfinity};
  const Bracket right = right_weight(s, h);
  const Bracket left = exponential_mass(s, h) - right;
  const Bracket back = exp(-(Bracket(s) * h));
  const double shrink = exp(Bracket(-h)).lower();
  const auto exponent = [&](std::size_t k) { return s * (h * static_cast<double>(k)) + samples.log_values[k].upper(); };
  double peak = -rounding::kInfinity;
  for (std::size_t k = 0; k <= cells; ++k) peak = std::max(peak, exponent(k));
  if (peak == -rounding::kInfinity) return Bracket(-rounding::kInfinity);

  // In units of e^peak, with E_k = e^{s t_k} f_k and e^{s t_k} f_{k+1} = e^{-sh} E_{k+1}: the chord of cell k gives
  // left E_k + right e^{-sh} E_{k+1}; below it lies the extension of the next chord,
  // f_k >= f_{k+1} (1 + (1 - f_{k+2}/f_{k+1}) e^{-h}). A value known to w in its log is at least 1 - w of its upper
  // end.
  double upper = 0.0;
  double lower = 0.0;
  double here = std::exp(exponent(0) - peak);
  for (std::size_t k = 0; k < cells; ++k) {
    const double next = std::exp(exponent(k + 1) - peak);
    const Bracket& log_next = samples.log_values[k + 1];
    upper += left.upper() * here + right.upper() * back.upper() * next;
    const double certain = log_next.lower() > -rounding::kInfinity ? 1.0 - (log_next.upper() - log_next.lower()) : 0.0;
    if (certain > 0.0)
      lower += back.lower() * (left.lower() * (1.0 + samples.drops[k + 1] * shrink) + right.lower()) * next * certain;
    here = next;
  }
  // Exponents are rounded by 2^-51 of their largest part, sums by 2^-53 a term; underflow loses less than 1e-300.
  const double size = std::fabs(s) * end_of(samples) + samples.largest_log + std::fabs(peak);
  const double relative = 0x1p-50 * (size + 8.0) + 0x1p-51 * static_cast<double>(cells);
  const double low = lower * (1.0 - relative);
  const double high = (upper + 1e-300) * (1.0 + relative);
  const Bracket scaled(low <= high ? std::max(0.0, low) : 0.0, high);
  return log(scaled) + peak;
}

}  // namespace doeblin::numerics
