// SPDX-License-Identifier: Apache-2.0
#include "subsampling/integer_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

constexpr double kMostWidth = 1e-11;
// Every half-line between the first and the last that may be the best is asked.
constexpr std::ptrdiff_t kMostCandidates = 4;
constexpr double kLargestEpsilon = 600.0;

double farthest_of(const NoiseMixture& mixture) {
  double farthest = 0.0;
  for (const Shift& shift : mixture.shifts) farthest = std::max(farthest, shift.multiple);
  return farthest;
}

// sum_i w_i K(0)([from, from + m_i u)), or with the intervals ending right before `from`.
Bracket masses_within(const IntegerLaw& law, const std::vector<Shift>& nearest_first, double from, double direction) {
  Bracket sum(0.0), within(0.0);
  double reached = 0.0;
  for (const Shift& shift : nearest_first) {
    for (const double end = shift.multiple * law.unit; reached < end; ++reached)
      within = within + law.mass(direction > 0.0 ? from + reached : from - 1.0 - reached);
    sum = sum + shift.weight * within;
  }
  return sum;
}

std::vector<Shift> nearest_first(const NoiseMixture& mixture) {
  std::vector<Shift> shifts = mixture.shifts;
  std::stable_sort(shifts.begin(), shifts.end(),
                   [](const Shift& a, const Shift& b) { return a.multiple < b.multiple; });
  return shifts;
}

}  // namespace

double IntegerMixture::cost(const IntegerLaw& law, const NoiseMixture& p, const NoiseMixture& q, double low,
                            double high) {
  const double shifts = static_cast<double>(p.shifts.size() + q.shifts.size());
  return (high - low + 1.0) * (shifts + (farthest_of(p) + farthest_of(q)) * law.unit);
}

IntegerMixture::IntegerMixture(const IntegerLaw& law, const NoiseMixture& p, const NoiseMixture& q, double low,
                               double high, const Level& level)
    : rest_(rounding::add_up(p.rest, q.rest)) {
  const std::vector<Shift> of_p = nearest_first(p), of_q = nearest_first(q);
  for (double z = low; z <= high; ++z) {
    const Bracket here = level(z);
    levels_below_.push_back(here.lower());
    levels_above_.push_back(here.upper());
    half_lines_.push_back(
        {.from_p = masses_within(law, of_p, z, -1.0), .from_q = masses_within(law, of_q, z, 1.0), .tail = law.tail(z)});
  }
  // The ratio never falls, and so its bounds need not either.
  for (std::size_t i = 1; i < levels_below_.size(); ++i)
    levels_below_[i] = std::max(levels_below_[i], levels_below_[i - 1]);
  for (std::size_t i = levels_above_.size(); i-- > 1;)
    levels_above_[i - 1] = std::min(levels_above_[i - 1], levels_above_[i]);
}

Bracket IntegerMixture::at(const HalfLine& half_line, const Bracket& growth, double epsilon) const {
  const Bracket value =
      half_line.from_p + growth * half_line.from_q - numerics::expm1(Bracket(epsilon)) * half_line.tail;
  const double left_out = (growth * rest_).upper();
  return value + Bracket(-left_out, left_out);
}

std::optional<Bracket> IntegerMixture::divergence(double epsilon) const {
  if (!(epsilon >= 0.0 && epsilon <= kLargestEpsilon)) return std::nullopt;
  const auto first = std::upper_bound(levels_above_.begin(), levels_above_.end(), epsilon) - levels_above_.begin();
  const auto last = std::upper_bound(levels_below_.begin(), levels_below_.end(), epsilon) - levels_below_.begin();
  if (first == 0 || last == std::ssize(levels_below_) || last - first >= kMostCandidates) return std::nullopt;
  const Bracket growth = numerics::exp(Bracket(epsilon));
  Bracket largest(0.0);
  for (auto i = first; i <= last; ++i)
    largest = max(largest, at(half_lines_[static_cast<std::size_t>(i)], growth, epsilon));
  if (!(largest.width() <= kMostWidth * largest.lower())) return std::nullopt;
  return clamp(largest, 0.0, 1.0);
}

}  // namespace doeblin
