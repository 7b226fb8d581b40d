// SPDX-License-Identifier: Apache-2.0
#include "audit/worst_maps.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace doeblin::audit {
namespace {

// Steps begin, ..., end with the same slope of the convex minorant.
struct Pooled {
  std::size_t begin;
  std::size_t end;
  double shift;     // the differences, as they are seen at the end
  double variance;  // the noise, likewise

  [[nodiscard]] double last_shift() const { return shift / variance; }
  [[nodiscard]] double first_shift(double lipschitz) const {
    return last_shift() * std::pow(lipschitz, static_cast<double>(end - begin));
  }
};

// One difference, and the steps up to the next one.
Pooled stretch(std::size_t begin, std::size_t end, double lipschitz) {
  Pooled result{begin, end, 1.0, 1.0};
  for (std::size_t t = begin; t < end; ++t) {
    result.shift *= lipschitz;
    result.variance = 1.0 + lipschitz * lipschitz * result.variance;
  }
  return result;
}

Pooled joined(const Pooled& first, const Pooled& second, double lipschitz) {
  const double decay = std::pow(lipschitz, static_cast<double>(second.end - first.end));
  return {first.begin, second.end, first.shift * decay + second.shift,
          first.variance * decay * decay + second.variance};
}

}  // namespace

std::vector<double> worst_maps(const std::vector<bool>& differs, double lipschitz) {
  std::vector<Pooled> pools;
  for (std::size_t begin = 0; begin < differs.size();) {
    std::size_t end = begin;
    while (end + 1 < differs.size() && !differs[end + 1]) ++end;
    pools.push_back(stretch(begin, end, lipschitz));
    // Slopes must increase: f <= lipschitz.
    while (pools.size() > 1 && pools[pools.size() - 2].last_shift() > lipschitz * pools.back().first_shift(lipschitz)) {
      const Pooled last = pools.back();
      pools.pop_back();
      pools.back() = joined(pools.back(), last, lipschitz);
    }
    begin = end + 1;
  }
  std::vector<double> factors(differs.size(), lipschitz);
  // Nothing that comes before the first difference is of any use to know.
  factors[0] = 0.0;
  for (std::size_t k = 1; k < pools.size(); ++k) {
    const double factor = pools[k - 1].last_shift() / pools[k].first_shift(lipschitz);
    factors[pools[k].begin] = std::isfinite(factor) ? std::min(factor, lipschitz) : lipschitz;
  }
  return factors;
}

}  // namespace doeblin::audit
