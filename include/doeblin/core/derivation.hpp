// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace doeblin {

/// Something a guarantee rests on: checked by construction, or asserted by the caller.
struct Assumption {
  std::string text;
  bool checked = false;
};

[[nodiscard]] inline Assumption checked(std::string text) { return {std::move(text), true}; }
[[nodiscard]] inline Assumption asserted(std::string text) { return {std::move(text), false}; }

/// One line of a derivation.
struct Step {
  std::string stage = {};  ///< As the expression language writes it: what a pipeline was made from writes it.
  std::string source;      ///< Catalogue ids, for example "P1" or "C4".
  std::string statement;   ///< What the theorem says here, in a sentence.
  std::vector<Assumption> assumptions = {};
  bool is_source = false;      ///< Starts a pipeline rather than continuing one.
  bool is_hidden_run = false;  ///< Settings::run_analysis has a say in it.
  bool is_mixing = false;      ///< Settings::mixing has.
};

}  // namespace doeblin
