// Changes an archive but not its results: edit_program STEP IN.pt2 OUT.pt2, edit_program join FIRST.pt2
// SECOND.pt2 OUT.pt2
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pt2/edit/graph.h"
#include "pt2/edit/join.h"
#include "pt2/edit/passes.h"
#include "pt2/edit/rename.h"
#include "pt2/edit/rewrite.h"
#include "pt2/edit/slim.h"
#include "pt2/graph/effects.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/program.h"
#include "pt2/weights.h"
#include "schemagen/base/error.h"

namespace {

using pt2::Argument;
using pt2::ExportedProgram;
using pt2::Graph;
using pt2::Node;

Argument tensor(const std::string& name) {
  return Argument(pt2::TensorArgument{name});
}

std::string insert_call(Graph& graph, std::string target, std::vector<pt2::NamedArgument> inputs,
                        const std::string& like) {
  std::size_t at = 0;
  {
    const pt2::GraphIndex index(graph);
    const std::uint32_t node = index.defining_node(index.find(like));
    at = node == pt2::GraphIndex::kNone ? 0 : node + 1;
  }
  Node node;
  node.target = std::move(target);
  node.inputs = std::move(inputs);
  node.outputs.push_back(tensor("inserted"));
  Graph part;
  part.tensor_values.insert("inserted", graph.tensor_values.at(like));
  part.outputs = node.outputs;
  part.nodes.push_back(std::move(node));
  return *pt2::value_of(pt2::insert_before(graph, at, part)[0]);
}

std::string insert_clone(Graph& graph, const std::string& value) {
  return insert_call(graph, "torch.ops.aten.clone.default",
                     {{"self", tensor(value), pt2::ArgumentKind::POSITIONAL}}, value);
}

std::string insert_getitem(Graph& graph, const std::string& value) {
  std::vector<pt2::TensorArgument> items = {{value}, {value}};
  return insert_call(graph, "_operator.getitem",
                     {{"", Argument(std::move(items)), pt2::ArgumentKind::POSITIONAL},
                      {"", Argument::of<Argument::as_int>(1), pt2::ArgumentKind::POSITIONAL}},
                     value);
}

bool writes_memory(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (pt2::has_effects(node) && pt2::writes_input(node, i, pt2::find_operator(node.target))) return true;
    }
  }
  return false;
}

std::vector<std::string> tensors_of(const Graph& graph) {
  std::vector<std::string> names;
  if (writes_memory(graph)) return names;
  for (const Node& node : graph.nodes) {
    for (const Argument& output : node.outputs) {
      if (const auto* const made = output.get_if<Argument::as_tensor>()) names.push_back(made->name);
    }
  }
  return names;
}

template <class Insert>
void replace_all(ExportedProgram& program, const Insert& insert) {
  Graph& graph = program.graph_module.graph;
  for (const std::string& value : tensors_of(graph)) {
    const std::string made = insert(graph, value);
    pt2::Substitutes substitutes;
    substitutes[value] = tensor(made);
    std::size_t at = 0;
    {
      const pt2::GraphIndex index(graph);
      at = index.defining_node(index.find(made)) + 1;
    }
    pt2::replace_uses(program, graph, substitutes, at);
  }
}

Node call(const char* target, const std::vector<std::pair<const char*, const char*>>& arguments,
          const char* result) {
  Node node;
  node.target = target;
  for (const auto& [name, value] : arguments) {
    node.inputs.push_back({name, tensor(value), pt2::ArgumentKind::POSITIONAL});
  }
  node.outputs.push_back(tensor(result));
  return node;
}

Graph graph(const std::vector<const char*>& inputs, std::vector<Node> nodes) {
  Graph graph;
  for (const char* const name : inputs) graph.inputs.push_back(tensor(name));
  graph.outputs = nodes.back().outputs;
  graph.nodes = std::move(nodes);
  return graph;
}

/// Also swaps the operands of `x + y`.
void rewrite(ExportedProgram& program) {
  pt2::rewrite(program,
               {graph({"x", "w", "b"}, {call("torch.ops.aten.linear.default",
                                             {{"input", "x"}, {"weight", "w"}, {"bias", "b"}}, "linear"),
                                        call("torch.ops.aten.relu.default", {{"self", "linear"}}, "relu")})},
               graph({"x", "w", "b"}, {call("torch.ops.fused.linear_relu.default",
                                            {{"x", "x"}, {"w", "w"}, {"b", "b"}}, "y")}));
  const auto sum = [](const char* first, const char* second) {
    return graph({"x", "y"},
                 {call("torch.ops.aten.add.Tensor", {{"self", first}, {"other", second}}, "sum")});
  };
  pt2::rewrite(program, {sum("x", "y")}, sum("y", "x"));
}

using Step = void (*)(ExportedProgram& program);

const std::map<std::string, Step> kSteps = {
    {"clone", [](ExportedProgram& program) { replace_all(program, insert_clone); }},
    {"fold",
     [](ExportedProgram& program) {
       replace_all(program, insert_getitem);
       pt2::fold_getitems(program);
     }},
    {"dead",
     [](ExportedProgram& program) {
       Graph& graph = program.graph_module.graph;
       for (const std::string& value : tensors_of(graph)) insert_clone(graph, insert_clone(graph, value));
       pt2::drop_dead_nodes(program);
     }},
    {"inline", [](ExportedProgram& program) { pt2::inline_subgraphs(program); }},
    {"bare", [](ExportedProgram& program) { pt2::slim(program, pt2::SlimPart::metadata); }},
    {"rewrite", rewrite},
    {"outputs",
     [](ExportedProgram& program) {
       for (const std::string& value : tensors_of(program.graph_module.graph))
         pt2::add_output(program, value);
     }},
    {"input",
     [](ExportedProgram& program) {
       pt2::add_input(program, "added", program.graph_module.graph.tensor_values.begin()->value);
     }},
};

void add_tensors(const pt2::ProgramFile& file, const std::vector<pt2::NameChange>& renamed,
                 std::vector<pt2::NamedTensor>& tensors) {
  for (pt2::Weight& weight : pt2::load_weights(file)) {
    if (!weight.tensor) continue;
    for (const pt2::NameChange& change : renamed) {
      if (change.old_name == weight.name) {
        weight.name = change.new_name;
        break;
      }
    }
    tensors.push_back({std::move(weight.name), *std::move(weight.tensor)});
  }
}

int join(const char* first_path, const char* second_path, const char* out) {
  const pt2::ProgramFile first = pt2::open_program_file(first_path);
  const pt2::ProgramFile second = pt2::open_program_file(second_path);
  const ExportedProgram head = pt2::load_program(first).program;
  const ExportedProgram tail = pt2::load_program(second).program;
  const auto outputs = pt2::ExportGraphSignature(head.graph_module.signature).user_outputs();
  const auto inputs = pt2::ExportGraphSignature(tail.graph_module.signature).user_inputs();
  std::vector<pt2::Connection> connections;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    bool has_name = false;
    for (const auto& output : outputs) has_name = has_name || output.name == inputs[i].name;
    connections.push_back({has_name ? inputs[i].name : outputs.at(i).name, inputs[i].name});
  }
  const pt2::JoinedProgram joined = pt2::join(head, tail, connections);
  std::vector<pt2::NamedTensor> tensors;
  add_tensors(first, {}, tensors);
  add_tensors(second, joined.renamed, tensors);
  pt2::save_program(joined.program, out, pt2::SaveOptions::with_tensors(tensors));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_join = argc == 5 && std::string(argv[1]) == "join";
  const auto step = argc == 4 ? kSteps.find(argv[1]) : kSteps.end();
  if (!is_join && step == kSteps.end()) {
    std::fputs("usage: edit_program STEP IN.pt2 OUT.pt2\n", stderr);
    return 2;
  }
  try {
    if (is_join) return join(argv[2], argv[3], argv[4]);
    const pt2::ProgramFile file = pt2::open_program_file(argv[2]);
    ExportedProgram program = pt2::load_program(file).program;
    const std::size_t nodes = program.graph_module.graph.nodes.size();
    step->second(program);
    pt2::save_program(program, argv[3], {&file});
    std::printf("%zu %zu\n", nodes, program.graph_module.graph.nodes.size());
  } catch (const schemagen::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
