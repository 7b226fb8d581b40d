// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/theta_batch.hpp"

#include <algorithm>
#include <mutex>
#include <optional>

#include "doeblin/numerics/parallel.hpp"
#include "doeblin/numerics/theta.hpp"
#include "numerics/theta_batch_kernel.hpp"
#include "numerics/theta_cells.hpp"

namespace doeblin::numerics {
namespace {

// What fewer values gain is not worth that they differ from single ones in the last digits.
constexpr std::size_t kShortest = 2048;
constexpr std::size_t kShared = 65536;
constexpr std::size_t kChunk = 16384;

// body(begin, count) for parts that make up 0, ..., total - 1.
template <typename Body>
void in_parts(std::size_t total, const Body& body) {
  if (total < kShared) return body(0, total);
  parallel_for((total + kChunk - 1) / kChunk,
               [&](std::size_t part) { body(part * kChunk, std::min(kChunk, total - part * kChunk)); });
}

bool has_avx2() {
#if defined(DOEBLIN_AVX2_THETA)
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has;
#else
  return false;
#endif
}

#if defined(DOEBLIN_AVX2_THETA)
kernel::EpsilonRange range_of(std::span<const double> epsilon) {
  std::mutex guard;
  kernel::EpsilonRange all{rounding::kInfinity, 0.0, true};
  in_parts(epsilon.size(), [&](std::size_t begin, std::size_t count) {
    const kernel::EpsilonRange part = kernel::epsilon_range_avx2(&epsilon[begin], count);
    const std::lock_guard lock(guard);
    all = {std::min(all.least, part.least), std::max(all.greatest, part.greatest), all.is_valid && part.is_valid};
  });
  return all;
}
#endif

// A bound on the widths, if it was worth it; if not, nothing has happened.
std::optional<double> theta_by_cells([[maybe_unused]] std::span<const double> epsilon, [[maybe_unused]] const Wide& r,
                                     [[maybe_unused]] std::span<double> lower,
                                     [[maybe_unused]] std::span<double> upper) {
#if defined(DOEBLIN_AVX2_THETA)
  // Measured: a cell costs about as much as three values of the scalar theta.
  constexpr std::size_t kValuesPerCell = 4;
  const kernel::EpsilonRange range = range_of(epsilon);
  if (!range.is_valid) return std::nullopt;
  const kernel::CellPlan plan = kernel::plan_cells(range.least, range.greatest, r);
  if (epsilon.size() < kValuesPerCell * plan.count) return std::nullopt;
  const kernel::CellTable table(plan, r);
  in_parts(epsilon.size(), [&](std::size_t begin, std::size_t count) {
    kernel::theta_avx2(table.cells(), &epsilon[begin], &lower[begin], &upper[begin], count);
  });
  // theta is at most 1, and a unit of the smallest double more is rounded away.
  return rounding::sub_up(table.cells().high, table.cells().low) + 0x1p-52;
#else
  return std::nullopt;
#endif
}

}  // namespace

double theta(std::span<const double> epsilon, const Wide& r, std::span<double> lower, std::span<double> upper) {
  require(lower.size() == epsilon.size(), "lower.size()", static_cast<double>(lower.size()), "epsilon.size()");
  require(upper.size() == epsilon.size(), "upper.size()", static_cast<double>(upper.size()), "epsilon.size()");
  require(r.hi >= 0.0, "r", r.hi, "r >= 0");
  if (epsilon.size() >= kShortest && kernel::cells_serve(r) && has_avx2())
    if (const auto widest = theta_by_cells(epsilon, r, lower, upper)) return *widest;
  for (const double e : epsilon) require(e >= 0.0, "epsilon", e, "epsilon >= 0");
  in_parts(epsilon.size(), [&](std::size_t begin, std::size_t count) {
    for (std::size_t i = begin; i < begin + count; ++i) {
      const Bracket value = theta(epsilon[i], r);
      lower[i] = value.lower();
      upper[i] = value.upper();
    }
  });
  double widest = 0.0;
  for (std::size_t i = 0; i < epsilon.size(); ++i)
    widest = rounding::larger(widest, rounding::sub_up(upper[i], lower[i]));
  return widest;
}

}  // namespace doeblin::numerics
