#include "pt2/edit/extract.h"

#include <algorithm>
#include <set>

#include "pt2/edit/graph.h"
#include "pt2/edit/symbols.h"
#include "pt2/edit/torch_conventions.h"
#include "pt2/graph/effects.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/text/affix.h"
#include "pt2/text/symbolic_text.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

[[noreturn]] void cannot_extract(const std::string& message) {
  throw schemagen::UsageError("cannot extract: " + message);
}

int entered_levels(std::string_view target) {
  constexpr std::string_view kTransforms = "torch._functorch.predispatch.";
  if (!starts_with(target, kTransforms)) return 0;
  target.remove_prefix(kTransforms.size());
  if (target == "_add_batch_dim" || target == "_make_dual") return 1;
  return target == "_remove_batch_dim" || target == "_unpack_dual" ? -1 : 0;
}

bool measures(const Node& node, const std::set<std::string_view>& tensors) {
  if (node.target != "torch.ops.aten.sym_size.int" || node.inputs.size() != 2 || node.outputs.size() != 1) {
    return false;
  }
  const auto* const tensor = node.inputs[0].arg.get_if<Argument::as_tensor>();
  return tensor != nullptr && tensors.count(tensor->name) != 0;
}

const std::string* size_expression(const SymInt& size) {
  const auto* const expression = size.get_if<SymInt::as_expr>();
  return expression == nullptr ? nullptr : &expression->expr_str;
}

/// Makes a node that takes a size take it from one of `inputs`, if that has the same size.
bool measure_one_of(const std::vector<std::string>& inputs, const Graph& graph, Node& node) {
  const std::string* const result = first_name(node.outputs);
  const SymInt* const wanted = result == nullptr ? nullptr : graph.sym_int_values.find(*result);
  const std::string* const expression = wanted == nullptr ? nullptr : size_expression(*wanted);
  if (expression == nullptr) return false;
  for (const std::string& input : inputs) {
    const TensorMeta* const meta = graph.tensor_values.find(input);
    for (std::size_t i = 0; meta != nullptr && i < meta->sizes.size(); ++i) {
      const std::string* const size = size_expression(meta->sizes[i]);
      if (size == nullptr || *size != *expression) continue;
      node.inputs[0].arg = Argument::of<Argument::as_tensor>(TensorArgument{input});
      node.inputs[1].arg = Argument::of<Argument::as_int>(static_cast<std::int64_t>(i));
      return true;
    }
  }
  return false;
}

class Part {
 public:
  Part(const ExportedProgram& program, const std::vector<std::string>& inputs,
       const std::vector<std::string>& outputs, const OperatorSet& operators)
      : program_(program),
        operators_(operators),
        index_(program.graph_module.graph),
        is_given_(index_.size()),
        is_value_(index_.size()),
        is_node_(index_.node_count()),
        memory_(index_, operators) {
    index_.require_order("graph_module.graph");
    for (const std::string& name : inputs) {
      const std::uint32_t value = find(name);
      if (is_given_[value]) cannot_extract("the input " + schemagen::quoted(name) + " is given twice");
      require_loadable(value, name, "input");
      is_given_[value] = is_value_[value] = true;
    }
    find_measured(inputs);
    for (const std::string& name : outputs) {
      const std::uint32_t value = find(name);
      require_loadable(value, name, "output");
      need({value}, name);
      outputs_.push_back(value);
    }
    const bool is_start = std::all_of(inputs.begin(), inputs.end(), [&](const std::string& name) {
      return index_.is_input(index_.find(name));
    });
    begin_ = is_start ? 0 : time_of(inputs);
    end_ = time_of(outputs);
    require_outside_of_transforms();
    find_effects();
    while (add_writers()) {
    }
    add_checks();
    check_written();
  }

  bool has_node(std::size_t node) const { return is_node_[node]; }
  /// Returns the node, or one that takes the size of a program input that the part lacks from a part's input.
  const Node& node(std::size_t index) const {
    const auto found = measured_.find(index);
    return found == measured_.end() ? index_.graph().nodes[index] : found->second;
  }
  bool has(std::string_view name) const { return is_in(is_value_, name); }
  bool is_given(std::string_view name) const { return is_in(is_given_, name); }

 private:
  bool is_in(const std::vector<bool>& values, std::string_view name) const {
    const std::uint32_t value = index_.find(name);
    return value != GraphIndex::kNone && values[value];
  }

  std::uint32_t find(const std::string& name) const {
    const std::uint32_t value = index_.find(name);
    if (!index_.is_defined(value)) cannot_extract("the graph lacks the value " + schemagen::quoted(name));
    return value;
  }

  void require_loadable(std::uint32_t value, const std::string& name, const std::string& role) const {
    const ValueName::Table table = index_.table(value);
    const bool is_input = role == "input";
    const char* const kind = table == ValueName::Table::sym_bools                     ? "symbolic bool"
                             : table == ValueName::Table::sym_floats && is_input      ? "symbolic float"
                             : table == ValueName::Table::custom_objects && !is_input ? "custom object"
                                                                                      : nullptr;
    if (kind == nullptr) return;
    cannot_extract("the " + role + " " + schemagen::quoted(name) + " is a " + kind +
                   ", which torch cannot load; choose a part that does not need it");
  }

  /// How many nodes have run when all these values exist; for the program's own outputs, all.
  std::uint32_t time_of(const std::vector<std::string>& names) const {
    std::set<std::string_view> results;
    for (const OutputSpec& spec : program_.graph_module.signature.output_specs) {
      const auto parts = parts_of(spec);
      if (parts.kind == OutputSpec::user_output && parts.name != nullptr) results.insert(*parts.name);
    }
    if (!results.empty() && std::set<std::string_view>(names.begin(), names.end()) == results) {
      return index_.node_count();
    }
    std::uint32_t count = 0;
    for (const std::string& name : names) {
      const std::uint32_t node = index_.defining_node(index_.find(name));
      if (node != GraphIndex::kNone) count = std::max(count, node + 1);
    }
    return count;
  }

  std::string name(std::uint32_t value) const { return schemagen::quoted(index_.name(value)); }

  void need(std::vector<std::uint32_t> open, const std::string& why) {
    while (!open.empty()) {
      const std::uint32_t next = open.back();
      open.pop_back();
      if (is_value_[next]) continue;
      is_value_[next] = true;
      const std::uint32_t node = index_.defining_node(next);
      if (node == GraphIndex::kNone) {
        check_input(next, why);
      } else {
        add_node(node, why, open);
      }
    }
  }

  std::string remedy(std::uint32_t value) const {
    const auto is_it = [&](const GraphIndex::Use& use) { return use.value == value; };
    for (std::uint32_t node = 0; node < index_.node_count(); ++node) {
      const Slice<GraphIndex::Use> uses = index_.uses(node);
      if (!is_node_[node] || std::none_of(uses.begin(), uses.end(), is_it)) continue;
      if (index_.outputs_begin(node) == index_.outputs_end(node)) continue;
      return "; hint: add it, or " + name(index_.outputs_begin(node)) + ", which uses it";
    }
    return "";
  }

  void check_input(std::uint32_t value, const std::string& why) const {
    for (const InputSpec& spec : program_.graph_module.signature.input_specs) {
      const auto parts = parts_of(spec);
      if (parts.name == nullptr || *parts.name != index_.name(value)) continue;
      if (parts.target != nullptr) return;
      cannot_extract(schemagen::quoted(why) + " needs the program's input " + name(value) +
                     ", which is not an input of the part" + remedy(value));
    }
    cannot_extract(schemagen::quoted(why) + " needs " + name(value) + ", which is not defined");
  }

  void add_node(std::uint32_t node, const std::string& why, std::vector<std::uint32_t>& open) {
    if (is_node_[node]) return;
    is_node_[node] = true;
    for (std::uint32_t output = index_.outputs_begin(node); output < index_.outputs_end(node); ++output) {
      if (is_given_[output])
        cannot_extract(schemagen::quoted(why) + " needs the node that returns the input " + name(output));
      is_value_[output] = true;
    }
    if (measured_.count(node) != 0) return;
    for (const GraphIndex::Use& use : index_.uses(node)) open.push_back(use.value);
  }

  void find_measured(const std::vector<std::string>& inputs) {
    std::set<std::string_view> absent;
    for (const InputSpec& spec : program_.graph_module.signature.input_specs) {
      const auto parts = parts_of(spec);
      if (parts.name != nullptr && parts.target == nullptr) absent.insert(*parts.name);
    }
    for (const std::string& input : inputs) absent.erase(input);
    for (std::uint32_t i = 0; i < index_.node_count(); ++i) {
      if (!measures(node(i), absent)) continue;
      Node measuring = node(i);
      if (measure_one_of(inputs, index_.graph(), measuring)) measured_.emplace(i, std::move(measuring));
    }
  }

  /// Items of a batch have no meaning outside vmap.
  void require_outside_of_transforms() const {
    std::vector<int> levels(index_.size());
    for (std::uint32_t node = 0; node < index_.node_count(); ++node) {
      int inside = 0;
      for (const GraphIndex::Use& use : index_.uses(node)) inside = std::max(inside, levels[use.value]);
      inside += entered_levels(this->node(node).target);
      for (std::uint32_t out = index_.outputs_begin(node); out < index_.outputs_end(node); ++out) {
        levels[out] = inside;
      }
    }
    const auto check = [&](std::uint32_t value) {
      if (levels[value] <= 0) return;
      cannot_extract(name(value) + " is inside a torch.func transform (vmap, jvp); cut before or after it");
    };
    for (std::uint32_t value = 0; value < index_.size(); ++value) {
      if (is_given_[value]) check(value);
    }
    for (const std::uint32_t output : outputs_) check(output);
  }

  void find_effects() {
    for (const Node& node : index_.graph().nodes)
      calls_.emplace_back(operators_.find(node.target), has_effects(node, operators_));
    given_.assign(index_.size(), GraphIndex::kNone);
    for (std::uint32_t value = 0; value < index_.size(); ++value) {
      if (is_given_[value]) given_[memory_.find(value)] = value;
    }
  }

  bool may_write(std::uint32_t node, const GraphIndex::Use& use) const {
    return calls_[node].second && writes_input(this->node(node), use.input, calls_[node].first);
  }

  /// Adds nodes that write to memory that the part reads or returns later. Its inputs already include all
  /// writes before begin_.
  bool add_writers() {
    std::vector<std::uint32_t> last_reader(index_.size());
    for (std::uint32_t node = 0; node < index_.node_count(); ++node) {
      if (!is_node_[node]) continue;
      for (const GraphIndex::Use& use : index_.uses(node)) last_reader[memory_.find(use.value)] = node;
    }
    for (const std::uint32_t output : outputs_) last_reader[memory_.find(output)] = end_;
    std::vector<bool> is_there(index_.size());
    const auto define = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t value = begin; value < end; ++value) {
        if (is_value_[value]) is_there[memory_.find(value)] = true;
      }
    };
    bool is_new = false;
    define(0, index_.node_count() == 0 ? 0 : index_.outputs_begin(0));
    for (std::uint32_t node = 0; node < index_.node_count(); ++node) {
      const auto matters = [&](const GraphIndex::Use& use) {
        const std::uint32_t memory = memory_.find(use.value);
        return is_there[memory] && node < last_reader[memory] &&
               (node >= begin_ || given_[memory] == GraphIndex::kNone) && may_write(node, use);
      };
      const Slice<GraphIndex::Use> uses = index_.uses(node);
      const bool is_writer = std::any_of(uses.begin(), uses.end(), matters);
      if (!is_node_[node] && (is_writer || is_barrier(this->node(node)))) {
        is_new = true;
        std::vector<std::uint32_t> open;
        add_node(node, this->node(node).target, open);
        need(std::move(open), this->node(node).target);
      }
      define(index_.outputs_begin(node), index_.outputs_end(node));
    }
    return is_new;
  }

  /// Checks are nodes without results, such as assertions. Nodes that may write must be between inputs and
  /// outputs.
  void add_checks() {
    for (std::uint32_t node = 0; node < index_.node_count(); ++node) {
      const Slice<GraphIndex::Use> uses = index_.uses(node);
      const bool gives_nothing = index_.outputs_begin(node) == index_.outputs_end(node);
      const bool is_between = begin_ <= node && node < end_;
      const auto is_there = [&](const GraphIndex::Use& use) {
        return is_value_[use.value] && (is_between || !may_write(node, use));
      };
      if (gives_nothing && !uses.empty() && std::all_of(uses.begin(), uses.end(), is_there)) {
        is_node_[node] = true;
      }
    }
  }

  void check_written() {
    std::vector<std::uint32_t> last_writer(index_.size(), GraphIndex::kNone);
    for (std::uint32_t node = 0; node < begin_; ++node) {
      for (const GraphIndex::Use& use : index_.uses(node)) {
        if (may_write(node, use)) last_writer[memory_.find(use.value)] = node;
      }
    }
    const auto check = [&](std::uint32_t time, const std::string& what, std::uint32_t value) {
      const std::uint32_t memory = memory_.find(value);
      const std::uint32_t writer = last_writer[memory];
      if (given_[memory] == GraphIndex::kNone || writer == GraphIndex::kNone || writer < time) return;
      cannot_extract(what + " needs " + name(value) + " as it was before " +
                     schemagen::quoted(this->node(writer).target) +
                     ", which may write to it, but the input " + name(given_[memory]) +
                     " has the later value");
    };
    for (std::uint32_t node = 0; node < begin_; ++node) {
      if (!is_node_[node]) continue;
      const std::string what = schemagen::quoted(this->node(node).target);
      for (const GraphIndex::Use& use : index_.uses(node)) check(node, what, use.value);
      for (std::uint32_t out = index_.outputs_begin(node); out < index_.outputs_end(node); ++out) {
        check(node, what, out);
      }
    }
    for (const std::uint32_t output : outputs_) check(end_, "the output", output);
  }

  const ExportedProgram& program_;
  const OperatorSet& operators_;
  const GraphIndex index_;
  std::vector<std::uint32_t> outputs_;
  std::uint32_t begin_ = 0;  // earlier nodes have run when the inputs are available
  std::uint32_t end_ = 0;    // nodes from here on run after the outputs are read
  std::vector<bool> is_given_;
  std::vector<bool> is_value_;
  std::vector<bool> is_node_;
  std::map<std::size_t, Node> measured_;
  MemoryGroups memory_;
  std::vector<std::uint32_t> given_;                     // by memory: an input of the part that shares it
  std::vector<std::pair<const Operator*, bool>> calls_;  // by node, and whether it has effects
};

void add_inputs(const ExportedProgram& program, const Part& part, const std::vector<std::string>& inputs,
                GraphModule& module) {
  const GraphModule& old = program.graph_module;
  for (std::size_t i = 0; i < old.signature.input_specs.size() && i < old.graph.inputs.size(); ++i) {
    const auto parts = parts_of(old.signature.input_specs[i]);
    if (parts.target == nullptr || !part.has(*parts.name) || part.is_given(*parts.name)) continue;
    module.graph.inputs.push_back(old.graph.inputs[i]);
    module.signature.input_specs.push_back(old.signature.input_specs[i]);
  }
  for (const std::string& name : inputs) {
    module.graph.inputs.push_back(value_argument(old.graph, name));
    module.signature.input_specs.push_back(
        InputSpec::of<InputSpec::user_input>(UserInputSpec{module.graph.inputs.back()}));
  }
}

void add_outputs(const ExportedProgram& program, const Part& part, const std::vector<std::string>& outputs,
                 GraphModule& module) {
  const GraphModule& old = program.graph_module;
  std::set<std::string_view> targets;
  for (const InputSpec& spec : module.signature.input_specs) {
    const auto parts = parts_of(spec);
    if (parts.name != nullptr) targets.insert(*parts.name);
    if (parts.target != nullptr) targets.insert(*parts.target);
  }
  for (std::size_t i = 0; i < old.signature.output_specs.size() && i < old.graph.outputs.size(); ++i) {
    const auto parts = parts_of(old.signature.output_specs[i]);
    if (!is_mutation(parts.kind) || targets.count(*parts.target) == 0 || !part.has(*parts.name)) continue;
    module.graph.outputs.push_back(old.graph.outputs[i]);
    module.signature.output_specs.push_back(old.signature.output_specs[i]);
  }
  for (const std::string& name : outputs) {
    module.graph.outputs.push_back(value_argument(old.graph, name));
    module.signature.output_specs.push_back(
        OutputSpec::of<OutputSpec::user_output>(UserOutputSpec{module.graph.outputs.back()}));
  }
}

void add_nodes(const Graph& old, const Part& part, Graph& graph) {
  for (std::size_t i = 0; i < old.nodes.size(); ++i) {
    if (part.has_node(i)) graph.nodes.push_back(part.node(i));
  }
  for_each_table(old, graph, [&](const auto& from, auto& to, ValueName::Table) {
    for (const auto& [name, value] : from) {
      if (part.has(name)) to.insert(name, value);
    }
  });
}

void add_ranges(const schemagen::Map<RangeConstraint>& ranges, ExportedProgram& extracted) {
  const schemagen::Map<bool> symbols = symbols_of(extracted);
  for (const auto& [text, range] : ranges) {
    bool is_known = true;
    SymbolicText(text).for_each_symbol(
        [&](std::string_view symbol) { is_known = is_known && symbols.contains(symbol); });
    if (is_known) extracted.range_constraints.insert(text, range);
  }
}

void require_sound(const ExportedProgram& part, const OperatorSet& operators) {
  for (const Finding& finding : verify(part, operators)) {
    if (finding.severity != Severity::error) continue;
    cannot_extract("the part would be invalid: " + finding.path + ": " + finding.message + " [" +
                   rule_of(finding.rule).id + "]");
  }
}

}  // namespace

ExportedProgram extract(const ExportedProgram& program, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs, const OperatorSet& operators) {
  if (outputs.empty()) cannot_extract("expected at least one output");
  const Part part(program, inputs, outputs, operators);
  const GraphModule& old = program.graph_module;
  ExportedProgram extracted;
  extracted.opset_version = program.opset_version;
  extracted.schema_version = program.schema_version;
  extracted.verifiers = program.verifiers;
  extracted.torch_version = program.torch_version;
  GraphModule& module = extracted.graph_module;
  module.metadata = old.metadata;
  add_inputs(program, part, inputs, module);
  add_outputs(program, part, outputs, module);
  add_nodes(old.graph, part, module.graph);
  extracted.range_constraints = program.range_constraints;
  free_sizes(extracted, old.signature);
  const auto ranges = std::exchange(extracted.range_constraints, {});
  add_ranges(ranges, extracted);
  module.module_call_graph.push_back(root_call(inputs.size(), outputs.size()));
  for (const ModuleCallEntry& call : old.module_call_graph) {
    if (!call.fqn.empty()) module.module_call_graph.push_back({call.fqn, std::nullopt});
  }
  require_sound(extracted, operators);
  return extracted;
}

}  // namespace pt2
