// SPDX-License-Identifier: Apache-2.0
#include "subsampling/chords.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/core/rounding.hpp"

namespace doeblin {
namespace {

using rounding::add_up;
using rounding::div_up;
using rounding::mul_up;
using rounding::sub_down;
using rounding::sub_up;

constexpr int kPlaces = 256;
// Smaller values do not matter, and larger levels have no exponential.
constexpr double kLeastValue = 1e-100;
constexpr double kLargestLevel = 600.0;
// The rest of what is infinite anyway.
constexpr double kAsSmallAsItGets = 1.0 + 1e-9;

double last_place(const Profile& profile) {
  const double bound = profile.traits().loss_bound;
  if (bound <= kLargestLevel) return bound;
  const double least = std::max(kLeastValue, kAsSmallAsItGets * profile.delta(Epsilon(rounding::kInfinity)).upper());
  double place = 0.25;
  while (place < kLargestLevel && profile.delta(Epsilon(place)).upper() > least) place *= 1.5;
  return std::min(place, kLargestLevel);
}

}  // namespace

double Chord::value_at(double g) const {
  if (g <= from.at) return from.value;
  const double left = std::min(1.0, div_up(sub_up(to.at, g), sub_down(to.at, from.at)));
  return add_up(to.value, mul_up(left, sub_up(from.value, to.value)));
}

double Chord::rising_value_at(double g) const {
  if (g >= to.at) return to.value;
  const double share = std::min(1.0, div_up(sub_up(g, from.at), sub_down(to.at, from.at)));
  return add_up(from.value, mul_up(share, sub_up(to.value, from.value)));
}

std::vector<Chord> convex_chords(const std::vector<ChordPoint>& points) {
  const auto slope = [](const ChordPoint& a, const ChordPoint& b) { return (b.value - a.value) / (b.at - a.at); };
  // Leaving a point out leaves a chord over it, which is above the function too.
  std::vector<ChordPoint> kept;
  for (const ChordPoint& point : points) {
    if (!kept.empty() && !(point.at > kept.back().at)) continue;
    while (kept.size() > 1 && slope(kept.end()[-2], kept.back()) >= slope(kept.back(), point)) kept.pop_back();
    kept.push_back(point);
  }
  std::vector<Chord> chords;
  for (std::size_t i = 1; i < kept.size(); ++i) chords.push_back({kept[i - 1], kept[i], slope(kept[i - 1], kept[i])});
  return chords;
}

std::vector<ChordPoint> divergence_points(const Profile& profile) {
  const double last = last_place(profile);
  std::vector<double> places{0.0};
  for (int i = 1; i <= kPlaces; ++i) {
    const double share = static_cast<double>(i) / kPlaces;
    places.push_back(last * share * share);
  }
  std::vector<double> lower(places.size()), upper(places.size());
  static_cast<void>(profile.deltas(places, lower, upper));
  std::vector<ChordPoint> points;
  double least = 1.0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    // A value holds at every larger g too: one that is not less than e^{place} is taken.
    const double at = std::nextafter(std::exp(places[i]) * (1.0 + 4.0 * rounding::kUnit), rounding::kInfinity);
    least = std::min(least, upper[i]);
    points.push_back({i == 0 ? 1.0 : at, least});
  }
  return points;
}

std::vector<ChordPoint> perspective(const std::vector<ChordPoint>& points) {
  std::vector<ChordPoint> result{{0.0, 0.0}};
  for (std::size_t i = points.size(); i-- > 0;) {
    // b D_{1/b} grows with b: not more than 1/g.
    const double at = i == 0 ? 1.0 : rounding::div_down(1.0, points[i].at);
    result.push_back({at, std::min(1.0, div_up(points[i].value, points[i].at))});
  }
  return result;
}

std::vector<ChordPoint> continued_to_zero(const std::vector<ChordPoint>& points) {
  std::vector<ChordPoint> result;
  for (const ChordPoint& point : perspective(points))
    result.push_back({point.at, std::min(1.0, add_up(sub_up(1.0, point.at), point.value))});
  result.pop_back();
  result.insert(result.end(), points.begin(), points.end());
  return result;
}

}  // namespace doeblin
