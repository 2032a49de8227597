#include "pt2/report/node_details.h"

#include <catch2/catch.hpp>

#include "pt2/program.h"
#include "schemagen/base/error.h"
#include "thrown.h"

using Catch::Contains;
using pt2::node_details;

namespace {

pt2::Diagram diagram(const std::string& name) {
  return pt2::diagram_of(
      pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/" + name).program);
}

}  // namespace

TEST_CASE("the details of a node name its arguments, its results and who uses them") {
  const std::string text = node_details(diagram("mlp.json"), "linear");
  CHECK(text.rfind("linear: aten.linear.default\n", 0) == 0);
  CHECK_THAT(text, Contains("\narguments\n  input "));
  CHECK_THAT(text, Contains("p_l1_weight"));
  CHECK_THAT(text, Contains("used by relu\n"));
}

TEST_CASE("arguments that the program leaves out are shown with their defaults") {
  CHECK_THAT(node_details(diagram("mlp.json"), "add"), Contains("default\n"));
}

TEST_CASE("a node with subgraphs lists them") {
  const pt2::Diagram view = diagram("cond.json");
  bool found = false;
  for (const pt2::DiagramNode& node : view.nodes) {
    if (node.subgraphs.empty()) continue;
    found = true;
    CHECK_THAT(node_details(view, node.name), Contains("\nruns\n  true_graph_0"));
  }
  CHECK(found);
}

TEST_CASE("an unknown node is refused with the name that is near") {
  const pt2::Diagram view = diagram("mlp.json");
  CHECK(error_of<schemagen::UsageError>([&] { pt2::find_node(view, "linaer"); }) ==
        "unknown node 'linaer', did you mean 'linear'?");
}
