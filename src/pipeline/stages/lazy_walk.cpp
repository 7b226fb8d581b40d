// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/kernel_file.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/kernels.hpp"

namespace doeblin::pipeline {

Definition lazy_walk_definition() {
  return {.name = "lazy_walk",
          .summary = "post-processing by a random walk on a graph that rests with a given probability",
          .example = "black_box(epsilon=2) | lazy_walk('graph.txt', laziness=0.5, steps=50)",
          .parameters = {{.name = "file",
                          .meaning = "an edge per line: two node numbers, possibly a weight",
                          .is_text = true},
                         {.name = "laziness", .meaning = "probability of staying", .standard = 0.5},
                         steps_parameter()},
          .make = [](const Arguments& a) {
            const Graph graph = read_edges(a.text("file"));
            const double laziness = a.number("laziness");
            const double steps = a.number("steps");
            return kernel(lazy_walk(graph.nodes, graph.edges, laziness),
                          fmt::format("lazy_walk('{}', laziness={}, steps={})", a.text("file"), laziness, steps),
                          steps);
          }};
}

}  // namespace doeblin::pipeline
