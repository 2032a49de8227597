#include <catch2/catch.hpp>
#include <string>

#include "export/export.h"
#include "generator/torch_exports.h"
#include "model/type_graph.h"

using generator::export_dot;

namespace {

const std::string kHead = "name: s\nversion: {major: 1, minor: 2}\n";

bool has_line(const std::string& text, const std::string& line) {
  INFO(text);
  INFO(line);
  CHECK(text.find("\n" + line + "\n") != std::string::npos);
  return true;
}

}  // namespace

TEST_CASE("each kind of type and each way to hold one has its own look") {
  const std::string dot = export_dot(
      model_of(kHead + "roots: [A]\n"
                       "types:\n"
                       "  A:\n"
                       "    kind: struct\n"
                       "    fields:\n"
                       "      value: {id: 1, type: U}\n"
                       "      maybe: {id: 2, type: \"Optional[U]\"}\n"
                       "      list: {id: 3, type: \"List[U]\"}\n"
                       "      map: {id: 4, type: \"Dict[str, U]\"}\n"
                       "      box: {id: 5, type: \"Optional[A]\", boxed: true}\n"
                       "      int: {id: 6, type: int}\n"
                       "      e: {id: 7, type: E}\n"
                       "  U: {kind: union, doc: \"A \\\"b\\\" \\\\\\nc\", fields: {x: {id: 1, type: int}}}\n"
                       "  E: {kind: enum, fields: {x: 0}}\n"));
  has_line(dot, "digraph \"s 1.2\" {");
  has_line(dot, "  \"A\" [shape=box, penwidth=2.5, tooltip=\"A\"];");
  has_line(dot, "  \"U\" [shape=box, style=\"rounded,filled\", tooltip=\"A \\\"b\\\" \\\\\\nc\"];");
  has_line(dot, "  \"E\" [shape=ellipse, fillcolor=\"#eeeeee\", tooltip=\"E\"];");
  has_line(dot, "  \"A\" -> \"U\" [tooltip=\"value\"];");
  has_line(dot, "  \"A\" -> \"U\" [tooltip=\"maybe\", style=dashed];");
  has_line(dot, "  \"A\" -> \"U\" [tooltip=\"list\", arrowhead=crow];");
  has_line(dot, "  \"A\" -> \"U\" [tooltip=\"map\", arrowhead=crowvee, style=dotted];");
  has_line(dot, "  \"A\" -> \"A\" [tooltip=\"box\", arrowhead=odiamond, color=\"#b04000\"];");
  has_line(dot, "  \"A\" -> \"E\" [tooltip=\"e\"];");
  for (const char* name : {"by-value", "optional", "list", "map", "boxed"}) {
    CHECK(dot.find("\"legend " + std::string(name) + " a\" -> ") != std::string::npos);
  }
}

TEST_CASE("fields that hold one type in one way share a line") {
  const generator::Model model = model_of(kHead +
                                          "types:\n"
                                          "  A:\n"
                                          "    kind: struct\n"
                                          "    fields:\n"
                                          "      a: {id: 1, type: B}\n"
                                          "      b: {id: 2, type: \"Optional[List[B]]\"}\n"
                                          "      c: {id: 3, type: B}\n"
                                          "      d: {id: 4, type: \"Dict[str, List[B]]\"}\n"
                                          "  B: {kind: struct, fields: {}}\n");
  const auto arcs = generator::arcs(model);
  REQUIRE(arcs.size() == 2);
  CHECK(generator::field_names(model, arcs[0]) == "a, c");
  CHECK(arcs[0].holding == generator::Holding::by_value);
  CHECK(generator::field_names(model, arcs[1]) == "b, d");
  CHECK(arcs[1].holding == generator::Holding::list);
}

TEST_CASE("the graph of the head has every type") {
  const generator::Model model = model_of(file_text("schema/pt2.yaml"));
  const std::string dot = export_dot(model);
  for (const auto& type : model.types)
    CHECK(dot.find("\n  \"" + type.name + "\" [shape=") != std::string::npos);
  has_line(dot,
           "  \"GraphArgument\" -> \"Graph\" [tooltip=\"graph\", arrowhead=odiamond, color=\"#b04000\"];");
}
