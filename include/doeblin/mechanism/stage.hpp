// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "doeblin/language/program.hpp"
#include "doeblin/mechanism/mechanism.hpp"

namespace doeblin::pipeline {

/// Something that turns one mechanism into another.
struct Stage {
  /// What it was made from; empty where the language has no call for it.
  std::optional<language::Program> program = std::nullopt;
  /// Whom the result is about, given whom the mechanism before it is about.
  /// Errors   InvalidArgument where the stage does not fit those neighbours
  std::function<Neighbours(const Neighbours&)> about;
  /// What holds for them; its neighbours are those of `about`.
  std::function<Evaluated(const Mechanism&)> apply;
  /// Set where people say it all, and nobody needs to know who is the worst off; `apply` is for everything else.
  std::function<Evaluated(const People&)> of_people = {};
  /// Asks everybody for themselves, as sampling does: after a group of k it is applied to one of them, and the group is
  /// taken afterwards (catalogue C9, S10).
  bool is_for_each_person = false;
};

/// For Stage::about: the same people as before.
[[nodiscard]] inline Neighbours same_people(const Neighbours& before) { return before; }

/// The stage after a mechanism, about whom it says, with the line of the derivation that its program writes.
[[nodiscard]] Evaluated applied(const Stage& stage, const Mechanism& before);

}  // namespace doeblin::pipeline
