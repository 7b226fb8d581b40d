// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "doeblin/audit/outputs.hpp"

namespace doeblin::audit {

/// low <= x <= high; the ends may be infinite.
struct Interval {
  double low;
  double high;

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Which of the two neighbouring inputs.
enum class Side { kFirst, kSecond };

/// A set of outputs: those whose weighted sum of coordinates lies in one of the intervals.
struct Event {
  /// Empty for outputs of one number, which is then itself the sum.
  std::vector<double> weights = {};
  /// Increasing and disjoint.
  std::vector<Interval> intervals = {};
  /// The input on which the event is the more likely one.
  Side likely = Side::kFirst;

  [[nodiscard]] double statistic(std::span<const double> output) const;
  [[nodiscard]] bool contains(std::span<const double> output) const;
  /// How many of the outputs are in it.
  [[nodiscard]] std::uint64_t count_in(const Outputs& outputs) const;

  friend bool operator==(const Event&, const Event&) = default;
};

/// "output >= 3.25". `name` shows a single value, as for labels; numbers are shortened, the event itself is exact.
[[nodiscard]] std::string text_of(const Event& event, const std::function<std::string(double)>& name = {});

}  // namespace doeblin::audit
