// SPDX-License-Identifier: Apache-2.0
#include "language/schemas/chapters.hpp"

namespace doeblin::language {
namespace {

constexpr Row kCompositionRows[] = {
    {.name = "group",
     .kind = kStage,
     .role = Role::kGroup,
     .summary = "protect k people at once",
     .example = "laplace(scale=1) | group(3)",
     .parameters = [] { return Parameters{count("k", "how many people")}; },
     .synonyms = {"groups", "user_level", "people"}},
    {.name = "compose",
     .kind = kStage,
     .role = Role::kRepeat,
     .summary = "release k times, each with fresh noise",
     .example = "gaussian(sigma=10) | compose(100)",
     .parameters = [] { return Parameters{count("k", "how many releases")}; },
     .synonyms = {"repeat", "self_compose", "composed", "iterate"}},
};

}  // namespace

std::span<const Row> composition_rows() { return kCompositionRows; }

}  // namespace doeblin::language
