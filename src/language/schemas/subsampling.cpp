// SPDX-License-Identifier: Apache-2.0
#include "language/schemas/chapters.hpp"

namespace doeblin::language {
namespace {

constexpr Row kSamplingRows[] = {
    {.name = "poisson",
     .kind = kStage,
     .role = Role::kPoisson,
     .summary = "each person takes part with probability rate, independently",
     .example = "gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(14000)",
     .parameters =
         [] {
           return Parameters{share("rate", "probability of taking part"),
                             choice("relation", "neighbours of the result: 'add_remove' or 'substitute'",
                                    {"add_remove", "substitute"})};
         },
     .synonyms = {"subsample", "sampled", "bernoulli", "subsampling", "poisson_sampling"}},
    {.name = "without_replacement",
     .kind = kStage,
     .role = Role::kSubset,
     .summary = "a uniformly random subset of m of the n people takes part",
     .example = "laplace(scale=1) | without_replacement(n=1000, m=50)",
     .parameters =
         [] {
           return Parameters{count("n", "how many people there are", kManyAreSafer), count("m", "how many are drawn")};
         },
     .synonyms = {"wor", "fixed_size", "uniform_subset"}},
    {.name = "with_replacement",
     .kind = kStage,
     .role = Role::kSubset,
     .summary = "m independent uniform draws from the n people",
     .example = "gaussian(sigma=2) | with_replacement(n=1000, m=50)",
     .parameters =
         [] {
           return Parameters{count("n", "how many people there are (the larger of two sizes)", kManyAreSafer),
                             count("m", "how many draws"),
                             shown(choice("relation", "neighbours of the result: 'substitute' or 'add_remove'",
                                          {"substitute", "add_remove"}))};
         },
     .synonyms = {"wr", "bootstrap"}},
};

}  // namespace

std::span<const Row> sampling_rows() { return kSamplingRows; }

}  // namespace doeblin::language
