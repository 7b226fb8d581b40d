// SPDX-License-Identifier: Apache-2.0
#include "accounting/loss_ladder.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/accounting/lattice_coarsening.hpp"

namespace doeblin {
namespace {

// Tilted mass that a window may leave out on each side: of a packet, whose every entry pays for it as often as there
// are packets, and of the total, whose answer pays for it once.
constexpr double kOutsidePacket = 1e-15;
constexpr double kOutsideTotal = 1e-11;
// The longest transform that is tried.
constexpr double kLongest = 0x1p21;
constexpr double kLongestPacket = 0x1p19;
constexpr double kSmallestPacket = 16.0;

std::vector<LatticePart> views(const std::vector<Repeated>& parts) {
  std::vector<LatticePart> result;
  for (const Repeated& part : parts) result.push_back({&part.lattice, part.count});
  return result;
}

// One step up: every part in packets of n, and one packet of what is left over. Empty when a packet is too long.
std::vector<Repeated> packed(const std::vector<Repeated>& parts, double n, std::int64_t factor, Side side) {
  std::vector<Repeated> result;
  std::vector<LatticePart> rest;
  const auto add = [&](const std::vector<LatticePart>& packet, double count) {
    const LossWindow window = window_of(packet, kOutsidePacket);
    if (window.points() > kLongestPacket) return false;
    result.push_back({coarsened(convolved(packet, window, side), factor, side), count});
    return true;
  };
  for (const Repeated& part : parts) {
    const double packets = std::floor(part.count / n);
    const double left = part.count - packets * n;
    if (packets > 0.0 && !add({{&part.lattice, n}}, packets)) return {};
    if (left > 0.0) rest.push_back({&part.lattice, left});
  }
  if (!rest.empty() && !add(rest, 1.0)) return {};
  return result;
}

}  // namespace

int levels_for(double points) {
  int levels = 1;
  for (; points > kPointsAtTheEnd && levels < 8; ++levels) {
    // n packets shorten the grid by sqrt(n) = kPointsOnTheWay/(points/sqrt(count)) at best; assume a thousand.
    points /= 32.0;
  }
  return levels;
}

std::optional<TiltedLattice> total_loss(std::vector<Repeated> parts, Side side) {
  for (double before = rounding::kInfinity;;) {
    const LossWindow window = window_of(views(parts), kOutsideTotal);
    double most = 0.0;
    for (const Repeated& part : parts) most = std::max(most, part.count);
    if (window.points() <= kPointsAtTheEnd) return convolved(views(parts), window, side);
    if (most < kSmallestPacket) {
      // Nothing to put into packets: one long transform.
      if (window.points() <= kLongest) return convolved(views(parts), window, side);
      return std::nullopt;
    }
    // Rounding errors that outweigh the masses spread over the whole window.
    if (window.points() > before / 2.0) return std::nullopt;
    before = window.points();
    // The window of n out of `most` releases is about sqrt(n/most) as long.
    const double n = std::clamp(std::floor(most * std::pow(kPointsOnTheWay / window.points(), 2.0)), kSmallestPacket, most);
    const auto factor = static_cast<std::int64_t>(std::sqrt(n));
    parts = packed(parts, n, factor, side);
    if (parts.empty()) return std::nullopt;
  }
}

}  // namespace doeblin
