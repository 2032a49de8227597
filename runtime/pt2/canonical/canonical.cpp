#include "pt2/canonical/canonical.h"

#include "pt2/canonical/map_order.h"
#include "pt2/canonical/stages.h"
#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/sha256.h"

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

/// Does not sort value tables, constraints and guards, because their order depends on names and symbols.
void sort_unordered(ExportedProgram& program, Provenance provenance) {
  GraphModule& module = program.graph_module;
  for_each_graph(module.graph, [&](Graph& graph) { sort_graph(graph, provenance); });
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

schemagen::Map<std::string> give_names(ExportedProgram& program, OriginalNames* original = nullptr) {
  const UnusedEntries unused = rename_values(program.graph_module, original);
  schemagen::Map<std::string> symbols = rename_symbols(program, unused);
  for_each_graph(program.graph_module.graph, [&](Graph& graph) { name_unused_entries(graph, unused); });
  return symbols;
}

void require_defined_names(const ExportedProgram& program) {
  for_each_graph(program.graph_module.graph, [](const Graph& graph) {
    const GraphIndex index(graph);
    for (std::uint32_t value = index.defined_count(); value < index.size(); ++value) {
      // Objects that are not lifted to inputs are constants with that name.
      if (index.table(value) == ValueName::Table::custom_objects) continue;
      throw schemagen::DataError("cannot hash the program: the value " +
                                 schemagen::quoted(index.name(value)) + " is used but not defined");
    }
  });
}

}  // namespace

CanonicalForm canonical_form_named(std::string_view name) {
  if (name == "torch") return CanonicalForm::torch;
  if (name == "names") return CanonicalForm::names;
  if (name == "normal") return CanonicalForm::normal;
  throw schemagen::UsageError("unknown form " + schemagen::quoted(name) +
                              ", expected torch, names or normal");
}

ExportedProgram canonicalize(ExportedProgram program, CanonicalForm form, Provenance provenance) {
  if (form == CanonicalForm::torch) {
    canonicalize_as_torch(program);
    return program;
  }
  sort_unordered(program, provenance);
  if (form == CanonicalForm::normal) order_nodes(program, {});
  give_names(program);
  return program;
}

NormalProgram normalize(ExportedProgram program, const OperatorSet& operators) {
  sort_unordered(program, Provenance::drop);
  order_nodes(program, operators);
  NormalProgram normal;
  normal.symbols = give_names(program, &normal.names);
  normal.program = std::move(program);
  return normal;
}

std::string content_text(ExportedProgram program) {
  require_defined_names(program);
  return schemagen::to_json(canonicalize(std::move(program), CanonicalForm::normal, Provenance::drop));
}

std::string content_hash(ExportedProgram program) {
  return "sha256:" + schemagen::sha256_hex(content_text(std::move(program)));
}

}  // namespace pt2
