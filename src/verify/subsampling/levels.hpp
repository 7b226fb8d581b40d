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

/// S11: sum_{j>=1} w_j (D_{a_j} + g b_j D_{1/b_j}), g = e^eps, D of j people, for a_j >= 0 and 0 < b_j <= 1 with
/// sum_{j>=1} w_j a_j <= w_0 (g - 1) + g sum_{j>=1} w_j b_j.
[[nodiscard]] Ball best_exchanges(GroupCurves& curves, const Counts& counts, const Ball& epsilon);

}  // namespace doeblin::verify
