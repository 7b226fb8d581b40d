// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "verify/iteration/run_shift.hpp"

/// Contraction after the last use of a record, in blocks (catalogue I6, I7).
namespace doeblin::verify {

/// The steps after the last use of a record, seen as kernels on a bounded domain. Levels are remembered.
class RunTail {
 public:
  RunTail(std::shared_ptr<const ConfinedRun> run, RecordUses uses, std::size_t released);

  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// The level if the state were released so many steps after the last use.
  [[nodiscard]] const Ball& start(std::size_t stop);
  /// The level of the steps from+1, ..., to after the last use as a kernel.
  [[nodiscard]] const Ball& block(std::size_t from, std::size_t to);
  /// Their upper ends, for searching.
  [[nodiscard]] double start_estimate(std::size_t stop);
  [[nodiscard]] double block_estimate(std::size_t from, std::size_t to);

 private:
  struct Level {
    Ball ball;
    double estimate;
  };
  [[nodiscard]] const Level& start_level(std::size_t stop);
  [[nodiscard]] const Level& block_level(std::size_t from, std::size_t to);

  std::shared_ptr<const ConfinedRun> run_;
  RecordUses uses_;
  std::size_t steps_;
  std::unordered_map<std::size_t, Level> starts_;
  std::unordered_map<std::size_t, Level> blocks_;
};

/// Upper bounds on delta when the state is released at each of some numbers of steps after the last use: the best
/// partition of the steps into a start and blocks that end at these positions.
///
/// Formula  B_p = min(theta_g(start(p)), min over earlier positions q of F(B_q)), F(d) = d theta_{1+(g-1)/d}(block(q,
///          p)), increasing in d
/// Domain   positions increasing
[[nodiscard]] std::vector<Ball> delta_at_positions(RunTail& tail, const std::vector<std::size_t>& positions,
                                                   const Ball& epsilon);

/// The same at the end of the tail, for the best partition that is found.
[[nodiscard]] Ball best_delta(RunTail& tail, const Ball& epsilon);

}  // namespace doeblin::verify
