// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "verify/ball.hpp"

/// The steps of a hidden run, X_t = Pi(psi_t(X_{t-1}) + Z_t), in balls (catalogue I, model).
namespace doeblin::verify {

/// What the work inside of a run is done with; thetas are computed with more.
inline constexpr long kRunBits = 128;

/// Consecutive steps, seen from their end.
struct Stretch {
  Ball decay = Ball(1);     ///< the product of their Lipschitz constants
  Ball variance = Ball(0);  ///< sum of s_t^2 (product of the later Lipschitz constants)^2
};

/// `first` and then `second`.
[[nodiscard]] Stretch joined(const Stretch& first, const Stretch& second);

/// 1 + x + ... + x^{m-1} for x >= 0, by its closed form.
[[nodiscard]] Ball geometric_sum(const Ball& x, std::size_t m);

/// The constants of one step.
struct RunStep {
  Ball lipschitz;
  Ball noise;
  Ball shift;  ///< what a record moves that the step uses
};

/// Steps that are all alike, or each with its own constants. Where they are alike lengths are in units of what a record
/// moves and noise in units of its own scale, so that slopes which are equal are equal numbers.
class RunSteps {
 public:
  /// Domain: shift > 0.
  RunSteps(const RunStep& step, std::size_t count);
  explicit RunSteps(const std::vector<RunStep>& steps);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] bool are_alike() const { return alike_; }
  [[nodiscard]] bool never_expand() const { return never_expand_; }
  /// The steps first+1, ..., last.
  [[nodiscard]] Stretch between(std::size_t first, std::size_t last) const;
  [[nodiscard]] Ball shift(std::size_t t) const { return alike_ ? Ball(1) : shifts_[t - 1]; }
  /// A length that is given in the units of the run's parameters.
  [[nodiscard]] Ball length(const Ball& given) const { return alike_ ? given / shift_ : given; }
  /// What a level in these units is to be multiplied by.
  [[nodiscard]] const Ball& level_unit() const { return level_unit_; }

 private:
  [[nodiscard]] Stretch plain(std::size_t first, std::size_t last) const;

  std::size_t count_;
  bool alike_;
  bool never_expand_ = true;
  Ball level_unit_ = Ball(1);
  Ball shift_ = Ball(1);
  Ball lipschitz_ = Ball(1);
  std::vector<Stretch> single_;
  std::vector<Ball> shifts_;
  /// Stretches of kLeaf, 2 kLeaf, 4 kLeaf, ... whole steps.
  std::vector<std::vector<Stretch>> levels_;
  mutable std::vector<std::optional<Stretch>> short_ones_;
};

}  // namespace doeblin::verify
