// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "doeblin/sampling/random_stream.hpp"
#include "doeblin/training/communicator.hpp"
#include "doeblin/training/descent_plan.hpp"
#include "doeblin/training/records.hpp"

namespace doeblin::training {

/// Everything that a run needs to go on from where it was; never shown to anybody. There is no noise in it, so a run
/// that is resumed cannot use any twice.
struct DescentState {
  std::uint64_t step = 0;
  std::vector<double> parameter = {};
  /// With random stopping, the state at the chosen step; zeros before it. Empty otherwise.
  std::vector<double> chosen = {};
  /// How many steps the run is stopped after or starts after; 0 if that is not random.
  std::uint64_t moment = 0;
  /// What the batches and the moment are drawn with; the same for all tasks.
  sampling::RandomStream::Key order{};
};

/// Where the randomness of one start of a run comes from: the same on every rank.
struct DescentKeys {
  sampling::RandomStream::Key noise;
  sampling::RandomStream::Key order;
};

/// Fresh keys from the source, those of rank 0 for everybody. `start` tells apart the starts of runs under one seed.
[[nodiscard]] DescentKeys fresh_keys(const sampling::RandomSource& source, std::uint64_t start,
                                     Communicator& communicator = alone());

/// Noisy projected gradient descent as its plan describes it (catalogue I, model):
/// w <- Pi(round(w - eta (mean gradient + rho w)) + noise).
///
/// Start    the point of the domain nearest to 0
/// Timing   every step is made, whatever the random start or stop is: how long a run takes tells nothing about it
/// Cost     O(batch d) a step and d draws
class NoisyDescent {
 public:
  /// `positive`: the class against the rest; empty for labels that are -1 and 1, or numbers.
  /// Domain   records.count() == plan.privacy.n, and the dimensions agree
  NoisyDescent(const DescentPlan& plan, const Records& records, std::optional<double> positive, const DescentKeys& keys,
               Communicator& communicator = alone());
  /// Goes on from a state of the same plan and records, with keys that were never used before.
  NoisyDescent(const DescentPlan& plan, const Records& records, std::optional<double> positive, const DescentKeys& keys,
               const DescentState& state, Communicator& communicator = alone());
  NoisyDescent(NoisyDescent&&) noexcept;
  NoisyDescent& operator=(NoisyDescent&&) noexcept;
  ~NoisyDescent();

  [[nodiscard]] std::uint64_t steps() const;
  [[nodiscard]] std::uint64_t done() const;
  [[nodiscard]] bool is_finished() const { return done() == steps(); }

  /// The next `count` steps, or as many as there are.
  void advance(std::uint64_t count);

  /// What may be published. Domain: is_finished().
  [[nodiscard]] std::vector<double> released() const;
  /// For an encrypted checkpoint and nothing else.
  [[nodiscard]] DescentState state() const;

 private:
  struct Run;
  std::unique_ptr<Run> run_;
};

}  // namespace doeblin::training
