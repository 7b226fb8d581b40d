// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "verify/programs.hpp"
#include "verify/subjects.hpp"

/// How the verifier follows sources and stages, a table for each chapter; kernels are followed several at a time, by
/// known_mixture.
namespace doeblin::verify {

struct Route {
  std::string_view name;
  /// One of these three. `person` is a record, or 0 for the worst one.
  Known (*source)(const language::Call& call) = nullptr;
  Known (*run)(const language::Call& call, const Context& context, double person) = nullptr;
  Known (*stage)(const language::Call& call, const Known& before, const Context& context) = nullptr;
  /// About whom the program is from here on; null where that does not change.
  Subjects (*about)(const language::Call& call, const Subjects& before) = nullptr;
  /// Says which record the run before it is about.
  bool is_person = false;
  /// Asks everybody for themselves: a group before it is one after it.
  bool is_for_each_person = false;
  /// Makes several people of one.
  bool is_group = false;
};

[[nodiscard]] std::span<const Route> mechanism_routes();
[[nodiscard]] std::span<const Route> composition_routes();
[[nodiscard]] std::span<const Route> subsampling_routes();
[[nodiscard]] std::span<const Route> iteration_routes();
[[nodiscard]] std::span<const Route> diffusion_routes();

/// An empty route where there is none.
[[nodiscard]] const Route& route_of(const language::Call& call);

}  // namespace doeblin::verify
