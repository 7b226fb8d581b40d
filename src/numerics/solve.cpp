// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/solve.hpp"

#include <boost/math/tools/toms748_solve.hpp>

namespace doeblin::numerics {

double likely_root(const std::function<double(double)>& g, double low, double high, double width) {
  const double at_low = g(low);
  const double at_high = g(high);
  if (!(at_low < 0.0) || !(low < high)) return low;
  if (!(at_high > 0.0)) return high;
  std::uintmax_t steps = 100;
  const auto is_close = [&](double a, double b) { return b - a <= width * std::max(1.0, std::abs(b)); };
  const auto [left, right] = boost::math::tools::toms748_solve(g, low, high, at_low, at_high, is_close, steps);
  return 0.5 * (left + right);
}

}  // namespace doeblin::numerics
