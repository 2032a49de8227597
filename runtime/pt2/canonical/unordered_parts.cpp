#include "pt2/canonical/unordered_parts.h"

#include "pt2/canonical/map_order.h"
#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

void sort_dicts(Argument& argument) {
  auto* const dict = argument.get_if<Argument::as_string_to_argument>();
  if (dict == nullptr) return;
  for (auto& entry : *dict) sort_dicts(entry.value);
  sort_by_key(*dict);
}

void sort_dicts(NamedArgument& argument) {
  sort_dicts(argument.arg);
}

template <class Item>
void sort_dicts(std::vector<Item>& items) {
  for (Item& item : items) sort_dicts(item);
}

void sort_graph(Graph& graph, Provenance provenance) {
  sort_dicts(graph.inputs);
  sort_dicts(graph.outputs);
  for (Node& node : graph.nodes) {
    sort_dicts(node.inputs);
    sort_dicts(node.outputs);
    if (provenance == Provenance::drop) {
      for (const char* key : {"stack_trace", "nn_module_stack", "source_fn_stack", "torch_fn", "from_node"}) {
        node.metadata.erase(key);
      }
    }
    sort_by_key(node.metadata);
  }
}

}  // namespace

void sort_unordered(Graph& top, Provenance provenance) {
  for_each_graph(top, [&](Graph& graph) { sort_graph(graph, provenance); });
}

void sort_unordered(ExportedProgram& program, Provenance provenance) {
  GraphModule& module = program.graph_module;
  sort_unordered(module.graph, provenance);
  for (ModuleCallEntry& call : module.module_call_graph) {
    if (!call.signature) continue;
    sort_dicts(call.signature->inputs);
    sort_dicts(call.signature->outputs);
  }
  sort_by_key(module.metadata);
  sort_by_key(module.treespec_namedtuple_fields);
  sort_by_key(program.opset_version);
  if (provenance == Provenance::drop) program.torch_version = ExportedProgram().torch_version;
}

}  // namespace pt2
