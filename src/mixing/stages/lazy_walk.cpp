// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "doeblin/io/kernel_file.hpp"
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

KernelMaker lazy_walk_maker() {
  return {[](const Call& a, const Settings&) {
    const auto given = a.object<io::Graph>("file");
    const io::Graph graph = given ? *given : io::read_edges(a.text("file"));
    const double laziness = a.number("laziness");
    const double steps = a.number("steps");
    return kernel(lazy_walk(graph.nodes, graph.edges, laziness),
                  fmt::format("lazy_walk({}, laziness={}, steps={})", file_text(a), laziness, steps), steps);
  }};
}

}  // namespace doeblin::pipeline
