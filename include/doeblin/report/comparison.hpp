// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/core/bracket.hpp"
#include "doeblin/core/types.hpp"

namespace doeblin::report {

/// What one analysis says; without a value there is a reason why it does not apply.
struct ComparedAnalysis {
  std::string name;
  std::string description;
  std::optional<Bracket> value = std::nullopt;
  bool converged = true;  ///< as narrow as promised
  std::string reason = {};

  friend bool operator==(const ComparedAnalysis&, const ComparedAnalysis&) = default;
};

/// One question, answered by every analysis there is.
struct Comparison {
  std::string software_version;
  std::string expression;
  Relation relation = Relation::kNeutral;
  std::string whose;       ///< data may change: "one person's data" and so on
  bool is_epsilon = true;  ///< epsilon at a delta, else delta at an epsilon
  double at = 0.0;
  std::vector<ComparedAnalysis> analyses = {};  ///< at least one has a value
  std::size_t best = 0;                         ///< the one with the smallest upper end

  friend bool operator==(const Comparison&, const Comparison&) = default;
};

/// Whether the text looks like a comparison rather than like a certificate.
[[nodiscard]] bool is_comparison(std::string_view text);

/// Reads what `doeblin compare --json` prints; `name` is what errors call it.
/// Errors   InvalidArgument, one line: a missing field, one of another type, analyses that answer different questions,
/// a
///          best one that is not the best
[[nodiscard]] Comparison read_comparison(const std::string& name, std::string_view text);

}  // namespace doeblin::report
