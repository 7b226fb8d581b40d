// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/loss_lattice.hpp"

#include <algorithm>
#include <cmath>

#include "composition/sampled_divergence.hpp"

namespace doeblin {
namespace {

// All cells have the same width.
class EvenGrid {
 public:
  explicit EvenGrid(double step) : step_(step), growth_(std::expm1(step)), root_(std::exp(step / 2.0)) {}

  [[nodiscard]] double point(std::int64_t k) const { return static_cast<double>(k) * step_; }
  [[nodiscard]] double growth(std::int64_t i, std::int64_t j) const {
    return j - i == 1 ? growth_ : std::expm1(static_cast<double>(j - i) * step_);
  }
  [[nodiscard]] double root(std::int64_t /*k*/) const { return root_; }
  [[nodiscard]] double onward(double drop, std::size_t /*m*/) const { return drop * root_; }
  [[nodiscard]] double backward(double drop, std::size_t /*m*/) const { return drop / root_; }

 private:
  double step_;
  double growth_;
  double root_;
};

DivergenceSamples evenly_sampled(const Profile& profile, double step, std::int64_t cells) {
  std::vector<double> at(static_cast<std::size_t>(2 * cells + 2));
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<double>(i) * (step / 2.0);
  return chords::sampled(profile, at);
}

}  // namespace

LossSamples::LossSamples(const LossPair& pair, double step, std::int64_t left, std::int64_t right)
    : step_(step),
      forward_(evenly_sampled(pair.forward, step, pair.symmetric ? std::max(left, right) : right)),
      backward_(pair.symmetric ? forward_ : evenly_sampled(pair.backward, step, left)) {}

LossLattice LossSamples::lattice(Direction direction, Side side) const {
  const DivergenceSamples& right = direction == Direction::kForward ? forward_ : backward_;
  const DivergenceSamples& left = direction == Direction::kForward ? backward_ : forward_;
  const EvenGrid grid(step_);
  LossLattice result =
      side == Side::kUpper ? chords::upper_lattice(grid, right, left) : chords::lower_lattice(grid, right, left);
  result.step = step_;
  return result;
}

}  // namespace doeblin
