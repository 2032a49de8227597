#include "pt2/canonical/stages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pt2/canonical/map_order.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/spec_kinds.h"
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

/// Refers to the graph's names, which must not change.
class TorchValues {
 public:
  using Number = std::uint32_t;
  using Slots = std::pair<const Number*, const Number*>;

  TorchValues(const Graph& graph, const std::string& path) {
    number_definitions(graph, path);
    number_uses(graph, path);
  }

  /// Like torch, treats an empty name as no name.
  static bool is_name(const std::string* name) { return name != nullptr && !name->empty(); }

  Number find(std::string_view name) const { return numbers_.find(name); }
  Number number(const std::string& name) {
    const Number number = numbers_.number(name);
    if (number == defining_.size()) {
      defining_.push_back(NameNumbers::kNone);
      is_input_.push_back(false);
    }
    return number;
  }
  std::size_t size() const { return numbers_.size(); }
  std::string_view name(Number number) const { return numbers_.name(number); }

  std::uint32_t defining_node(Number number) const { return defining_[number]; }
  Slots slots_of_input(std::uint32_t node, std::size_t input) const {
    const std::uint32_t* const slot = &argument_slots_[node_arguments_[node] + input];
    return {slots_.data() + slot[0], slots_.data() + slot[1]};
  }
  Slots slots_of_node(std::uint32_t node) const {
    return {slots_.data() + argument_slots_[node_arguments_[node]],
            slots_.data() + argument_slots_[node_arguments_[node + 1]]};
  }

 private:
  void number_definitions(const Graph& graph, const std::string& path) {
    numbers_.reserve(graph.tensor_values.size() + graph.sym_int_values.size() + graph.nodes.size() / 4);
    for (const Argument& input : graph.inputs) {
      for_each_torch_slot(input, path + ".inputs", [&](const std::string* name, ValueName::Table) {
        if (is_name(name)) is_input_[number(*name)] = true;
      });
    }
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
      for (const Argument& output : graph.nodes[i].outputs) {
        for_each_torch_slot(output, path, [&](const std::string* name, ValueName::Table) {
          if (!is_name(name)) return;
          std::uint32_t& node = defining_[number(*name)];
          if (node != NameNumbers::kNone) torch_refuses(torch_symbol(*name) + " already in def_table", path);
          node = i;
        });
      }
    }
  }

  void number_uses(const Graph& graph, const std::string& path) {
    for (const Node& node : graph.nodes) {
      node_arguments_.push_back(static_cast<std::uint32_t>(argument_slots_.size()));
      for (const NamedArgument& input : node.inputs) {
        argument_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
        for_each_torch_slot(input.arg, path, [&](const std::string* name, ValueName::Table) {
          slots_.push_back(is_name(name) ? number(*name) : NameNumbers::kNone);
          if (slots_.back() == NameNumbers::kNone) return;
          if (defining_[slots_.back()] == NameNumbers::kNone && !is_input_[slots_.back()]) {
            torch_refuses(torch_symbol(*name) + " not in def_table or graph_inputs", path);
          }
        });
      }
    }
    node_arguments_.push_back(static_cast<std::uint32_t>(argument_slots_.size()));
    argument_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
  }

  NameNumbers numbers_;
  std::vector<std::uint32_t> defining_;
  std::vector<bool> is_input_;
  std::vector<std::uint32_t> node_arguments_;
  std::vector<std::uint32_t> argument_slots_;
  std::vector<Number> slots_;
};

class TorchRanks {
 public:
  TorchRanks(const Graph& graph, const TorchValues& values, const std::string& path)
      : graph_(graph), values_(values), path_(path), ranks_(values.size(), NameNumbers::kNone) {
    for (const Argument& input : graph_.inputs) add(input);
  }

  void add(const Argument& argument) {
    for_each_torch_slot(argument, path_, [&](const std::string* name, ValueName::Table) {
      if (!TorchValues::is_name(name)) return;
      std::uint32_t& rank = ranks_[values_.find(*name)];
      if (rank != NameNumbers::kNone) torch_refuses(torch_symbol(*name) + " already in rank", path_);
      rank = count_++;
    });
  }

  bool goes_before(std::uint32_t a, std::uint32_t b) const {
    const Node& node_a = graph_.nodes[a];
    const Node& node_b = graph_.nodes[b];
    if (const int order = node_a.target.compare(node_b.target)) return order < 0;
    for (std::size_t i = 0; i < std::min(node_a.inputs.size(), node_b.inputs.size()); ++i) {
      if (const int order = node_a.inputs[i].name.compare(node_b.inputs[i].name)) return order < 0;
      if (const int order = compare(values_.slots_of_input(a, i), values_.slots_of_input(b, i)))
        return order < 0;
    }
    return node_a.inputs.size() != node_b.inputs.size() ? node_a.inputs.size() < node_b.inputs.size() : a < b;
  }

 private:
  int compare(TorchValues::Slots a, TorchValues::Slots b) const {
    for (; a.first != a.second && b.first != b.second; ++a.first, ++b.first) {
      if (rank(*a.first) != rank(*b.first)) return rank(*a.first) < rank(*b.first) ? -1 : 1;
    }
    return static_cast<int>(a.first != a.second) - static_cast<int>(b.first != b.second);
  }

  std::int64_t rank(TorchValues::Number slot) const {
    return slot == NameNumbers::kNone ? -1 : static_cast<std::int64_t>(ranks_[slot]);
  }

  const Graph& graph_;
  const TorchValues& values_;
  const std::string& path_;
  std::vector<std::uint32_t> ranks_;
  std::uint32_t count_ = 0;
};

/// Returns torch's order: among the nodes whose operands are available, torch picks by operator, then by the
/// names and ranks of the arguments, and then by the original order. Throws DataError if a value is defined
/// twice or nodes depend on each other.
std::vector<std::uint32_t> torch_order(const Graph& graph, const TorchValues& values,
                                       const std::string& path) {
  const std::size_t count = graph.nodes.size();
  std::vector<std::vector<std::uint32_t>> users(count);
  std::vector<std::uint32_t> waiting_for(count, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto [first, last] = values.slots_of_node(i);
    for (const TorchValues::Number* slot = first; slot != last; ++slot) {
      if (*slot == NameNumbers::kNone || values.defining_node(*slot) == NameNumbers::kNone) continue;
      users[values.defining_node(*slot)].push_back(i);
      ++waiting_for[i];
    }
  }
  TorchRanks ranks(graph, values, path);
  const auto goes_after = [&](std::uint32_t a, std::uint32_t b) { return ranks.goes_before(b, a); };
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(goes_after)> ready(goes_after);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (waiting_for[i] == 0) ready.push(i);
  }
  std::vector<std::uint32_t> order;
  order.reserve(count);
  while (!ready.empty()) {
    const std::uint32_t node = ready.top();
    ready.pop();
    for (const Argument& output : graph.nodes[node].outputs) ranks.add(output);
    order.push_back(node);
    for (const std::uint32_t user : users[node]) {
      if (--waiting_for[user] == 0) ready.push(user);
    }
  }
  if (order.size() != count) {
    torch_refuses(
        "expected " + schemagen::counted(count, "sorted node") + ", got " + std::to_string(order.size()),
        path);
  }
  return order;
}

std::string numbered_name(TorchValues::Number number) {
  return "_" + std::to_string(number);
}

/// Renames values as torch does: torch moves the table entry of each defined value to the new name, replacing
/// any entry that already has this name.
class TorchNames {
 public:
  /// Chooses the new names in the order of inputs and nodes, without changing the graph. Throws DataError if
  /// a value has no table entry or is defined twice.
  TorchNames(Graph& graph, TorchValues values, const std::string& path)
      : graph_(graph), values_(std::move(values)) {
    for_each_table(graph_, [&](const auto& table, ValueName::Table kind) {
      enter_table(table, tables_[static_cast<std::size_t>(kind)]);
    });
    new_numbers_.assign(values_.size(), NameNumbers::kNone);
    for (Argument& input : graph_.inputs) define(input, path);
    for (Node& node : graph_.nodes) {
      for (Argument& output : node.outputs) define(output, path);
    }
  }

  std::string new_name(std::string_view name, const std::string& path) const {
    const Number number = values_.find(name);
    if (number == NameNumbers::kNone || new_numbers_[number] == NameNumbers::kNone) {
      torch_refuses(torch_symbol(name) + " has no new name", path);
    }
    return numbered_name(new_numbers_[number]);
  }

  void apply(const std::string& path) {
    std::vector<std::pair<std::string*, Number>> uses;
    const auto collect = [&](std::string* name, ValueName::Table) {
      if (name == nullptr) return;
      const Number number = values_.find(*name);
      if (number != NameNumbers::kNone && new_numbers_[number] != NameNumbers::kNone)
        uses.emplace_back(name, new_numbers_[number]);
    };
    for (Node& node : graph_.nodes) {
      for (NamedArgument& input : node.inputs) for_each_torch_slot(input.arg, path, collect);
    }
    for (Argument& output : graph_.outputs) for_each_torch_slot(output, path + ".outputs", collect);

    // The old tables own the names until all tables are rebuilt.
    Graph old;
    for_each_table(old, graph_, [&](auto& old_table, auto& table, ValueName::Table kind) {
      rename_table(old_table, table, tables_[static_cast<std::size_t>(kind)]);
    });
    for (const auto& [name, number] : definitions_) *name = numbered_name(number);
    for (const auto& [name, number] : uses) *name = numbered_name(number);
  }

 private:
  using Number = TorchValues::Number;
  struct TableNames {
    std::vector<Number> entry_of;
    std::vector<std::pair<Number, Number>> renamed;
    Number entries = 0;
  };

  void define(Argument& argument, const std::string& path) {
    for_each_torch_slot(argument, path, [&](std::string* name, ValueName::Table kind) {
      if (argument.kind() == Argument::as_optional_tensors) {
        torch_refuses("unknown argument type OptionalTensorArgument of a defined value", path);
      }
      if (name == nullptr) return;
      TableNames& table = tables_[static_cast<std::size_t>(kind)];
      const Number old_number = values_.find(*name);
      if (old_number != NameNumbers::kNone && new_numbers_[old_number] != NameNumbers::kNone) {
        torch_refuses(torch_symbol(*name) + " already in name_table", path);
      }
      if (old_number >= table.entry_of.size() || table.entry_of[old_number] == NameNumbers::kNone) {
        torch_refuses(torch_symbol(*name) + " not in the graph's values", path);
      }
      const Number new_number = defined_++;
      const Number entry = std::exchange(table.entry_of[old_number], NameNumbers::kNone);
      new_numbers_[old_number] = new_number;
      definitions_.emplace_back(name, new_number);
      const Number taken = values_.find(numbered_name(new_number));
      if (taken == NameNumbers::kNone) {
        table.renamed.emplace_back(new_number, entry);
      } else {
        if (table.entry_of.size() <= taken) table.entry_of.resize(taken + 1, NameNumbers::kNone);
        table.entry_of[taken] = entry;
      }
    });
  }

  template <class T>
  void enter_table(const schemagen::Map<T>& table, TableNames& names) {
    for (const auto& [key, value] : table) {
      const Number number = values_.number(key);
      if (names.entry_of.size() <= number) names.entry_of.resize(number + 1, NameNumbers::kNone);
      names.entry_of[number] = names.entries++;
    }
  }

  template <class T>
  void rename_table(schemagen::Map<T>& old, schemagen::Map<T>& table, const TableNames& names) const {
    old = std::move(table);
    std::vector<std::pair<std::string, Number>> entries;
    entries.reserve(names.entries);
    for (Number number = 0; number < names.entry_of.size(); ++number) {
      if (names.entry_of[number] != NameNumbers::kNone)
        entries.emplace_back(values_.name(number), names.entry_of[number]);
    }
    for (const auto& [new_number, entry] : names.renamed)
      entries.emplace_back(numbered_name(new_number), entry);
    std::sort(entries.begin(), entries.end());
    std::vector<T*> values;
    values.reserve(old.size());
    for (auto& entry : old) values.push_back(&entry.value);
    table = {};
    table.reserve(entries.size());
    for (auto& [key, entry] : entries) *table.try_emplace(std::move(key)).first = std::move(*values[entry]);
  }

  Graph& graph_;
  TorchValues values_;
  std::vector<Number> new_numbers_;
  Number defined_ = 0;
  std::array<TableNames, 5> tables_;
  std::vector<std::pair<std::string*, Number>> definitions_;
};

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
