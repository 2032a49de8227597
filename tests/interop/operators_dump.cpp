// For comparison with PyTorch:
//   operators_dump table            an operator per line as JSON with its schema string
//   operators_dump parse            schema strings from standard input, printed back or `error: ...`
//   operators_dump arguments FILE   the arguments of each node, subgraphs after their node, as one line of
//   JSON
#include <pt2/graph/walk.h>
#include <pt2/json.h>
#include <pt2/nodes/arguments.h>
#include <pt2/operators/operator_schema.h>
#include <pt2/operators/operators.h>
#include <pt2/program.h>
#include <schemagen/base/error.h>

#include <iostream>
#include <stdexcept>
#include <string>

#include "pt2/operators/json.h"

namespace {

void dump_table() {
  for (std::size_t i = 0; i < pt2::operator_count(); ++i) {
    const pt2::Operator& op = pt2::operator_at(i);
    if (pt2::find_operator(op.target) != &op) throw std::runtime_error("'" + op.target + "' is not found");
    std::cout << schemagen::to_json(op) << '\t' << pt2::schema_text(op) << '\n';
  }
}

void parse_lines() {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << pt2::schema_text(pt2::parse_operator(line)) << '\n';
    } catch (const schemagen::DataError& error) {
      std::cout << "error: " << error.what() << '\n';
    }
  }
}

void dump_arguments(const pt2::Graph& graph) {
  for (const pt2::Node& node : graph.nodes) {
    pt2::Node full;
    full.target = node.target;
    if (pt2::find_operator(node.target) != nullptr) {
      const pt2::NodeArguments arguments = pt2::arguments_of(node);
      for (const pt2::NodeArgument& argument : arguments.all()) {
        const bool is_default = argument.given == nullptr;
        full.inputs.push_back({argument.name, argument.value(),
                               is_default ? pt2::ArgumentKind::UNKNOWN : pt2::ArgumentKind::POSITIONAL});
      }
    }
    std::cout << schemagen::to_json(full) << '\n';
    for (const pt2::NamedArgument& input : node.inputs) {
      pt2::for_each_subgraph(input.arg,
                             [](const pt2::GraphArgument& inner) { dump_arguments(*inner.graph); });
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "table") dump_table();
  if (mode == "parse") parse_lines();
  if (mode == "arguments")
    dump_arguments(pt2::load_program(pt2::open_program_file(argv[2])).program.graph_module.graph);
  return 0;
}
