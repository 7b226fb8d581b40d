// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/kernel_file.hpp"
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

KernelMaker lazy_walk_maker() {
  return {[](const Call& a, const Settings&) {
    const auto given = a.object<io::Graph>("file");
    const io::Graph graph = given ? *given : io::read_edges(a.text("file"));
    return kernel_of(lazy_walk(graph.nodes, graph.edges, a.number("laziness")), a.number("steps"));
  }};
}

}  // namespace doeblin::pipeline
