// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace doeblin::report {

/// A tick mark: where it stands, and what is written there.
struct Tick {
  double value = 0.0;
  std::string label = {};
};

/// Where values go along a line: 0 is its beginning, 1 its end. Increasing in the value.
class Axis {
 public:
  /// Domain   low < high, both finite
  [[nodiscard]] static Axis linear(double low, double high);
  /// By powers of ten, from 10^low to 10^high.
  /// Domain   low < high
  [[nodiscard]] static Axis logarithmic(int low, int high);
  /// For upper ends of brackets: from 0, or by powers of ten where positive values span more than three of them. What
  /// is infinite or below fifteen powers less than the largest counts for nothing.
  [[nodiscard]] static Axis for_values(const std::vector<double>& values);

  /// In [0, 1]: what is beyond an end stands there.
  [[nodiscard]] double place(double value) const;
  /// The same without limits: negative below the beginning, -infinity for a logarithm of 0.
  [[nodiscard]] double unlimited_place(double value) const;
  /// At most about `most` of them, all within the line.
  [[nodiscard]] std::vector<Tick> ticks(int most) const;

  [[nodiscard]] bool is_logarithmic() const { return is_logarithmic_; }
  /// The value at the beginning, and at the end.
  [[nodiscard]] double low() const;
  [[nodiscard]] double high() const;

 private:
  Axis(bool is_logarithmic, double low, double high) : is_logarithmic_(is_logarithmic), low_(low), high_(high) {}

  bool is_logarithmic_;
  double low_;  // exponents, where it is logarithmic
  double high_;
};

}  // namespace doeblin::report
