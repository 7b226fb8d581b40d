// SPDX-License-Identifier: Apache-2.0
#include "audit/draws.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/core/error.hpp"

namespace doeblin::audit {
namespace {

using sampling::RandomStream;

double uniform(RandomStream& random) { return static_cast<double>(random.next() >> 11U) * 0x1p-53; }

std::vector<double> cumulative(const std::vector<double>& row) {
  std::vector<double> sums;
  sums.reserve(row.size());
  double sum = 0.0;
  for (const double p : row) sums.push_back(sum += p);
  // What rounding leaves over belongs to the last column that has any probability.
  for (std::size_t k = sums.size(); k-- > 0;) {
    sums[k] = 2.0;
    if (row[k] > 0.0) break;
  }
  return sums;
}

}  // namespace

Draws additive(double distance, std::vector<GridNoise> noises) {
  return {1, [distance, noises = std::move(noises)](Side side, RandomStream& random, std::size_t count) {
            Outputs outputs{1, std::vector<double>(count, side == Side::kFirst ? distance : 0.0)};
            for (const GridNoise& noise : noises) noise.add_to(outputs.values, random);
            return outputs;
          }};
}

Draws tabulated(const std::vector<double>& first, const std::vector<double>& second) {
  return {1,
          [first = cumulative(first), second = cumulative(second)](Side side, RandomStream& random, std::size_t count) {
            const std::vector<double>& sums = side == Side::kFirst ? first : second;
            Outputs outputs{1, std::vector<double>(count)};
            for (double& x : outputs.values)
              x = static_cast<double>(std::upper_bound(sums.begin(), sums.end(), uniform(random)) - sums.begin());
            return outputs;
          }};
}

Draws iterated(const LineProcess& process) {
  return {1, [process](Side side, RandomStream& random, std::size_t count) {
            const double half = (side == Side::kFirst ? 0.5 : -0.5) * process.shift;
            const double end = 0.5 * process.diameter;
            Outputs outputs{1, std::vector<double>(count, 0.0)};
            for (std::size_t t = 0; t < process.factors.size(); ++t) {
              const double factor = process.factors[t];
              const double push = process.differs[t] ? half : 0.0;
              for (double& x : outputs.values) x = factor * x + push;
              process.noise.add_to(outputs.values, random);
              if (std::isfinite(end))
                for (double& x : outputs.values) x = std::clamp(x, -end, end);
            }
            return outputs;
          }};
}

Draws sampled(const Draws& base, double rate) {
  require(rate >= 0.0 && rate <= 1.0, "rate", rate, "0 <= rate <= 1");
  return {base.dimension, [base, rate](Side side, RandomStream& random, std::size_t count) {
            Outputs outputs = base.draw(Side::kSecond, random, count);
            if (side == Side::kSecond) return outputs;
            std::vector<std::size_t> taking_part;
            for (std::size_t i = 0; i < count; ++i)
              if (random.bernoulli(rate)) taking_part.push_back(i);
            const Outputs with = base.draw(Side::kFirst, random, taking_part.size());
            for (std::size_t k = 0; k < taking_part.size(); ++k)
              std::copy_n(with.row(k).begin(), base.dimension,
                          outputs.values.begin() + static_cast<std::ptrdiff_t>(taking_part[k] * base.dimension));
            return outputs;
          }};
}

Draws together(const std::vector<Draws>& parts) {
  std::size_t dimension = 0;
  for (const Draws& part : parts) dimension += part.dimension;
  return {dimension, [parts, dimension](Side side, RandomStream& random, std::size_t count) {
            Outputs outputs{dimension, std::vector<double>(count * dimension)};
            std::size_t column = 0;
            for (const Draws& part : parts) {
              const Outputs drawn = part.draw(side, random, count);
              for (std::size_t i = 0; i < count; ++i)
                std::copy_n(drawn.row(i).begin(), part.dimension,
                            outputs.values.begin() + static_cast<std::ptrdiff_t>(i * dimension + column));
              column += part.dimension;
            }
            return outputs;
          }};
}

}  // namespace doeblin::audit
