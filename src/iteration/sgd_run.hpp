// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "doeblin/iteration/noisy_sgd.hpp"
#include "doeblin/iteration/record_order.hpp"
#include "iteration/hidden_release.hpp"
#include "iteration/last_step.hpp"

namespace doeblin::pipeline {

/// About whom a run is: its records, but for those that are public.
[[nodiscard]] Neighbours neighbours_of(const NoisySgd& run);

/// A NoisySgd with records in a fixed or permuted order, ready to be asked about its people.
class SgdRun : public People {
 public:
  SgdRun(const NoisySgd& parameters, const Settings& settings);

  /// The guarantee of the least protected record.
  [[nodiscard]] Mechanism worst() const;

  [[nodiscard]] std::size_t count() const override { return private_; }
  [[nodiscard]] Evaluated person(double i) const override;
  [[nodiscard]] std::vector<ForRecords> epsilons(Delta delta, const PeopleProgress& progress) const override;
  [[nodiscard]] std::vector<ForRecords> deltas(Epsilon epsilon, const PeopleProgress& progress) const override;

  [[nodiscard]] const RunModel& model() const { return model_; }
  /// What an observer of one record's message learns: its Gaussian level, or pure loss for Laplace noise (I14).
  [[nodiscard]] Bracket local_level() const;

 private:
  [[nodiscard]] Mechanism record(std::size_t i) const;
  /// Several records at once, whichever they are.
  [[nodiscard]] Mechanism with_joint_uses(Mechanism mechanism) const;
  /// Records that come in a random order: somebody comes to any place.
  [[nodiscard]] Mechanism with_random_places(Mechanism mechanism) const;
  [[nodiscard]] bool has_joint_uses() const;
  [[nodiscard]] Mechanism finished(Mechanism mechanism) const;
  [[nodiscard]] Mechanism worst_place() const;
  [[nodiscard]] Mechanism worst_of_fixed_order() const;
  [[nodiscard]] Mechanism latest(double people) const;
  [[nodiscard]] Mechanism worst_of_all() const;
  [[nodiscard]] double level_of(std::size_t i) const;
  /// Every record has the same pattern of uses, only earlier or later.
  [[nodiscard]] bool all_alike() const;
  [[nodiscard]] Mechanism stopped(std::size_t i) const;
  [[nodiscard]] Mechanism permuted() const;
  [[nodiscard]] Mechanism with_hidden_place(Mechanism mechanism, const PlacesOfPeople& places) const;
  [[nodiscard]] Bracket skip_probability(std::size_t i) const;
  [[nodiscard]] bool is_plain() const;
  /// The tasks are releases one after another.
  [[nodiscard]] bool is_composed() const;
  [[nodiscard]] bool is_published() const;
  [[nodiscard]] std::vector<Use> canonical_uses() const;
  [[nodiscard]] IterationAnalysis pass_analysis() const;

  NoisySgd parameters_;
  Settings settings_;
  RunModel model_;
  std::optional<RecordOrder> order_;
  std::vector<std::size_t> releases_;
  std::size_t private_;
};

}  // namespace doeblin::pipeline
