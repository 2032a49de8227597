#include "pt2/edit/infer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "inferred_types.h"
#include "pt2/graph/walk.h"
#include "pt2/program.h"

namespace {

namespace fs = std::filesystem;

constexpr const char* kPrograms = PT2_SOURCE_DIR "/tests/data/programs/";

}  // namespace

TEST_CASE("the inferred types of all nodes of torch's programs are those that torch wrote") {
  std::size_t count = 0;
  std::set<std::string> unknown;
  for (const char* release : {"torch-2.12.1", "torch-2.13.0", "torch-2.14.0", "torch-2.15.0"}) {
    if (!fs::exists(std::string(kPrograms) + release)) continue;
    for (const auto& entry : fs::directory_iterator(std::string(kPrograms) + release)) {
      if (entry.path().extension() != ".json" || entry.path().filename() == "about.json") continue;
      const auto program = pt2::load_program(entry.path().string()).program;
      pt2::for_each_graph(program.graph_module.graph, [&](const pt2::Graph& graph) {
        const pt2::Bindings hints = hints_of(graph);
        for (const pt2::Node& node : graph.nodes) {
          const InferredNode inferred = infer_node(node, graph, hints);
          if (!inferred.is_known) {
            unknown.insert(node.target);
            continue;
          }
          CAPTURE(entry.path(), node.name, node.target);
          CHECK(inferred.types == recorded_types(node, graph, hints));
          ++count;
        }
      });
    }
  }
  CHECK(count > 400);
  CHECK(unknown ==
        std::set<std::string>{"torch.ops.aten.item.default", "torch.ops.aten.meshgrid.indexing",
                              "torch.ops.aten.nonzero.default", "torch.ops.aten.unique_consecutive.default",
                              "torch.ops.fxlib.scale.default", "torch.ops.higher_order.with_effects"});
}
