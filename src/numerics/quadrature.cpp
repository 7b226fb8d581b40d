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

double log_sum(const std::vector<double>& logs) {
  double peak = -rounding::kInfinity;
  for (const double x : logs) peak = std::max(peak, x);
  if (std::isinf(peak)) return peak;
  double sum = 0.0;
  double compensation = 0.0;
  for (const double x : logs) {
    const double term = std::exp(x - peak) - compensation;
    const double next = sum + term;
    compensation = (next - sum) - term;
    sum = next;
  }
  return peak + std::log(sum);
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
  samples.log_values.reserve(cells + 3);
  for (std::size_t k = 0; k < cells + 3; ++k)
    samples.log_values.push_back(log(f(samples.step * static_cast<double>(k))));
  return samples;
}

Bracket log_exp_weighted_integral(const ConvexSamples& samples, double s) {
  const double h = samples.step;
  const std::size_t cells = samples.log_values.size() - 3;
  const Bracket right = right_weight(s, h);
  const Bracket left = exponential_mass(s, h) - right;
  const Bracket shrink = exp(Bracket(-h));
  std::vector<double> upper_logs, lower_logs;
  upper_logs.reserve(2 * cells);
  lower_logs.reserve(cells);
  for (std::size_t k = 0; k < cells; ++k) {
    const double shift = s * (h * static_cast<double>(k));
    const double slack = std::fabs(shift) * 0x1p-52;
    const Bracket& here = samples.log_values[k];
    const Bracket& next = samples.log_values[k + 1];
    const Bracket& after = samples.log_values[k + 2];
    // Chord: left f_k + right f_{k+1}.
    upper_logs.push_back(shift + slack + here.upper() + std::log(left.upper()));
    upper_logs.push_back(shift + slack + next.upper() + std::log(right.upper()));
    // Extension of the next chord: f_k >= f_{k+1} + (f_{k+1} - f_{k+2}) e^{-h}.
    if (next.lower() == -rounding::kInfinity) continue;
    const double drop = std::max(0.0, -std::expm1(after.upper() - next.lower()) * (1.0 - 0x1p-50));
    lower_logs.push_back(shift - slack + next.lower() +
                         std::log(left.lower() * (1.0 + drop * shrink.lower()) + right.lower()));
  }
  const double high = log_sum(upper_logs);
  const double low = lower_logs.empty() ? -rounding::kInfinity : log_sum(lower_logs);
  // Each log and exp above is good to 2 units, of logs at most max|log| in size; the sum is compensated.
  const auto rounding_error = [](double x) { return 0x1p-48 * (1.0 + (std::isinf(x) ? 0.0 : std::fabs(x))); };
  const auto largest = [](const std::vector<double>& logs) {
    double size = 0.0;
    for (const double x : logs)
      if (std::isfinite(x)) size = std::max(size, std::fabs(x));
    return size;
  };
  return {low - rounding_error(low) - 0x1p-50 * largest(lower_logs),
          high + rounding_error(high) + 0x1p-50 * largest(upper_logs)};
}

}  // namespace doeblin::numerics
