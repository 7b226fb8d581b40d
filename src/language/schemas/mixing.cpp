// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "language/schemas/chapters.hpp"

namespace doeblin::language {
namespace {

Parameter steps() {
  return shown(count("steps", "how often it is applied",
                     {.larger_is_safer = true, .low = 1.0, .high = 0x1p30, .is_integer = true}, 1.0));
}

Parameter coefficient() { return share("gamma", "the coefficient, between 0 and 1"); }

std::vector<Parameter> projected_parameters(const char* scale_meaning) {
  return {scale("sigma", scale_meaning),
          number("low", "lower end of the interval", 0.0),
          number("high", "upper end of the interval", 1.0),
          shown(loss("lipschitz", "Lipschitz constant of the maps", 1.0)),
          steps(),
          number("mean_low", "the maps' values are at least this", -std::numeric_limits<double>::infinity()),
          number("mean_high", "the maps' values are at most this", std::numeric_limits<double>::infinity()),
          loss("radius", "of a ball in any dimension, instead of the interval; 0: none", 0.0)};
}

constexpr Row kMixingRows[] = {
    {.name = "dobrushin",
     .kind = kKernel,
     .summary = "post-processing by a kernel with a known Dobrushin coefficient, at an epsilon",
     .example = "gaussian(sigma=1) | dobrushin(gamma=0.5)",
     .parameters =
         [] {
           return Parameters{coefficient(), loss("epsilon", "where it is meant: 0 for total variation", 0.0)};
         }},
    {.name = "doeblin",
     .kind = kKernel,
     .summary = "post-processing by a kernel that is Doeblin (forgets its input with probability 1 - gamma)",
     .example = "gaussian(sigma=1) | doeblin(gamma=0.5)",
     .parameters = [] { return Parameters{coefficient()}; },
     .synonyms = {"minorisation", "minorization"}},
    {.name = "ultra_mixing",
     .kind = kKernel,
     .summary = "post-processing by a kernel whose rows are within a factor 1 - gamma of each other",
     .example = "black_box(epsilon=1) | ultra_mixing(gamma=0.5)",
     .parameters = [] { return Parameters{coefficient()}; }},
    {.name = "kernel",
     .kind = kKernel,
     .role = Role::kMatrixKernel,
     .summary = "post-processing by a Markov kernel that is given by its matrix",
     .example = "black_box(epsilon=1, delta=1e-6) | kernel('channel.csv', steps=3)",
     .parameters =
         [] {
           return Parameters{file("file", "CSV, NPY or Matrix Market: a row of probabilities for each state"), steps()};
         },
     .synonyms = {"markov", "channel", "post_process"}},
    {.name = "k_ary_response",
     .kind = kKernel,
     .summary = "post-processing by k-ary randomised response: keep the state or replace it",
     .example = "gaussian(sigma=1) | k_ary_response(k=4, p=0.7)",
     .parameters =
         [] {
           return Parameters{number("k", "how many states", {}, Type::kCount),
                             number("p", "probability of keeping the state", {}, Type::kShare), steps()};
         },
     .synonyms = {"k_rr", "krr", "k_randomized_response"}},
    {.name = "binary_symmetric",
     .kind = kKernel,
     .summary = "post-processing that flips a bit with a given probability",
     .example = "randomized_response(p=0.75) | binary_symmetric(flip=0.1)",
     .parameters =
         [] {
           return Parameters{number("flip", "probability of flipping", {}, Type::kShare), steps()};
         },
     .synonyms = {"bsc"}},
    {.name = "truncated_geometric",
     .kind = kKernel,
     .summary = "post-processing of a count by two-sided geometric noise, clipped to its range",
     .example = "discrete_gaussian(sigma=2) | truncated_geometric(states=20, ratio=0.5)",
     .parameters =
         [] {
           return Parameters{number("states", "how many values the count can have, at most 4096", {}, Type::kCount),
                             number("ratio", "noise j has probability proportional to ratio^|j|", {}, Type::kShare),
                             steps()};
         }},
    {.name = "lazy_walk",
     .kind = kKernel,
     .summary = "post-processing by a random walk on a graph that rests with a given probability",
     .example = "black_box(epsilon=2) | lazy_walk('graph.txt', laziness=0.5, steps=50)",
     .parameters =
         [] {
           return Parameters{file("file", "an edge per line: two node numbers, possibly a weight"),
                             shown(number("laziness", "probability of staying", 0.5, Type::kShare)), steps()};
         },
     .synonyms = {"random_walk", "walk"}},
    {.name = "projected_gaussian",
     .kind = kKernel,
     .summary = "post-processing by steps that apply a Lipschitz map, add Gaussian noise and project back",
     .example = "gaussian(sigma=1) | projected_gaussian(sigma=0.5, low=0, high=1, lipschitz=0.9, steps=10)",
     .parameters =
         [] { return projected_parameters("standard deviation of the noise of a step, in every coordinate"); }},
    {.name = "projected_laplace",
     .kind = kKernel,
     .summary = "post-processing by steps that apply a Lipschitz map, add Laplace noise and project back",
     .example = "laplace(scale=1) | projected_laplace(sigma=0.5, low=0, high=1)",
     .parameters =
         [] { return projected_parameters("scale of the noise of a step; on a ball its density is e^{-|z|/sigma}"); }},
};

}  // namespace

std::span<const Row> mixing_rows() { return kMixingRows; }

}  // namespace doeblin::language
