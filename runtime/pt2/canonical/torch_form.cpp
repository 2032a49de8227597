#include "pt2/canonical/stages.h"

#include <array>
#include <tuple>

#include "pt2/canonical/map_order.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"
#include "pt2/schema_info.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

/// Throws DataError with torch's message and the path.
[[noreturn]] void torch_refuses(const std::string& reason, const std::string& path) {
  throw schemagen::DataError("torch cannot canonicalize the program: " + reason, path);
}

std::string torch_symbol(std::string_view name) {
  return "symbol " + schemagen::quoted(name);
}

/// Visits slots as torch's algorithm does, which, unlike for_each_slot(), does not see slots in a dict.
template <class Arg, class Visit>
void for_each_torch_slot(Arg& argument, const std::string& path, const Visit& visit) {
  if (argument.kind() == Argument::unset || argument.template is<Argument::as_optional_tensor>()) {
    torch_refuses("unknown input type to the ExportedProgram: " + std::string(name_of(argument.kind())),
                  path);
  }
  if (argument.template is<Argument::as_string_to_argument>())
    return visit(nullptr, ValueName::Table::tensors);
  for_each_slot(argument, visit);
}

/// Does the same for the names; like torch, treats an empty name as no name.
template <class Visit>
void for_each_torch_name(const Argument& argument, const std::string& path, const Visit& visit) {
  for_each_torch_slot(argument, path, [&](const std::string* name, ValueName::Table) {
    if (name != nullptr && !name->empty()) visit(*name);
  });
}

/// torch takes the node with the least key among those whose operands are available. The key is the target,
/// and the names of the arguments with the ranks of their values; -1 for an empty slot.
using TorchKey =
    std::pair<std::string_view, std::vector<std::pair<std::string_view, std::vector<std::int64_t>>>>;

/// Finds torch's order of nodes. Throws DataError if a value is defined twice or nodes depend on each other.
class TorchOrder {
 public:
  TorchOrder(const Graph& graph, const std::string& path)
      : graph_(graph), path_(path), users_(graph.nodes.size()), waiting_for_(graph.nodes.size(), 0) {
    for (const Argument& input : graph.inputs) {
      for_each_torch_name(input, path + ".inputs",
                          [&](const std::string& name) { values_.try_emplace(name); });
    }
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
      for (const Argument& output : graph.nodes[i].outputs) {
        for_each_torch_name(output, path, [&](const std::string& name) {
          const std::uint32_t other = std::exchange(values_[name].node, i);
          if (other != kNone) torch_refuses(torch_symbol(name) + " already in def_table", path);
        });
      }
    }
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
      for (const NamedArgument& input : graph.nodes[i].inputs) {
        for_each_torch_name(input.arg, path, [&](const std::string& name) { add_use(i, name); });
      }
    }
  }

  std::vector<std::uint32_t> order() {
    for (const Argument& input : graph_.inputs) rank(input);
    std::vector<std::uint32_t> order = order_by_key(
        waiting_for_, [&](std::uint32_t node) { return key_of(graph_.nodes[node]); },
        [&](std::uint32_t node, const auto& visit) {
          for (const Argument& output : graph_.nodes[node].outputs) rank(output);
          for (const std::uint32_t user : users_[node]) visit(user);
        });
    if (order.size() == waiting_for_.size()) return order;
    torch_refuses("expected " + schemagen::counted(waiting_for_.size(), "sorted node") + ", got " +
                      std::to_string(order.size()),
                  path_);
  }

 private:
  static constexpr std::uint32_t kNone = GraphIndex::kNone;

  struct Value {
    std::uint32_t node = kNone;  // that defines it
    std::int64_t rank = -1;
  };

  void add_use(std::uint32_t user, const std::string& name) {
    const Value* const value = values_.find(name);
    if (value == nullptr) torch_refuses(torch_symbol(name) + " not in def_table or graph_inputs", path_);
    if (value->node == kNone) return;
    users_[value->node].push_back(user);
    ++waiting_for_[user];
  }

  void rank(const Argument& argument) {
    for_each_torch_name(argument, path_, [&](const std::string& name) {
      Value& value = *values_.find(name);
      if (value.rank >= 0) torch_refuses(torch_symbol(name) + " already in rank", path_);
      value.rank = count_++;
    });
  }

  TorchKey key_of(const Node& node) const {
    TorchKey key = {node.target, {}};
    for (const NamedArgument& input : node.inputs) {
      std::vector<std::int64_t>& ranks = key.second.emplace_back(input.name, 0).second;
      for_each_torch_slot(input.arg, path_, [&](const std::string* name, ValueName::Table) {
        ranks.push_back(name == nullptr || name->empty() ? -1 : values_.find(*name)->rank);
      });
    }
    return key;
  }

  const Graph& graph_;
  const std::string& path_;
  schemagen::Map<Value> values_;
  std::int64_t count_ = 0;
  std::vector<std::vector<std::uint32_t>> users_;
  std::vector<std::uint32_t> waiting_for_;
};

/// Renames values as torch does: torch moves the table entry of each defined value to the new name, replacing
/// any entry that already has this name.
class TorchNames {
 public:
  /// Renames the definitions, in the order of inputs and nodes. Throws DataError if a value has no table
  /// entry or is defined twice.
  TorchNames(Graph& graph, const std::string& path) : graph_(graph) {
    for_each_table(graph_, [&](const auto& table, ValueName::Table kind) {
      Places& places = places_[static_cast<std::size_t>(kind)];
      for (const auto& [name, value] : table) places[name] = places.size();
    });
    for (Argument& input : graph_.inputs) define(input, path);
    for (Node& node : graph_.nodes) {
      for (Argument& output : node.outputs) define(output, path);
    }
  }

  const std::string& new_name(std::string_view name, const std::string& path) const {
    if (const std::string* const found = new_names_.find(name)) return *found;
    torch_refuses(torch_symbol(name) + " has no new name", path);
  }

  /// Renames the uses and the entries.
  void apply(const std::string& path) {
    const auto rename = [&](std::string* name, ValueName::Table) {
      const std::string* const found = name == nullptr ? nullptr : new_names_.find(*name);
      if (found != nullptr) *name = *found;
    };
    for (Node& node : graph_.nodes) {
      for (NamedArgument& input : node.inputs) for_each_torch_slot(input.arg, path, rename);
    }
    for (Argument& output : graph_.outputs) for_each_torch_slot(output, path + ".outputs", rename);
    for_each_table(graph_, [&](auto& table, ValueName::Table kind) {
      Places& places = places_[static_cast<std::size_t>(kind)];
      sort_by_key(places);
      std::remove_reference_t<decltype(table)> renamed;
      renamed.reserve(table.size());
      for (const auto& [name, place] : places) {
        if (place != kMoved) *renamed.try_emplace(name).first = std::move(table.begin()[place].value);
      }
      table = std::move(renamed);
    });
  }

 private:
  using Places = schemagen::Map<std::size_t>;  // in the old table
  static constexpr std::size_t kMoved = static_cast<std::size_t>(-1);

  void define(Argument& argument, const std::string& path) {
    for_each_torch_slot(argument, path, [&](std::string* name, ValueName::Table kind) {
      if (argument.kind() == Argument::as_optional_tensors) {
        torch_refuses("unknown argument type OptionalTensorArgument of a defined value", path);
      }
      if (name == nullptr) return;
      if (new_names_.contains(*name)) torch_refuses(torch_symbol(*name) + " already in name_table", path);
      Places& places = places_[static_cast<std::size_t>(kind)];
      std::size_t* const old_place = places.find(*name);
      if (old_place == nullptr || *old_place == kMoved) {
        torch_refuses(torch_symbol(*name) + " not in the graph's values", path);
      }
      const std::size_t place = std::exchange(*old_place, kMoved);
      std::string new_name = "_" + std::to_string(new_names_.size());
      places[new_name] = place;
      new_names_[*name] = new_name;
      *name = std::move(new_name);
    });
  }

  Graph& graph_;
  std::array<Places, 5> places_;
  schemagen::Map<std::string> new_names_;
};

using SpecRank = std::tuple<int, std::string_view, std::uint32_t>;  // kind, name, index

template <class Spec>
SpecRank rank_of(const Spec& spec, std::uint32_t index) {
  const auto parts = parts_of(spec);
  std::string_view name;
  if (parts.target != nullptr && !parts.target_is_input) name = *parts.target;
  if (parts.constant != nullptr) name = *parts.name;
  return {spec_kind(parts.kind).torch_rank, name, index};
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
    if (std::get<int>(ranks.back()) < 0) {
      torch_refuses("unknown " + what + " type", "graph_module.signature." + what + "_specs");
    }
  }
  std::sort(ranks.begin(), ranks.end());
  std::vector<std::uint32_t> order;
  for (const SpecRank& rank : ranks) order.push_back(std::get<std::uint32_t>(rank));
  arguments = in_order(std::move(arguments), order);
  specs = in_order(std::move(specs), order);
}

void rename_user_argument(Argument& argument, const TorchNames& names, const std::string& path,
                          bool leaves_objects) {
  using A = Argument;
  const A::Kind kind = argument.kind();
  const auto is_one_of = [&](std::initializer_list<A::Kind> kinds) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  if (is_one_of({A::as_tensor, A::as_sym_int, A::as_sym_float}))
    return for_each_name(argument, [&](std::string& name) { name = names.new_name(name, path); });
  if (is_one_of({A::as_none, A::as_bool, A::as_int, A::as_float, A::as_string})) return;
  if (kind == A::as_custom_obj && leaves_objects) return;
  torch_refuses("unknown input type: " + std::string(name_of(kind)), path);
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

/// `signature` is null for a subgraph.
void order_and_rename(Graph& graph, GraphSignature* signature, const std::string& path) {
  const std::vector<std::uint32_t> order = TorchOrder(graph, path).order();
  graph.nodes = in_order(std::move(graph.nodes), order);
  TorchNames names(graph, path);
  if (signature != nullptr) {
    rename_specs(signature->input_specs, names, "graph_module.signature.input_specs");
    rename_specs(signature->output_specs, names, "graph_module.signature.output_specs");
  }
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
      order_and_rename(*subgraph->graph, nullptr, subgraph_path + ".arg.as_graph.graph");
      subgraph->name = "_g" + std::to_string(count++);
    }
  }
}

}  // namespace

void canonicalize_as_torch(ExportedProgram& program) {
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
  if (module.graph.outputs.empty()) {
    torch_refuses("not enough values to unpack, as the graph has no outputs", "graph_module.graph.outputs");
  }
  order_and_rename(module.graph, &module.signature, "graph_module.graph");
}

}  // namespace pt2
