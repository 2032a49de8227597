#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pt2/types.h"
#include "runtime/pt2/head_version.h"

inline pt2::Argument tensor(const std::string& name) {
  pt2::Argument argument;
  argument.emplace<pt2::Argument::as_tensor>().name = name;
  return argument;
}

inline pt2::Argument number(std::int64_t value) {
  pt2::Argument argument;
  argument.emplace<pt2::Argument::as_int>(value);
  return argument;
}

inline pt2::Argument optional_tensor(const std::string& name) {
  pt2::Argument argument;
  argument.emplace<pt2::Argument::as_optional_tensor>()
      .emplace<pt2::OptionalTensorArgument::as_tensor>()
      .name = name;
  return argument;
}

inline pt2::Argument dict(const std::string& key, pt2::Argument value) {
  pt2::Argument argument;
  argument.emplace<pt2::Argument::as_string_to_argument>()[key] = std::move(value);
  return argument;
}

inline pt2::Argument subgraph(const std::string& name, pt2::Graph graph) {
  pt2::Argument argument;
  pt2::GraphArgument& member = argument.emplace<pt2::Argument::as_graph>();
  member.name = name;
  *member.graph = std::move(graph);
  return argument;
}

inline pt2::SymInt symbolic(const std::string& expression) {
  pt2::SymInt value;
  value.emplace<pt2::SymInt::as_expr>().expr_str = expression;
  return value;
}

inline pt2::Node call(const std::string& target, std::vector<pt2::Argument> inputs,
                      const std::vector<std::string>& outputs) {
  pt2::Node node;
  node.target = target;
  for (pt2::Argument& input : inputs) {
    node.inputs.push_back({"", std::move(input), pt2::ArgumentKind::POSITIONAL});
  }
  for (const std::string& output : outputs) node.outputs.push_back(tensor(output));
  return node;
}

inline void add_tensor(pt2::Graph& graph, const std::string& name) {
  pt2::TensorMeta& meta = graph.tensor_values[name];
  meta.dtype = pt2::ScalarType::FLOAT;
  meta.device.type = "cpu";
  meta.layout = pt2::Layout::Strided;
  meta.storage_offset.emplace<pt2::SymInt::as_int>(0);
}

inline pt2::Graph graph_of(const std::vector<std::string>& inputs, std::vector<pt2::Node> nodes,
                           const std::vector<std::string>& outputs) {
  pt2::Graph graph;
  for (const std::string& input : inputs) {
    graph.inputs.push_back(tensor(input));
    add_tensor(graph, input);
  }
  for (const pt2::Node& node : nodes) {
    for (const pt2::Argument& output : node.outputs) {
      add_tensor(graph, output.get<pt2::Argument::as_tensor>().name);
    }
  }
  graph.nodes = std::move(nodes);
  for (const std::string& output : outputs) graph.outputs.push_back(tensor(output));
  return graph;
}

inline pt2::ExportedProgram program_of(pt2::Graph graph) {
  pt2::ExportedProgram program;
  program.schema_version = kHeadVersion;
  program.torch_version = "2.13.0";
  for (const pt2::Argument& input : graph.inputs) {
    program.graph_module.signature.input_specs.emplace_back().emplace<pt2::InputSpec::user_input>().arg =
        input;
  }
  for (const pt2::Argument& output : graph.outputs) {
    program.graph_module.signature.output_specs.emplace_back().emplace<pt2::OutputSpec::user_output>().arg =
        output;
  }
  program.graph_module.graph = std::move(graph);
  return program;
}
