// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "doeblin/pipeline/kernel_file.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/maker.hpp"

namespace doeblin::pipeline {

Maker lazy_walk_maker() {
  return {[](const Call& a, const Settings&) {
    const auto given = a.object<Graph>("file");
    const Graph graph = given ? *given : read_edges(a.text("file"));
    const double laziness = a.number("laziness");
    const double steps = a.number("steps");
    return kernel(lazy_walk(graph.nodes, graph.edges, laziness),
                  fmt::format("lazy_walk({}, laziness={}, steps={})", file_text(a), laziness, steps), steps);
  }};
}

}  // namespace doeblin::pipeline
