#include "pt2/compare/canonical_torch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pt2/compare/map_order.h"
#include "pt2/graph/name_numbers.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/value_slots.h"
#include "pt2/graph/walk.h"
#include "pt2/schema_info.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"
#include "schemagen/value/value_path.h"

namespace pt2 {
namespace {

using schemagen::DataError;
using Number = std::uint32_t;
constexpr Number kNone = NameNumbers::kNone;

[[noreturn]] void fail(const std::string& reason, const std::string& path) {
  throw DataError("torch cannot canonicalize this: " + reason, path);
}

std::string symbol(std::string_view name) {
  return "symbol " + schemagen::quoted(name);
}

/// The slots that torch's algorithm sees: none in a dict.
template <class Arg, class Visit>
void for_each_torch_slot(Arg& argument, const std::string& path, const Visit& visit) {
  switch (argument.kind()) {
    case Argument::unset:
    case Argument::as_optional_tensor:
      return fail("unknown input type to the ExportedProgram: " + std::string(name_of(argument.kind())),
                  path);
    case Argument::as_string_to_argument:
      return visit(nullptr, ValueName::Table::tensors);
    default:
      for_each_slot(argument, visit);
  }
}

/// The names of one graph, first as they are, then as they will be.
class TorchGraph {
 public:
  TorchGraph(Graph& graph, std::string path) : graph_(graph), path_(std::move(path)) {
    number_definitions();
    number_uses();
  }

  /// Puts the nodes in torch's order, and gives new names to what is defined. The graph keeps its old names.
  void sort_nodes();
  void name_definitions();

  /// The new name of `name`. Errors: DataError if the graph does not define it.
  std::string new_name(std::string_view name, const std::string& path) const {
    const Number number = numbers_.find(name);
    if (number == kNone || new_numbers_[number] == kNone) fail(symbol(name) + " has no new name", path);
    return numbered(new_numbers_[number]);
  }

  /// Writes the new names into the graph, and goes on with its subgraphs. Ends the use of this object.
  void rename();

 private:
  static std::string numbered(Number number) { return "_" + std::to_string(number); }

  /// As names of length 0 are none to torch.
  static bool is_name(const std::string* name) { return name != nullptr && !name->empty(); }

  void number_definitions();
  void number_uses();
  void rank(const Argument& argument);
  bool goes_before(std::uint32_t a, std::uint32_t b) const;
  void name_definition(Argument& argument);
  template <class T>
  void rename_table(schemagen::Map<T>& old, schemagen::Map<T>& table, ValueName::Table kind);
  template <class T>
  void enter_table(const schemagen::Map<T>& table, ValueName::Table kind);
  void rename_subgraphs();

  /// Where the entry of each value is in its table, by the number of the name that it has by now.
  struct TableNames {
    std::vector<Number> entry_of;                    // by number of an old name; kNone: no such key
    std::vector<std::pair<Number, Number>> renamed;  // new number and entry, of new names that no old one has
    Number entries = 0;
  };

  Graph& graph_;
  std::string path_;
  NameNumbers numbers_;
  std::vector<std::string_view> names_;  // by number
  std::vector<std::uint32_t> defining_;  // node by number; kNone: none
  std::vector<bool> is_input_;           // by number
  std::vector<std::uint32_t> ranks_;     // by number
  std::uint32_t rank_count_ = 0;
  // Node i has the arguments from node_arguments_[i] on, argument j the slots from argument_slots_[j] on.
  std::vector<std::uint32_t> node_arguments_;
  std::vector<std::uint32_t> argument_slots_;
  std::vector<Number> slots_;
  std::vector<std::uint32_t> order_;  // old indices of nodes
  std::vector<Number> new_numbers_;   // by number; kNone: keeps its name
  Number defined_ = 0;
  std::array<TableNames, 5> tables_;
  std::vector<std::pair<std::string*, Number>> definitions_;

  Number number(const std::string& name) {
    const Number number = numbers_.number(name);
    if (number == names_.size()) {
      names_.push_back(name);
      defining_.push_back(kNone);
      is_input_.push_back(false);
    }
    return number;
  }
};

void TorchGraph::number_definitions() {
  numbers_.reserve(graph_.tensor_values.size() + graph_.sym_int_values.size() + graph_.nodes.size() / 4);
  for (const Argument& input : graph_.inputs) {
    for_each_torch_slot(input, path_ + ".inputs", [&](const std::string* name, ValueName::Table) {
      if (is_name(name)) is_input_[number(*name)] = true;
    });
  }
  for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
    for (const Argument& output : graph_.nodes[i].outputs) {
      for_each_torch_slot(output, path_, [&](const std::string* name, ValueName::Table) {
        if (!is_name(name)) return;
        std::uint32_t& node = defining_[number(*name)];
        if (node != kNone) fail(symbol(*name) + " already in def_table", path_);
        node = i;
      });
    }
  }
}

void TorchGraph::number_uses() {
  for (const Node& node : graph_.nodes) {
    node_arguments_.push_back(static_cast<std::uint32_t>(argument_slots_.size()));
    for (const NamedArgument& input : node.inputs) {
      argument_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
      for_each_torch_slot(input.arg, path_, [&](const std::string* name, ValueName::Table) {
        slots_.push_back(is_name(name) ? number(*name) : kNone);
        if (slots_.back() == kNone) return;
        if (defining_[slots_.back()] == kNone && !is_input_[slots_.back()]) {
          fail(symbol(*name) + " not in def_table or graph_inputs", path_);
        }
      });
    }
  }
  node_arguments_.push_back(static_cast<std::uint32_t>(argument_slots_.size()));
  argument_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
}

void TorchGraph::rank(const Argument& argument) {
  for_each_torch_slot(argument, path_, [&](const std::string* name, ValueName::Table) {
    if (!is_name(name)) return;
    std::uint32_t& rank = ranks_[numbers_.find(*name)];
    if (rank != kNone) fail(symbol(*name) + " already in rank", path_);
    rank = rank_count_++;
  });
}

/// Whether node `a` comes first of two that are ready: by operator, then by names and ranks of the arguments,
/// then by where they stood.
bool TorchGraph::goes_before(std::uint32_t a, std::uint32_t b) const {
  if (const int order = graph_.nodes[a].target.compare(graph_.nodes[b].target)) return order < 0;
  // Slots without a name rank before all others.
  const auto rank = [&](std::uint32_t slot) {
    return slots_[slot] == kNone ? -1 : static_cast<std::int64_t>(ranks_[slots_[slot]]);
  };
  const std::size_t count_a = graph_.nodes[a].inputs.size();
  const std::size_t count_b = graph_.nodes[b].inputs.size();
  for (std::size_t i = 0; i < std::min(count_a, count_b); ++i) {
    if (const int order = graph_.nodes[a].inputs[i].name.compare(graph_.nodes[b].inputs[i].name)) {
      return order < 0;
    }
    const std::uint32_t* const slots_a = &argument_slots_[node_arguments_[a] + i];
    const std::uint32_t* const slots_b = &argument_slots_[node_arguments_[b] + i];
    std::uint32_t at_a = slots_a[0];
    std::uint32_t at_b = slots_b[0];
    for (; at_a < slots_a[1] && at_b < slots_b[1]; ++at_a, ++at_b) {
      if (rank(at_a) != rank(at_b)) return rank(at_a) < rank(at_b);
    }
    const std::uint32_t left_a = slots_a[1] - at_a;
    const std::uint32_t left_b = slots_b[1] - at_b;
    if (left_a != left_b) return left_a < left_b;
  }
  return count_a != count_b ? count_a < count_b : a < b;
}

void TorchGraph::sort_nodes() {
  const std::size_t count = graph_.nodes.size();
  std::vector<std::vector<std::uint32_t>> users(count);
  std::vector<std::uint32_t> waiting_for(count, 0);  // how many operands are not there yet
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t end = argument_slots_[node_arguments_[i + 1]];
    for (std::uint32_t slot = argument_slots_[node_arguments_[i]]; slot < end; ++slot) {
      if (slots_[slot] == kNone || defining_[slots_[slot]] == kNone) continue;
      users[defining_[slots_[slot]]].push_back(i);
      ++waiting_for[i];
    }
  }
  ranks_.assign(names_.size(), kNone);
  for (const Argument& input : graph_.inputs) rank(input);

  const auto goes_after = [&](std::uint32_t a, std::uint32_t b) { return goes_before(b, a); };
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(goes_after)> ready(goes_after);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (waiting_for[i] == 0) ready.push(i);
  }
  while (!ready.empty()) {
    const std::uint32_t node = ready.top();
    ready.pop();
    for (const Argument& output : graph_.nodes[node].outputs) rank(output);
    order_.push_back(node);
    for (const std::uint32_t user : users[node]) {
      if (--waiting_for[user] == 0) ready.push(user);
    }
  }
  if (order_.size() != count) {
    fail("expected " + std::to_string(count) + " sorted nodes, got " + std::to_string(order_.size()), path_);
  }
  std::vector<Node> sorted;
  sorted.reserve(count);
  for (const std::uint32_t node : order_) sorted.push_back(std::move(graph_.nodes[node]));
  graph_.nodes = std::move(sorted);
}

template <class T>
void TorchGraph::enter_table(const schemagen::Map<T>& table, ValueName::Table kind) {
  TableNames& names = tables_[static_cast<std::size_t>(kind)];
  for (const auto [key, value] : table) {
    const Number key_number = number(key);
    if (names.entry_of.size() <= key_number) names.entry_of.resize(key_number + 1, kNone);
    names.entry_of[key_number] = names.entries++;
  }
}

/// Renames what `argument` defines: takes the value's entry out of its table, and puts it back under the new
/// name, where it replaces the one that had that name before.
void TorchGraph::name_definition(Argument& argument) {
  for_each_torch_slot(argument, path_, [&](std::string* name, ValueName::Table kind) {
    if (argument.kind() == Argument::as_optional_tensors) {
      fail("unknown argument type OptionalTensorArgument of a value that is defined", path_);
    }
    if (name == nullptr) return;
    TableNames& table = tables_[static_cast<std::size_t>(kind)];
    const Number old_number = numbers_.find(*name);
    if (old_number != kNone && new_numbers_[old_number] != kNone) {
      fail(symbol(*name) + " already in name_table", path_);
    }
    if (old_number >= table.entry_of.size() || table.entry_of[old_number] == kNone) {
      fail(symbol(*name) + " not in the graph's values", path_);
    }
    const Number new_number = defined_++;
    const Number entry = std::exchange(table.entry_of[old_number], kNone);
    new_numbers_[old_number] = new_number;
    definitions_.emplace_back(name, new_number);
    const Number taken = numbers_.find(numbered(new_number));
    if (taken == kNone) {
      table.renamed.emplace_back(new_number, entry);
    } else {
      if (table.entry_of.size() <= taken) table.entry_of.resize(taken + 1, kNone);
      table.entry_of[taken] = entry;
    }
  });
}

void TorchGraph::name_definitions() {
  for_each_table(graph_, [&](const auto& table, ValueName::Table kind) { enter_table(table, kind); });
  new_numbers_.assign(names_.size(), kNone);
  for (Argument& input : graph_.inputs) name_definition(input);
  for (Node& node : graph_.nodes) {
    for (Argument& output : node.outputs) name_definition(output);
  }
}

/// Moves the entries of `table` to `old`, and back under their new names.
template <class T>
void TorchGraph::rename_table(schemagen::Map<T>& old, schemagen::Map<T>& table, ValueName::Table kind) {
  old = std::move(table);
  const TableNames& names = tables_[static_cast<std::size_t>(kind)];
  std::vector<std::pair<std::string, Number>> entries;  // new key, index of the old one
  entries.reserve(names.entries);
  for (Number number = 0; number < names.entry_of.size(); ++number) {
    if (names.entry_of[number] != kNone) entries.emplace_back(names_[number], names.entry_of[number]);
  }
  for (const auto& [new_number, entry] : names.renamed) entries.emplace_back(numbered(new_number), entry);
  std::sort(entries.begin(), entries.end());
  std::vector<T*> values;
  values.reserve(old.size());
  for (auto entry : old) values.push_back(&entry.value);
  table = {};
  table.reserve(entries.size());
  for (auto& [key, entry] : entries) *table.try_emplace(std::move(key)).first = std::move(*values[entry]);
}

void TorchGraph::rename() {
  std::vector<std::pair<std::string*, Number>> uses;
  const auto collect = [&](std::string* name, ValueName::Table) {
    if (name == nullptr) return;
    const Number number = numbers_.find(*name);
    if (number != kNone && new_numbers_[number] != kNone) uses.emplace_back(name, new_numbers_[number]);
  };
  for (Node& node : graph_.nodes) {
    for (NamedArgument& input : node.inputs) for_each_torch_slot(input.arg, path_, collect);
    node.metadata.clear();
  }
  for (Argument& output : graph_.outputs) for_each_torch_slot(output, path_ + ".outputs", collect);

  // Names are looked up in the old tables until all are made anew.
  Graph old;
  for_each_table(old, graph_, [&](auto& old_table, auto& table, ValueName::Table kind) {
    rename_table(old_table, table, kind);
  });
  for (const auto& [name, number] : definitions_) *name = numbered(number);
  for (const auto& [name, number] : uses) *name = numbered(number);
  rename_subgraphs();
}

void canonicalize_graph(Graph& graph, const std::string& path) {
  TorchGraph names(graph, path);
  names.sort_nodes();
  names.name_definitions();
  names.rename();
}

void TorchGraph::rename_subgraphs() {
  std::size_t count = 0;
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    for (std::size_t j = 0; j < graph_.nodes[i].inputs.size(); ++j) {
      auto* const subgraph = graph_.nodes[i].inputs[j].arg.get_if<Argument::as_graph>();
      if (subgraph == nullptr) continue;
      std::string path = path_ + ".nodes";
      schemagen::append_index(path, order_[i]);
      path += ".inputs";
      schemagen::append_index(path, j);
      canonicalize_graph(*subgraph->graph, path + ".arg.as_graph.graph");
      subgraph->name = "_g" + std::to_string(count++);
    }
  }
}

// ---- The signature ----

/// The place of an input or output: by what it stands for, then by its name there, then as it was.
struct SpecRank {
  int kind = 0;
  std::string_view name;
  std::size_t index = 0;

  friend bool operator<(const SpecRank& a, const SpecRank& b) {
    return std::tie(a.kind, a.name, a.index) < std::tie(b.kind, b.name, b.index);
  }
};

/// Torch's number of the kind.
int rank_of(InputSpec::Kind kind) {
  switch (kind) {
    case InputSpec::token:
      return 0;
    case InputSpec::parameter:
      return 1;
    case InputSpec::buffer:
      return 2;
    case InputSpec::tensor_constant:
      return 3;
    case InputSpec::custom_obj:
      return 4;
    case InputSpec::user_input:
      return 5;
    case InputSpec::constant_input:
      return 6;
    case InputSpec::unset:
      break;
  }
  fail("unknown input type", "graph_module.signature.input_specs");
}

int rank_of(OutputSpec::Kind kind) {
  switch (kind) {
    case OutputSpec::token:
      return 0;
    case OutputSpec::parameter_mutation:
      return 1;
    case OutputSpec::buffer_mutation:
      return 2;
    case OutputSpec::user_input_mutation:
      return 3;
    case OutputSpec::user_output:
    case OutputSpec::loss_output:
      return 4;
    case OutputSpec::gradient_to_parameter:
      return 5;
    case OutputSpec::gradient_to_user_input:
      return 6;
    case OutputSpec::unset:
      break;
  }
  fail("unknown output type", "graph_module.signature.output_specs");
}

template <class Spec>
SpecRank rank_of(const Spec& spec, std::size_t index) {
  const auto parts = parts_of(spec);
  SpecRank rank = {rank_of(parts.kind), {}, index};
  if (parts.target != nullptr && !parts.target_is_input) rank.name = *parts.target;
  if (parts.constant != nullptr) rank.name = *parts.name;
  return rank;
}

template <class T>
std::vector<T> reordered(std::vector<T>&& items, const std::vector<SpecRank>& order) {
  std::vector<T> result;
  result.reserve(items.size());
  for (const SpecRank& rank : order) result.push_back(std::move(items[rank.index]));
  return result;
}

/// Sorts the inputs or outputs of the graph together with what the signature says of them.
template <class Spec>
void sort_specs(std::vector<Argument>& arguments, std::vector<Spec>& specs, const std::string& what) {
  if (arguments.size() != specs.size()) {
    fail("graph." + what + "s length " + std::to_string(arguments.size()) + " != signature." + what +
             "_specs length " + std::to_string(specs.size()),
         "graph_module");
  }
  std::vector<SpecRank> order;
  for (std::size_t i = 0; i < specs.size(); ++i) order.push_back(rank_of(specs[i], i));
  std::sort(order.begin(), order.end());
  arguments = reordered(std::move(arguments), order);
  specs = reordered(std::move(specs), order);
}

/// Renames what torch renames of a user input or output; `leaves_objects`: names of custom objects stay.
void rename_user_argument(Argument& argument, const TorchGraph& names, const std::string& path,
                          bool leaves_objects) {
  switch (argument.kind()) {
    case Argument::as_tensor:
    case Argument::as_sym_int:
    case Argument::as_sym_float:
      for_each_slot(argument, [&](std::string* name, ValueName::Table) {
        if (name != nullptr) *name = names.new_name(*name, path);
      });
      return;
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
  fail("unknown input type: " + std::string(name_of(argument.kind())), path);
}

template <class Spec>
void rename_spec(Spec& spec, const TorchGraph& names, const std::string& path) {
  const auto parts = parts_of(spec);
  if (parts.constant != nullptr) return;
  if (parts.argument != nullptr) {
    return rename_user_argument(*parts.argument, names, path, std::is_same_v<Spec, InputSpec>);
  }
  *parts.name = names.new_name(*parts.name, path);
  if (parts.target_is_input) *parts.target = names.new_name(*parts.target, path);
}

template <class Spec>
void rename_specs(std::vector<Spec>& specs, const TorchGraph& names, const std::string& path) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    std::string spec_path = path;
    schemagen::append_index(spec_path, i);
    rename_spec(specs[i], names, spec_path);
  }
}

}  // namespace

ExportedProgram canonical_torch(ExportedProgram program) {
  GraphModule& module = program.graph_module;
  sort_by_key(program.opset_version);
  sort_by_key(program.range_constraints);
  std::sort(program.guards_code.begin(), program.guards_code.end());
  std::stable_sort(module.module_call_graph.begin(), module.module_call_graph.end(),
                   [](const ModuleCallEntry& a, const ModuleCallEntry& b) { return a.fqn < b.fqn; });
  sort_specs(module.graph.inputs, module.signature.input_specs, "input");
  sort_specs(module.graph.outputs, module.signature.output_specs, "output");
  if (module.graph.outputs.empty()) {
    fail("not enough values to unpack, as the graph has no outputs", "graph_module.graph.outputs");
  }
  TorchGraph names(module.graph, "graph_module.graph");
  names.sort_nodes();
  names.name_definitions();
  rename_specs(module.signature.input_specs, names, "graph_module.signature.input_specs");
  rename_specs(module.signature.output_specs, names, "graph_module.signature.output_specs");
  names.rename();
  module.metadata.clear();
  module.treespec_namedtuple_fields.clear();
  return program;
}

}  // namespace pt2
