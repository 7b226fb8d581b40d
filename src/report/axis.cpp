// SPDX-License-Identifier: Apache-2.0
#include "report/axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/rounding.hpp"

namespace doeblin::report {
namespace {

constexpr double kMostPowers = 15.0;

// 1, 2 or 5 times a power of ten.
double nice_step(double range, int ticks) {
  const double raw = range / ticks;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw * (1.0 - 1e-9)) return factor * power;
  return 10.0 * power;
}

// "10" with the exponent raised, as text that can be read aloud and copied.
std::string power_label(int exponent) {
  if (exponent == 0) return "1";
  constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string label = exponent < 0 ? "10⁻" : "10";
  for (const char digit : fmt::format("{}", std::abs(exponent))) label += kDigits[digit - '0'];
  return label;
}

// 20000 as "20,000": no more digits than the step between ticks needs.
std::string step_label(double value, double step) {
  if (value == 0.0) return "0";
  if (std::fabs(value) >= 1e7 || step < 1e-4) return fmt::format("{:.3g}", value);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  std::string label = fmt::format("{:.{}f}", value, decimals);
  if (decimals == 0)
    for (std::size_t from_end = 3; from_end < label.size(); from_end += 4) label.insert(label.size() - from_end, ",");
  return label;
}

}  // namespace

Axis Axis::linear(double low, double high) {
  ensure(low < high && std::isfinite(high - low), "Axis: low < high");
  return {false, low, high};
}

Axis Axis::logarithmic(int low, int high) {
  ensure(low < high, "Axis: low < high");
  return {true, static_cast<double>(low), static_cast<double>(high)};
}

Axis Axis::for_values(const std::vector<double>& values) {
  double largest = 0.0;
  double smallest = rounding::kInfinity;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    largest = std::max(largest, value);
    if (value > 0.0) smallest = std::min(smallest, value);
  }
  if (largest == 0.0) return linear(0.0, 1.0);
  if (smallest >= 1e-3 * largest) return linear(0.0, std::min(1.1 * largest, std::numeric_limits<double>::max()));
  const double high = std::min(308.0, std::ceil(std::log10(largest) - 1e-9));  // 1e309 is no double
  const double low = std::min(high - 1.0, std::max(std::floor(std::log10(smallest) + 1e-9), high - kMostPowers));
  return {true, low, high};
}

double Axis::unlimited_place(double value) const {
  if (is_logarithmic_ && value <= 0.0) return -rounding::kInfinity;
  if (std::isinf(value)) return value > 0.0 ? rounding::kInfinity : -rounding::kInfinity;
  return ((is_logarithmic_ ? std::log10(value) : value) - low_) / (high_ - low_);
}

double Axis::place(double value) const { return std::clamp(unlimited_place(value), 0.0, 1.0); }

std::vector<Tick> Axis::ticks(int most) const {
  std::vector<Tick> all;
  if (is_logarithmic_) {
    const int step = std::max(1, static_cast<int>(std::ceil((high_ - low_) / most)));
    // From the end, whose power of ten is the one that matters.
    for (int e = static_cast<int>(high_); e >= static_cast<int>(low_); e -= step)
      all.push_back({std::pow(10.0, e), power_label(e)});
    std::reverse(all.begin(), all.end());
    return all;
  }
  const double step = nice_step(high_ - low_, most);
  if (!(step > 0.0)) return {{low_, step_label(low_, 1.0)}};  // below the smallest doubles
  // Whole numbers of steps, so that 0.3 is not 0.30000000000000004.
  for (double k = std::ceil(low_ / step - 1e-9); k * step <= high_ && all.size() <= 100; ++k)
    if (k * step >= low_) all.push_back({k * step, step_label(k * step, step)});
  return all;
}

double Axis::low() const { return is_logarithmic_ ? std::pow(10.0, low_) : low_; }
double Axis::high() const { return is_logarithmic_ ? std::pow(10.0, high_) : high_; }

}  // namespace doeblin::report
