// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/types.hpp"

#include <string>

namespace doeblin {

std::string_view name(Relation relation) { return kRelations.word_of(relation); }

Relation common_relation(Relation first, Relation second) {
  if (first == Relation::kNeutral) return second;
  if (second == Relation::kNeutral || first == second) return first;
  throw InvalidArgument("relation", name(second),
                        std::string("the same relation on both sides (") + std::string(name(first)) + ")");
}

}  // namespace doeblin
