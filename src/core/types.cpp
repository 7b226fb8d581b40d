// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/types.hpp"

#include <string>

namespace doeblin {

std::string_view name(Relation relation) {
  switch (relation) {
    case Relation::kNeutral: return "neutral";
    case Relation::kAddRemove: return "add_remove";
    case Relation::kSubstitute: return "substitute";
    case Relation::kZeroOut: return "zero_out";
  }
  throw InternalError("broken invariant: unknown relation");
}

Relation common_relation(Relation first, Relation second) {
  if (first == Relation::kNeutral) return second;
  if (second == Relation::kNeutral || first == second) return first;
  throw InvalidArgument("relation", name(second),
                        std::string("the same relation on both sides (") + std::string(name(first)) + ")");
}

}  // namespace doeblin
