#include "pt2/edit/passes.h"

#include <catch2/catch.hpp>

#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "runtime/pt2/program_builder.h"
#include "schemagen/json/json.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::ExportedProgram;

TEST_CASE("the metadata of every program is taken out and put back, of subgraphs, too") {
  std::size_t entries = 0;
  for_each_fixture([&](const ExportedProgram& original) {
    ExportedProgram program = original;
    const pt2::NodeMetadata metadata = pt2::take_metadata(program);
    entries += metadata.size();
    pt2::for_each_graph(program.graph_module.graph, [](const pt2::Graph& graph) {
      for (const pt2::Node& node : graph.nodes) CHECK(node.metadata.empty());
    });
    CHECK(pt2::put_metadata(program, metadata) == 0);
    CHECK(schemagen::to_json(program) == schemagen::to_json(original));
  });
  CHECK(entries > 1000);
}

TEST_CASE("nodes that share a name have separate metadata") {
  ExportedProgram program = program_of(graph_of(
      {"x"}, {call("f", {tensor("x")}, {"a"}), call("g", {tensor("x")}, {"a"}), call("h", {}, {})}, {}));
  std::vector<pt2::Node>& nodes = program.graph_module.graph.nodes;
  for (pt2::Node& node : nodes) node.metadata["made_by"] = node.target;
  const pt2::NodeMetadata metadata = pt2::take_metadata(program);
  REQUIRE(metadata.size() == 3);
  CHECK(metadata.at("a#1").at("made_by") == "g");
  CHECK(metadata.at("#2").at("made_by") == "h");
  nodes.pop_back();
  CHECK(pt2::put_metadata(program, metadata) == 1);
  CHECK(nodes[1].metadata.at("made_by") == "g");
}
