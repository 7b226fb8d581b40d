// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "verify/ball.hpp"

namespace doeblin::verify {

/// Symmetric log-concave noise that is added to a value on a line, as a law around 0: its shifts have a monotone likelihood
/// ratio (N1).
struct AddedNoise {
  /// How far one person moves the value; whole where the noise is.
  Ball step;
  /// At a point, of an integer where the noise is whole.
  std::function<Ball(const Ball& x)> density;
  /// The probability that it is at least x.
  std::function<Ball(const Ball& x)> above;
  /// About, but for a constant, at every real number: for searching.
  std::function<double(double x)> log_density;
  /// About how wide it is.
  double scale = 1.0;
  bool is_whole = false;
  /// Far out it falls like e^{-rate x}; empty if it falls faster than that.
  std::optional<Ball> rate = std::nullopt;
};

using SharedNoise = std::shared_ptr<const AddedNoise>;

/// Of scale 1.
[[nodiscard]] SharedNoise laplace_noise(const Ball& step);
/// P6.
[[nodiscard]] SharedNoise twice_laplace_noise(const Ball& scale1, const Ball& scale2, const Ball& step);

}  // namespace doeblin::verify
