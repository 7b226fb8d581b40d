// SPDX-License-Identifier: Apache-2.0
#include "language/schemas/chapters.hpp"

namespace doeblin::language {

std::vector<Schema> composition_schemas() {
  constexpr auto kStage = Schema::Kind::kStage;
  return {
      {.name = "group",
       .kind = kStage,
       .summary = "protect k people at once",
       .example = "laplace(scale=1) | group(3)",
       .parameters = {count("k", "how many people")},
       .synonyms = {"groups", "user_level", "people"}},
      {.name = "compose",
       .kind = kStage,
       .summary = "release k times, each with fresh noise",
       .example = "gaussian(sigma=10) | compose(100)",
       .parameters = {count("k", "how many releases")},
       .synonyms = {"repeat", "self_compose", "composed", "iterate"}},
  };
}

}  // namespace doeblin::language
