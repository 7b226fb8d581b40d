// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <vector>

namespace doeblin::test {

/// X -> clip(psi(X) + noise) on an interval, discretised: cells with their mass in the middle, and an atom at each end.
/// A second route to the divergence of hidden runs, for any map.
class Chain {
 public:
  enum class Noise { kGaussian, kLaplace };
  using Law = std::vector<double>;
  using Map = std::function<double(double)>;

  Chain(double low, double high, std::size_t cells = 400) : low_(low), high_(high), cells_(cells) {}

  /// The law that is concentrated at x.
  [[nodiscard]] Law point(double x) const {
    Law law(cells_ + 2, 0.0);
    if (x <= low_) return law[0] = 1.0, law;
    if (x >= high_) return law[cells_ + 1] = 1.0, law;
    law[1 + static_cast<std::size_t>((x - low_) / step())] = 1.0;
    return law;
  }

  /// One step from every state, row by row.
  struct Kernel {
    std::vector<Law> rows;
    [[nodiscard]] Law operator()(const Law& law) const {
      Law next(law.size(), 0.0);
      for (std::size_t i = 0; i < law.size(); ++i)
        if (law[i] > 0.0)
          for (std::size_t j = 0; j < law.size(); ++j) next[j] += law[i] * rows[i][j];
      return next;
    }
  };

  [[nodiscard]] Kernel kernel(const Map& map, double scale, Noise noise = Noise::kGaussian) const {
    Kernel kernel;
    for (std::size_t i = 0; i < cells_ + 2; ++i) {
      const double mean = map(state(i));
      Law row(cells_ + 2);
      // Tails from the nearer side, so that small masses keep their digits.
      const auto mass = [&](double from, double to) {
        const double a = (from - mean) / scale, b = (to - mean) / scale;
        return a > 0.0 ? upper_tail(a, noise) - upper_tail(b, noise) : upper_tail(-b, noise) - upper_tail(-a, noise);
      };
      row[0] = upper_tail((mean - low_) / scale, noise);
      row[cells_ + 1] = upper_tail((high_ - mean) / scale, noise);
      for (std::size_t j = 0; j < cells_; ++j)
        row[j + 1] = mass(low_ + static_cast<double>(j) * step(), low_ + static_cast<double>(j + 1) * step());
      kernel.rows.push_back(std::move(row));
    }
    return kernel;
  }

  /// sum [p - e^epsilon q]_+
  [[nodiscard]] static double divergence(const Law& p, const Law& q, double epsilon) {
    double sum = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(epsilon) * q[i]);
    return sum;
  }

 private:
  [[nodiscard]] double step() const { return (high_ - low_) / static_cast<double>(cells_); }
  [[nodiscard]] double state(std::size_t i) const {
    if (i == 0) return low_;
    if (i == cells_ + 1) return high_;
    return low_ + (static_cast<double>(i) - 0.5) * step();
  }
  static double upper_tail(double x, Noise noise) {
    if (noise == Noise::kGaussian) return 0.5 * std::erfc(x / std::sqrt(2.0));
    return x > 0.0 ? 0.5 * std::exp(-x) : 1.0 - 0.5 * std::exp(x);
  }

  double low_;
  double high_;
  std::size_t cells_;
};

}  // namespace doeblin::test
