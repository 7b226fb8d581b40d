// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/finite_mixing.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace doeblin {
namespace {

// The rows as a kernel: middles of the brackets, and the most that one is off by.
FiniteKernel as_kernel(const FiniteMechanism& mechanism) {
  std::vector<double> values;
  double relative = 0.0;
  double absolute = 0.0;
  for (const auto& row : mechanism.rows())
    for (const Bracket& entry : row) {
      values.push_back(entry.middle());
      if (entry.is_exact()) continue;
      if (entry.lower() > 0x1p-1000)
        relative = std::max(relative, rounding::div_up(entry.width(), entry.lower()));
      else
        absolute = std::max(absolute, entry.upper());
    }
  const std::size_t outputs = mechanism.rows()[0].size();
  return FiniteKernel::calculated(mechanism.rows().size(), outputs, std::move(values), relative, absolute);
}

}  // namespace

FiniteMechanism processed(const FiniteMechanism& mechanism, const FiniteKernel& kernel) {
  const std::size_t outputs = mechanism.rows()[0].size();
  if (outputs != kernel.states())
    throw InvalidArgument("states", fmt::format("{}", kernel.states()),
                          fmt::format("the {} outputs of the mechanism before it", outputs));
  const FiniteKernel after = product(as_kernel(mechanism), kernel);
  std::vector<std::vector<Bracket>> rows(after.states());
  for (std::size_t x = 0; x < after.states(); ++x) {
    for (const double value : after.row(x).values) rows[x].push_back(after.enclosed(value));
  }
  return FiniteMechanism::enclosed(std::move(rows), mechanism.adjacent());
}

}  // namespace doeblin
