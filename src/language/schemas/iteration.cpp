// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "language/schemas/chapters.hpp"

namespace doeblin::language {
namespace {

constexpr double kMost = 1e9;
constexpr double kAnywhere = std::numeric_limits<double>::infinity();
constexpr Monotone kMore = {.larger_is_safer = true, .low = 1.0, .high = kMost, .is_integer = true};
constexpr Monotone kMorePublic = {.larger_is_safer = true, .low = 0.0, .high = kMost, .is_integer = true};

Parameter changing(Parameter parameter) {
  parameter.may_change = true;
  return parameter;
}

constexpr Row kIterationRows[] = {
    {.name = "noisy_sgd",
     .kind = kSource,
     .role = Role::kRun,
     .summary = "noisy projected gradient descent of which only one state is released",
     .example = "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1)",
     .parameters =
         [] {
           return Parameters{
               count("n", "records", kMore),
               changing(scale("learning_rate", "eta; solved for up to 2/(smoothness + strong_convexity)")),
               changing(scale("sigma", "scale of the noise on the mean gradient of a batch")),
               changing(loss("lipschitz", "bound on the gradient of one record")),
               number("smoothness", "beta: Lipschitz constant of the gradient"),
               number("strong_convexity", "rho, at most beta", 0.0),
               loss("diameter", "of the convex set projected onto", kAnywhere),
               changing(number("batch", "records in one step", 1.0, Type::kCount)),
               count("epochs", "passes over the records", kFewAreSafer, 1.0),
               choice("order", "'fixed', 'permuted' (random, hidden) or 'poisson' (sampled batches)",
                      {"fixed", "permuted", "poisson"}),
               choice("output", "'last', 'uniform_stop' (random stopping) or 'skip' (random start)",
                      {"last", "uniform_stop", "skip"}),
               choice("noise", "'gaussian', or 'laplace' in one dimension", {"gaussian", "laplace"}),
               choice("relation", "'substitute' (default) or 'zero_out'; Poisson: 'add_remove' (default) or 'zero_out'",
                      {"", "substitute", "zero_out", "add_remove"}),
               count("public_tail", "how many of the last records are public", kMorePublic, 0.0),
               count("tasks", "runs with noise of their own on the same records", kFewAreSafer, 1.0),
               choice("analysis", "'best', 'shift', 'contraction', 'asoodeh', 'balle', 'feldman' or 'public'",
                      {"best", "shift", "contraction", "feldman", "balle", "asoodeh", "public"}),
               steps_of_a_run("checkpoints", "steps whose states are released too: '100,200' or '100:1000:100'", ""),
               number("rounding", "how much further apart computing a step may move two runs, in units of its noise",
                      0.0),
               number("dimension", "of the parameter; shows what loss to expect", 0.0, Type::kCount),
               file("schedule", "CSV file with a row for each step: learning_rate, sigma, lipschitz, batch", true),
               choice("draws", "random order, stop or batches: 'fresh' for every task, or 'shared' by all",
                      {"fresh", "shared"})};
         },
     .synonyms = {"sgd", "noisy_gd", "psgd", "hidden_sgd", "langevin_sgd"}},
    {.name = "noisy_iteration",
     .kind = kSource,
     .role = Role::kIteration,
     .summary = "maps with noise, one after another, of which only the last state is released",
     .example = "noisy_iteration(steps=10, sigma=1, sensitivity=1, lipschitz=0.9)",
     .parameters =
         [] {
           return Parameters{count("steps", "how many maps", kMore),
                             scale("sigma", "scale of the noise of one step"),
                             sensitivity("how far neighbours' maps are apart in affected steps"),
                             shown(loss("lipschitz", "of every map", 1.0)),
                             shown(steps_of_a_run("affected", "the steps that differ: '1', '1,5' or '1:100:10'", "1")),
                             shown(loss("diameter", "of the convex set projected onto", kAnywhere)),
                             choice("noise", "'gaussian', or 'laplace' on the line", {"gaussian", "laplace"}),
                             choice("analysis", "as for noisy_sgd",
                                    {"best", "shift", "contraction", "feldman", "balle", "asoodeh", "public"})};
         },
     .synonyms = {"contractive_noisy_iteration", "cni"}},
    {.name = "person",
     .kind = kStage,
     .role = Role::kPerson,
     .summary = "the guarantee of one record of a run, instead of the worst",
     .example = "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1) | person(39)",
     .parameters = [] { return Parameters{number("i", "which record, from 1", {}, Type::kCount)}; },
     .synonyms = {"record", "individual"}},
};

}  // namespace

std::span<const Row> iteration_rows() { return kIterationRows; }

}  // namespace doeblin::language
