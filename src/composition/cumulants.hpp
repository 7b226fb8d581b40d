// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/composition/loss_lattice.hpp"

namespace doeblin {

/// log E[e^{tilt L}] with its first two derivatives: the size, mean and variance of the tilted law of a total loss.
struct Cumulants {
  double log_moment;
  double mean;
  double variance;
};

/// Approximate cumulants of a sum of losses, for choosing a tilt; nothing is promised about their accuracy.
class LossCumulants {
 public:
  LossCumulants(const std::vector<LossLattice>& lattices, std::vector<double> counts)
      : lattices_(lattices), counts_(std::move(counts)) {}

  [[nodiscard]] Cumulants at(double tilt) const;
  /// Tilts above this see one grid point only.
  [[nodiscard]] double largest_tilt() const { return 20.0 / lattices_[0].step; }

 private:
  const std::vector<LossLattice>& lattices_;
  std::vector<double> counts_;
};

/// A saddle-point estimate of log delta at epsilon = the tilted mean.
[[nodiscard]] double log_tail(const Cumulants& cumulants, double tilt);

/// The tilt at which that estimate is log_delta.
[[nodiscard]] double tilt_for_delta(const LossCumulants& cumulants, double log_delta);

/// The tilt under which the mean loss is epsilon; 0 when it is larger already.
[[nodiscard]] double tilt_for_loss(const LossCumulants& cumulants, double epsilon);

}  // namespace doeblin
