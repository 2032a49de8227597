#include "pt2/canonical/torch_form.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pt2/canonical/map_order.h"
#include "pt2/canonical/torch_names.h"
#include "pt2/canonical/torch_order.h"
#include "pt2/canonical/torch_values.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/spec_kinds.h"
#include "pt2/graph/walk.h"
#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

struct SpecRank {
  int kind = 0;
  std::string_view name;
  std::uint32_t index = 0;

  friend bool operator<(const SpecRank& a, const SpecRank& b) {
    return std::tie(a.kind, a.name, a.index) < std::tie(b.kind, b.name, b.index);
  }
};

template <class Spec>
SpecRank rank_of(const Spec& spec, std::uint32_t index) {
  const auto parts = parts_of(spec);
  SpecRank rank = {spec_kind(parts.kind).torch_rank, {}, index};
  if (parts.target != nullptr && !parts.target_is_input) rank.name = *parts.target;
  if (parts.constant != nullptr) rank.name = *parts.name;
  return rank;
}

template <class Spec>
void sort_specs(std::vector<Argument>& arguments, std::vector<Spec>& specs, const std::string& what) {
  if (arguments.size() != specs.size()) {
    torch_refuses("graph." + what + "s length " + std::to_string(arguments.size()) + " != signature." + what +
                      "_specs length " + std::to_string(specs.size()),
                  "graph_module");
  }
  std::vector<SpecRank> ranks;
  for (std::uint32_t i = 0; i < specs.size(); ++i) {
    ranks.push_back(rank_of(specs[i], i));
    if (ranks.back().kind < 0) {
      torch_refuses("unknown " + what + " type", "graph_module.signature." + what + "_specs");
    }
  }
  std::sort(ranks.begin(), ranks.end());
  std::vector<std::uint32_t> order;
  for (const SpecRank& rank : ranks) order.push_back(rank.index);
  arguments = in_order(std::move(arguments), order);
  specs = in_order(std::move(specs), order);
}

void rename_user_argument(Argument& argument, const TorchNames& names, const std::string& path,
                          bool leaves_objects) {
  switch (argument.kind()) {
    case Argument::as_tensor:
    case Argument::as_sym_int:
    case Argument::as_sym_float:
      return for_each_name(argument, [&](std::string& name) { name = names.new_name(name, path); });
    case Argument::as_none:
    case Argument::as_bool:
    case Argument::as_int:
    case Argument::as_float:
    case Argument::as_string:
      return;
    case Argument::as_custom_obj:
      if (leaves_objects) return;
      break;
    default:
      break;
  }
  torch_refuses("unknown input type: " + std::string(name_of(argument.kind())), path);
}

template <class Spec>
void rename_spec(Spec& spec, const TorchNames& names, const std::string& path) {
  const auto parts = parts_of(spec);
  if (parts.constant != nullptr) return;
  if (parts.argument != nullptr) {
    return rename_user_argument(*parts.argument, names, path, std::is_same_v<Spec, InputSpec>);
  }
  *parts.name = names.new_name(*parts.name, path);
  if (parts.target_is_input) *parts.target = names.new_name(*parts.target, path);
}

template <class Spec>
void rename_specs(std::vector<Spec>& specs, const TorchNames& names, const std::string& path) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    std::string spec_path = path;
    schemagen::append_index(spec_path, i);
    rename_spec(specs[i], names, spec_path);
  }
}

void order_and_rename(Graph& graph, const std::string& path,
                      const std::function<void(const TorchNames&)>& rename_more) {
  TorchValues values(graph, path);
  const std::vector<std::uint32_t> order = torch_order(graph, values, path);
  graph.nodes = in_order(std::move(graph.nodes), order);
  TorchNames names(graph, std::move(values), path);
  rename_more(names);
  names.apply(path);
  std::size_t count = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    graph.nodes[i].metadata.clear();
    for (std::size_t j = 0; j < graph.nodes[i].inputs.size(); ++j) {
      auto* const subgraph = graph.nodes[i].inputs[j].arg.get_if<Argument::as_graph>();
      if (subgraph == nullptr) continue;
      std::string subgraph_path = path + ".nodes";
      schemagen::append_index(subgraph_path, order[i]);
      subgraph_path += ".inputs";
      schemagen::append_index(subgraph_path, j);
      order_and_rename(*subgraph->graph, subgraph_path + ".arg.as_graph.graph", [](const TorchNames&) {});
      subgraph->name = "_g" + std::to_string(count++);
    }
  }
}

}  // namespace

void sort_as_torch(ExportedProgram& program) {
  GraphModule& module = program.graph_module;
  sort_by_key(program.opset_version);
  sort_by_key(program.range_constraints);
  std::sort(program.guards_code.begin(), program.guards_code.end());
  std::stable_sort(module.module_call_graph.begin(), module.module_call_graph.end(),
                   [](const ModuleCallEntry& a, const ModuleCallEntry& b) { return a.fqn < b.fqn; });
  sort_specs(module.graph.inputs, module.signature.input_specs, "input");
  sort_specs(module.graph.outputs, module.signature.output_specs, "output");
  module.metadata.clear();
  module.treespec_namedtuple_fields.clear();
}

void order_and_rename_as_torch(GraphModule& module) {
  if (module.graph.outputs.empty()) {
    torch_refuses("not enough values to unpack, as the graph has no outputs", "graph_module.graph.outputs");
  }
  order_and_rename(module.graph, "graph_module.graph", [&](const TorchNames& names) {
    rename_specs(module.signature.input_specs, names, "graph_module.signature.input_specs");
    rename_specs(module.signature.output_specs, names, "graph_module.signature.output_specs");
  });
}

}  // namespace pt2
