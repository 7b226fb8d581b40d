// SPDX-License-Identifier: Apache-2.0
#include "mixing/row_screens.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "doeblin/numerics/parallel.hpp"

namespace doeblin {
namespace {

using numerics::kCoarseRight;
using numerics::kLeft;
using numerics::kRight;
using rounding::add_up;

// Columns that sparse rows are screened by, if they are used by at least this share of the rows.
constexpr std::size_t kMostScreened = 63;
constexpr double kScreenedShare = 0.02;
// The place of a column that is not among these.
constexpr std::uint32_t kElsewhere = 0xffffffffU;

float up(double x) {
  const auto rounded = static_cast<float>(x);
  return static_cast<double>(rounded) >= x ? rounded : std::nextafter(rounded, std::numeric_limits<float>::infinity());
}

float down(double x) {
  // Infinity means that nothing is left of the other entry; that must not come from rounding.
  if (x >= static_cast<double>(std::numeric_limits<float>::max())) return std::numeric_limits<float>::max();
  return -up(-x);
}

// The cap with which a few rows lose least: a low one cuts off much, a high one rounds coarsely.
double best_cap(const FiniteKernel& kernel) {
  double best = 1.0;
  double least = rounding::kInfinity;
  for (double cap = 1.0; cap * static_cast<double>(kernel.outputs()) >= 1.0; cap /= 2.0) {
    double lost = 0.0;
    for (std::size_t x = 0; x < kernel.states(); x += (kernel.states() + 15) / 16)
      for (const double value : kernel.row(x).values) {
        const double scaled = value * static_cast<double>(numerics::kCoarseMost) / cap;
        const double kept = std::min(std::nearbyint(scaled), static_cast<double>(numerics::kCoarseMost));
        lost += std::fabs(scaled - kept) * cap;
      }
    if (lost < least) least = lost, best = cap;
  }
  return best;
}

}  // namespace

Screen::Screen(const FiniteKernel& kernel, double multiplier) : states_(kernel.states()) {
  choose_columns(kernel);
  left_panels_ = (states_ + kLeft - 1) / kLeft;
  right_panels_ = (states_ + kRight - 1) / kRight;
  left_.assign(left_panels_ * columns_ * kLeft, 0.0F);
  right_.assign(right_panels_ * columns_ * kRight, std::numeric_limits<float>::infinity());
  numerics::parallel_for(right_panels_, [&](std::size_t panel) {
    for (std::size_t x = panel * kRight; x < std::min(states_, (panel + 1) * kRight); ++x)
      fill(kernel.row(x), x, multiplier);
  });
}

void Screen::choose_columns(const FiniteKernel& kernel) {
  if (kernel.is_dense()) {
    columns_ = kernel.outputs();
    return;
  }
  std::vector<std::size_t> users(kernel.outputs(), 0);
  for (std::size_t x = 0; x < states_; ++x)
    for (const std::uint32_t y : kernel.row(x).columns) ++users[y];
  std::vector<std::uint32_t> order(kernel.outputs());
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t most = std::min<std::size_t>(kMostScreened, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) { return users[a] > users[b]; });
  place_.assign(kernel.outputs(), kElsewhere);
  const double share = kScreenedShare * static_cast<double>(states_);
  std::uint32_t chosen = 0;
  while (chosen < most && static_cast<double>(users[order[chosen]]) >= share) {
    place_[order[chosen]] = chosen;
    ++chosen;
  }
  columns_ = chosen + 1;
}

void Screen::set(std::size_t x, std::size_t column, double value, double multiplier) {
  left_[((x / kLeft) * columns_ + column) * kLeft + x % kLeft] = up(value * kScale);
  right_[((x / kRight) * columns_ + column) * kRight + x % kRight] = down(value * multiplier * kScale);
}

void Screen::fill(const KernelRow& row, std::size_t x, double multiplier) {
  if (place_.empty()) {
    for (std::size_t y = 0; y < row.values.size(); ++y) set(x, y, row.values[y], multiplier);
    return;
  }
  for (std::size_t c = 0; c < columns_; ++c) set(x, c, 0.0, multiplier);
  double elsewhere = 0.0;
  for (std::size_t k = 0; k < row.values.size(); ++k) {
    const std::uint32_t place = place_[row.columns[k]];
    if (place == kElsewhere)
      elsewhere = add_up(elsewhere, row.values[k]);
    else
      set(x, place, row.values[k], multiplier);
  }
  // As if the other row had nothing there.
  left_[((x / kLeft) * columns_ + columns_ - 1) * kLeft + x % kLeft] = up(elsewhere * kScale);
}

CoarseScreen::CoarseScreen(const FiniteKernel& kernel, double multiplier)
    : states_(kernel.states()), columns_(kernel.outputs()) {
  scale_ = static_cast<double>(numerics::kCoarseMost) / best_cap(kernel);
  left_panels_ = (states_ + kLeft - 1) / kLeft;
  right_panels_ = (states_ + kCoarseRight - 1) / kCoarseRight;
  left_.assign(left_panels_ * columns_ * kLeft, 0);
  right_.assign(right_panels_ * columns_ * kCoarseRight, numerics::kCoarseMost);
  left_loss_.assign(states_, 0.0);
  right_loss_.assign(states_, 0.0);
  numerics::parallel_for(right_panels_, [&](std::size_t panel) {
    for (std::size_t x = panel * kCoarseRight; x < std::min(states_, (panel + 1) * kCoarseRight); ++x)
      fill(kernel.row(x).values, x, multiplier);
  });
  most_lost_ = *std::max_element(left_loss_.begin(), left_loss_.end()) +
               *std::max_element(right_loss_.begin(), right_loss_.end());
}

void CoarseScreen::fill(std::span<const double> row, std::size_t x, double multiplier) {
  const auto most = static_cast<double>(numerics::kCoarseMost);
  for (std::size_t y = 0; y < columns_; ++y) {
    const double p = row[y] * scale_;
    const double q = row[y] * multiplier * scale_;
    const double p_rounded = std::min(std::nearbyint(p), most);
    const double q_rounded = std::min(std::nearbyint(q), most);
    left_[((x / kLeft) * columns_ + y) * kLeft + x % kLeft] = static_cast<std::uint16_t>(p_rounded);
    right_[((x / kCoarseRight) * columns_ + y) * kCoarseRight + x % kCoarseRight] =
        static_cast<std::uint16_t>(q_rounded);
    left_loss_[x] += std::max(0.0, p - p_rounded);
    right_loss_[x] += std::max(0.0, q_rounded - q);
  }
  // Rounding in the lines above is far below this.
  left_loss_[x] = left_loss_[x] * (1.0 + 1e-9) + 1e-6;
  right_loss_[x] = right_loss_[x] * (1.0 + 1e-9) + 1e-6;
}

}  // namespace doeblin
