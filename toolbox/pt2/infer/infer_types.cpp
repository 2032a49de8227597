#include "pt2/infer/infer_types.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/infer/vmaps.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/map.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

struct SymbolValues {
  const Bindings& hints;
  SizeTexts& texts;
};

/// torch writes the same size in several ways where a guard makes them equal. Two expressions are therefore
/// compared by hints alone, unless the types of inputs have changed.
bool is_same_size(const Size& stated, const Size& inferred, const SymbolValues& values, bool is_fresh) {
  if (!may_equal(stated, inferred, values.hints)) return false;
  const bool has_guard = !stated.number() || inferred.has_functions();
  return (!is_fresh && has_guard) || may_equal(stated, inferred, values.texts.other_hints(values.hints));
}

bool is_same_shape(const TensorType& stated, const TensorType& inferred, const SymbolValues& values,
                   bool is_fresh) {
  return stated.dtype == inferred.dtype &&
         std::equal(stated.sizes.begin(), stated.sizes.end(), inferred.sizes.begin(), inferred.sizes.end(),
                    [&](const Size& a, const Size& b) { return is_same_size(a, b, values, is_fresh); });
}

bool are_same_strides(const TensorType& a, const TensorType& b, const SymbolValues& values) {
  for (std::size_t i = 0; i < a.strides.size() && i < b.strides.size(); ++i) {
    if (!a.sizes[i].is(1) && !is_same_size(a.strides[i], b.strides[i], values, true)) return false;
  }
  return true;
}

std::vector<ValueType> flat_types(const std::vector<ValueType>& types) {
  std::vector<ValueType> flat;
  for (const ValueType& type : types) {
    if (const auto* const tensors = std::get_if<std::vector<TensorType>>(&type)) {
      flat.insert(flat.end(), tensors->begin(), tensors->end());
    } else if (!std::holds_alternative<std::monostate>(type)) {
      flat.push_back(type);
    }
  }
  return flat;
}

struct InferredGraph {
  InferredGraph(Graph& inferred, const Autocast& within)
      : graph(inferred), autocast(within), hints(hints_of(inferred)), values{hints, texts} {}
  InferredGraph(const InferredGraph&) = delete;

  Graph& graph;
  const Autocast autocast;
  const Bindings hints;
  SizeTexts texts;
  const SymbolValues values;
  schemagen::Map<bool> changed;
  Vmaps vmaps;
};

class TypeInference {
 public:
  /// `before` is the unedited graph; null recomputes all nodes.
  TypeInference(const OperatorSet& operators, const Graph* before) : operators_(operators) {
    if (before == nullptr) return;
    before_.emplace();
    for (const auto& [name, meta] : before->tensor_values) metas_.insert(name, meta);
    for (const Node& node : before->nodes) {
      if (const std::string* const name = first_name(node.outputs)) before_->insert(*name, &node);
    }
  }

  std::vector<std::string> run(Graph& graph) {
    InferredGraph inferred(graph, {});
    if (before_) {
      for_each_name(graph.inputs, [&](const std::string& name) {
        const TensorMeta* const now = graph.tensor_values.find(name);
        const TensorMeta* const old = metas_.find(name);
        if (now != nullptr && old != nullptr && !(*now == *old)) inferred.changed.try_emplace(name);
      });
    }
    infer_nodes(inferred, !before_);
    return std::move(names_);
  }

 private:
  void infer_nodes(InferredGraph& inferred, bool is_all) {
    for (Node& node : inferred.graph.nodes) {
      const bool has_changed_input = uses_changed(node, inferred);
      const bool is_edited = is_new(node);
      try {
        inferred.vmaps.follow(node, operators_.find(node.target), inferred.graph, inferred.hints,
                              inferred.texts);
      } catch (const schemagen::DataError& error) {
        const std::string* const name = first_name(node.outputs);
        if (name != nullptr && (has_changed_input || is_edited)) fail(node, *name, error.reason());
      }
      if (is_all || has_changed_input || is_edited) infer(node, inferred, has_changed_input, is_edited);
    }
  }

  bool is_new(const Node& node) const {
    if (!before_) return false;
    const std::string* const name = first_name(node.outputs);
    const Node* const* const old = name == nullptr ? nullptr : before_->find(*name);
    return old == nullptr || !(**old == node);
  }

  static bool uses_changed(const Node& node, const InferredGraph& inferred) {
    bool is_found = false;
    for_each_name(node.inputs,
                  [&](const std::string& name) { is_found = is_found || inferred.changed.contains(name); });
    return is_found;
  }

  void infer(Node& node, InferredGraph& inferred, bool has_changed_input, bool is_edited) {
    const bool has_changed_graph = infer_subgraphs(node, inferred);
    const Operator* const op = operators_.find(node.target);
    if (op != nullptr && op->returns.empty() && !op->returns_more) return;
    const std::vector<std::string> names = names_in(node.outputs);
    if (names.empty()) return;
    const bool must_infer = has_changed_input || has_changed_graph || lacks_type(node, inferred.graph);
    std::optional<std::vector<ValueType>> types;
    std::string why =
        op == nullptr ? "the operator is unknown" : "there is no inference rule for the operator";
    try {
      if (op != nullptr) {
        types = infer_results(node, operators_.inferred_as(*op), inferred.graph, inferred.hints,
                              inferred.autocast, &inferred.texts);
      }
      if (types) types = flat_types(*types);
      if (types && types->size() != names.size()) {
        why = "expected " + schemagen::counted(types->size(), "result") + ", got " +
              std::to_string(names.size());
        types.reset();
      }
      for (std::size_t i = 0; types && i < names.size(); ++i) {
        set_type(names[i], (*types)[i], inferred, must_infer);
      }
    } catch (const schemagen::DataError& error) {
      if (must_infer || is_edited) fail(node, names.front(), error.reason());
      return;
    }
    if (!types && must_infer) fail(node, names.front(), why);
  }

  [[noreturn]] static void fail(const Node& node, const std::string& name, const std::string& why) {
    throw schemagen::DataError("cannot infer the type of " + schemagen::quoted(name) + ", a result of " +
                               node.target + ": " + why);
  }

  static bool lacks_type(const Node& node, const Graph& graph) {
    bool is_found = false;
    for (const Argument& output : node.outputs) {
      for_each_slot(output, [&](const std::string* name, ValueName::Table table) {
        if (name == nullptr || table == ValueName::Table::custom_objects) return;
        const ValueMeta meta = find_value(graph, *name);
        const bool is_known = meta.sym_int != nullptr || meta.sym_float != nullptr ||
                              meta.sym_bool != nullptr ||
                              (meta.tensor != nullptr && meta.tensor->dtype != ScalarType::UNKNOWN);
        is_found = is_found || !is_known;
      });
    }
    return is_found;
  }

  void set_type(const std::string& name, const ValueType& type, InferredGraph& inferred, bool is_fresh) {
    Graph& graph = inferred.graph;
    if (const auto* const tensor = std::get_if<TensorType>(&type)) {
      const bool is_new = graph.tensor_values.try_emplace(name).second;
      set_tensor(name, graph.tensor_values[name], *tensor, inferred, is_fresh || is_new);
    } else if (const auto* const number = std::get_if<SymInt>(&type)) {
      const Size size(*number);
      const SymInt* const stated = graph.sym_int_values.find(name);
      if (stated != nullptr && is_same_size(inferred.texts.size(*stated), size, inferred.values, is_fresh))
        return;
      graph.sym_int_values[name] = size.sym_int(inferred.hints);
      mark(name, inferred);
    } else if (const auto* const real = std::get_if<SymFloat>(&type)) {
      fill(graph.sym_float_values, name, *real, inferred);
    } else if (const auto* const truth = std::get_if<SymBool>(&type)) {
      fill(graph.sym_bool_values, name, *truth, inferred);
    }
  }

  template <class Table, class Value>
  void fill(Table& table, const std::string& name, const Value& value, InferredGraph& inferred) {
    if (table.contains(name)) return;
    table[name] = value;
    mark(name, inferred);
  }

  void set_tensor(const std::string& name, TensorMeta& meta, const TensorType& type, InferredGraph& inferred,
                  bool is_fresh) {
    const TensorType stated(meta, inferred.texts);
    const bool is_same_type = is_same_shape(stated, type, inferred.values, is_fresh);
    if (is_same_type && !is_fresh) return;
    if (is_same_type && are_same_strides(stated, type, inferred.values) && meta.device == type.device) return;
    TensorMeta made = type.meta(inferred.hints);
    made.requires_grad = meta.requires_grad;
    meta = std::move(made);
    mark(name, inferred);
  }

  void mark(const std::string& name, InferredGraph& inferred) {
    inferred.changed.try_emplace(name);
    names_.push_back(name);
  }

  bool infer_subgraphs(Node& node, const InferredGraph& inferred) {
    const std::size_t before = names_.size();
    const bool is_map = node.target == "torch.ops.higher_order.map_impl";
    const std::vector<std::string> operands = names_in_inputs(node);
    for (NamedArgument& input : node.inputs) {
      for_each_subgraph(input.arg, [&](GraphArgument& subgraph) {
        InferredGraph inner(*subgraph.graph, autocast_within(node, inferred.autocast));
        const std::vector<std::string> inputs = names_in(inner.graph.inputs);
        for (std::size_t i = 0; i < operands.size(); ++i) {
          if (!inferred.changed.contains(operands[i])) continue;
          if (is_map || inputs.size() != operands.size()) {
            fail(node, operands[i], "the subgraph's inputs do not match the node's operands");
          }
          pass(operands[i], inferred, inputs[i], inner);
        }
        infer_nodes(inner, true);
      });
    }
    return names_.size() != before;
  }

  static std::vector<std::string> names_in_inputs(const Node& node) {
    std::vector<std::string> names;
    const bool is_condition_first = node.target == "torch.ops.higher_order.cond";
    for (std::size_t i = is_condition_first ? 1 : 0; i < node.inputs.size(); ++i) {
      for_each_name(node.inputs[i], [&](const std::string& name) { names.push_back(name); });
    }
    return names;
  }

  void pass(const std::string& operand, const InferredGraph& outer, const std::string& input,
            InferredGraph& inner) {
    const TensorMeta* const given = outer.graph.tensor_values.find(operand);
    TensorMeta* const taken = inner.graph.tensor_values.find(input);
    if (given == nullptr || taken == nullptr || *given == *taken) return;
    const bool requires_grad = taken->requires_grad;
    *taken = *given;
    taken->requires_grad = requires_grad;
    mark(input, inner);
  }

  const OperatorSet& operators_;
  std::optional<schemagen::Map<const Node*>> before_;
  schemagen::Map<TensorMeta> metas_;
  std::vector<std::string> names_;
};

std::vector<std::string> infer_graph(ExportedProgram& program, const Graph* before,
                                     const OperatorSet& operators) {
  ExportedProgram copy = program;
  std::vector<std::string> names = TypeInference(operators, before).run(copy.graph_module.graph);
  if (!names.empty()) program = std::move(copy);
  return names;
}

}  // namespace

std::vector<StaleType> stale_results(const Node& node, const Operator& op, const Graph& graph,
                                     const Bindings& hints, const Autocast& autocast, SizeTexts& texts,
                                     std::string* fault) {
  std::vector<StaleType> stale;
  const std::vector<std::string> names = names_in(node.outputs);
  if (names.empty()) return stale;
  try {
    const auto types = infer_results(node, op, graph, hints, autocast, &texts);
    const std::vector<ValueType> flat = types ? flat_types(*types) : std::vector<ValueType>();
    if (flat.size() != names.size()) return stale;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto* const inferred = std::get_if<TensorType>(&flat[i]);
      const TensorMeta* const meta = graph.tensor_values.find(names[i]);
      if (inferred == nullptr || meta == nullptr) continue;
      const TensorType stated(*meta, texts);
      if (stated.dtype == inferred->dtype && stated.sizes == inferred->sizes) continue;
      if (!is_same_shape(stated, *inferred, {hints, texts}, false))
        stale.push_back({names[i], inferred->meta(hints)});
    }
  } catch (const ShapeError& error) {
    if (fault != nullptr) *fault = error.reason();
    return {};
  } catch (const schemagen::DataError&) {
    return {};
  }
  return stale;
}

std::vector<std::string> infer_types(ExportedProgram& program, const OperatorSet& operators) {
  return infer_graph(program, nullptr, operators);
}

std::vector<std::string> infer_types(ExportedProgram& program, const ExportedProgram& before,
                                     const OperatorSet& operators) {
  return infer_graph(program, &before.graph_module.graph, operators);
}

}  // namespace pt2
