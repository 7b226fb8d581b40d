// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "verify/known.hpp"

/// Levels for every number of changed records, where nothing but profiles of groups is known. Every choice that keeps
/// within what there is gives a bound: the choice is searched for in doubles, the bound and what it uses are balls.
namespace doeblin::verify {

/// D_{e^epsilon} of j people, from above, and where it was asked.
class GroupCurve {
 public:
  /// At exactly this epsilon.
  struct Answer {
    Ball epsilon, delta;
  };

  GroupCurve(const Known& base, unsigned long j);

  [[nodiscard]] Ball at(const Ball& epsilon) const { return group_.delta(epsilon).upper; }
  /// Remembers the answer, which at the largest loss, rounded, is that at the loss itself.
  const Answer& ask(double epsilon);
  void forget(double epsilon) { answers_.erase(epsilon); }
  /// The first questions, up to the largest loss or until little is left; false if they were asked before.
  bool ask_widely();
  [[nodiscard]] const std::map<double, Answer>& answers() const { return answers_; }

 private:
  Known group_;
  std::optional<Ball> largest_ = std::nullopt;  ///< where the delta has become constant, if that is known
  bool is_asked_widely_ = false;
  std::map<double, Answer> answers_ = {};
};

/// For 1, 2, ... people, as many as are needed.
class GroupCurves {
 public:
  explicit GroupCurves(const Known& base) : base_(base) {}
  [[nodiscard]] GroupCurve& of(std::size_t j);

 private:
  Known base_;
  std::deque<GroupCurve> curves_ = {};
};

/// How many of the changed records are in a sample.
struct Counts {
  std::vector<Ball> some;  ///< some[j - 1]: the weight of j >= 1
  Ball none;
};

/// S3, S4, S10: sum_{j>=1} w_j delta_j(eps_j) for eps_j >= eps with sum_{j>=1} w_j (e^{eps_j} - e^eps) <= w_0 (e^eps - 1);
/// at most what one level for all comes to.
[[nodiscard]] Ball best_counts(GroupCurves& curves, const Counts& counts, const Ball& epsilon);

/// S10, S11: sum_{i>=1} p_i D_{a_i} + g sum_{j>=1} q_j b_j D_{1/b_j}, g = e^eps, D of i or j people, for a_i >= 0 and
/// b_j > 0 with p_0 + sum_{i>=1} p_i a_i <= g (q_0 + sum_{j>=1} q_j b_j): i and j people away from a law that both
/// sides have in common. After noise of N1 it is the divergence of the pair on the line.
[[nodiscard]] Ball best_splits(GroupCurves& curves, const Counts& p, const Counts& q, const Ball& epsilon);

}  // namespace doeblin::verify
