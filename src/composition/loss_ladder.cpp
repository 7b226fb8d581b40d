// SPDX-License-Identifier: Apache-2.0
#include "composition/loss_ladder.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/composition/lattice_coarsening.hpp"

namespace doeblin {
namespace {

// Tilted mass that a window may leave out on each side of a packet, whose every entry pays for it as often as there
// are packets.
constexpr double kOutsidePacket = 1e-15;
// The longest transform that is tried.
constexpr double kLongest = 0x1p23;
constexpr double kLongestPacket = 0x1p21;
constexpr double kSmallestPacket = 16.0;

std::vector<LatticePart> views(const std::vector<Repeated>& parts) {
  std::vector<LatticePart> result;
  result.reserve(parts.size());
  for (const Repeated& part : parts) result.push_back({&part.lattice, part.count});
  return result;
}

// Some of the leading bits of `factor`, so few that multiplying the step by them is exact: a rounded step would move
// every loss of the coarse grid.
std::int64_t exact_factor(double step, std::int64_t factor) {
  while (std::fma(step, static_cast<double>(factor), -(step * static_cast<double>(factor))) != 0.0)
    factor &= factor - 1;
  return factor;
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

std::optional<TiltedLattice> total_loss(std::vector<Repeated> parts, Side side, double outside) {
  for (double before = rounding::kInfinity;;) {
    const LossWindow window = window_of(views(parts), outside);
    double most = 0.0;
    for (const Repeated& part : parts) most = std::max(most, part.count);
    // Packets that shorten nothing (rare large losses, or rounding errors that outweigh the masses) are no use.
    const bool can_pack = most >= kSmallestPacket && window.points() <= before / 2.0;
    if (window.points() > kPointsAtTheEnd && can_pack) {
      // The window of n out of `most` releases is about sqrt(n/most) as long.
      const double n =
          std::clamp(std::floor(most * std::pow(kPointsOnTheWay / window.points(), 2.0)), kSmallestPacket, most);
      const std::int64_t factor = exact_factor(parts[0].lattice.step, static_cast<std::int64_t>(std::sqrt(n)));
      std::vector<Repeated> packets = packed(parts, n, factor, side);
      if (!packets.empty()) {
        parts = std::move(packets);
        before = window.points();
        continue;
      }
    }
    if (window.points() > kLongest) return std::nullopt;
    return convolved(views(parts), window, side);
  }
}

}  // namespace doeblin
