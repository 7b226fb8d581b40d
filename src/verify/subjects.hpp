// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "doeblin/language/program.hpp"

namespace doeblin::verify {

/// About whom a program is, by the verifier's own walk.
struct Subjects {
  double people = 1.0;                           ///< at once
  std::optional<double> records = std::nullopt;  ///< of the data; empty for any number
  bool has_several_sizes = false;                ///< parts of a sum take different numbers of records
  bool has_public_records = false;
  bool is_one_place = false;  ///< person(i)
  std::string relation = {};  ///< "add_remove" and so on; empty where nothing has fixed it
};

/// Of `relation`: one person's record is exchanged for another.
inline constexpr const char* kExchange = "substitute";
/// Of `relation`: somebody is added or removed.
inline constexpr const char* kAddition = "add_remove";

/// Throws CannotCheck where a stage does not fit those whom the program before it is about: sampling of several people
/// as if they were one, of one person's place, of public records, or of another number of records than are taken.
[[nodiscard]] Subjects subjects_of(const language::Program& program);

}  // namespace doeblin::verify
