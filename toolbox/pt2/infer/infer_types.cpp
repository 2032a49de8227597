#include "pt2/infer/infer_types.h"

#include <algorithm>
#include <cmath>

#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/infer/rules.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/affix.h"
#include "pt2/text/join.h"
#include "schemagen/base/counted.h"
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

/// Returns the number that a symbolic float or bool has, or nullopt if it depends on data.
template <class Value>
std::optional<double> number_of(const Value& value, const Bindings& hints) {
  const auto* const expression = value.template get_if<Value::as_expr>();
  if (expression == nullptr) return {};
  try {
    const ExpressionValue known = evaluate(parse_expression(expression->expr_str), hints);
    return known.kind == ExpressionValue::Kind::real
               ? known.real
               : static_cast<double>(known.numerator) / static_cast<double>(known.denominator);
  } catch (const schemagen::DataError&) {
    return {};
  }
}

template <class Value>
bool may_be_same(const Value& a, const Value& b, const Bindings& hints) {
  const auto left = number_of(a, hints);
  const auto right = number_of(b, hints);
  return !left || !right || !(std::abs(*left - *right) > 1e-9 * std::abs(*left));  // torch rounds elsewhere
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

/// Returns the types of `names`, the values that `node` defines, or nothing and the reason why.
std::vector<ValueType> types_of(const std::vector<std::string>& names, const Node& node, const Operator* op,
                                const Graph& graph, const SymbolValues& values, const Autocast& autocast,
                                std::string& why) {
  why = op == nullptr ? "the operator is unknown" : "there is no inference rule for the operator";
  if (op == nullptr) return {};
  const auto types = infer_results(node, *op, graph, values.hints, autocast, &values.texts);
  if (!types) return {};
  std::vector<ValueType> flat = flat_types(*types);
  if (flat.size() == names.size()) return flat;
  why = "expected " + schemagen::counted(flat.size(), "result") + ", got " + std::to_string(names.size());
  return {};
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
  Sizes vmaps;
};

class TypeInference {
 public:
  /// `before` is the unedited graph; null recomputes all nodes.
  TypeInference(const OperatorSet& operators, const Graph* before, bool must_succeed)
      : operators_(operators), graph_before_(before), must_succeed_(must_succeed) {
    if (before == nullptr) return;
    for (const Node& node : before->nodes) {
      if (const std::string* const name = first_name(node.outputs)) before_.insert(*name, &node);
    }
  }

  std::vector<std::string> run(Graph& graph) {
    InferredGraph inferred(graph, {});
    if (graph_before_ != nullptr) {
      for_each_name(graph.inputs, [&](const std::string& name) {
        for_each_table(graph, *graph_before_, [&](const auto& now, const auto& old, ValueName::Table table) {
          const auto* const value = now.find(name);
          const auto* const value_before = old.find(name);
          const bool is_in_both = value != nullptr && value_before != nullptr;
          if (table != ValueName::Table::custom_objects && is_in_both && !(*value == *value_before))
            inferred.changed.try_emplace(name);
        });
      });
    }
    infer_nodes(inferred, graph_before_ == nullptr);
    return std::move(names_);
  }

 private:
  void infer_nodes(InferredGraph& inferred, bool is_all) {
    for (Node& node : inferred.graph.nodes) {
      bool has_changed_input = false;
      for_each_name(node.inputs, [&](const std::string& name) {
        has_changed_input = has_changed_input || inferred.changed.contains(name);
      });
      const bool is_edited = is_new(node);
      try {
        follow_vmaps(inferred.vmaps, node, operators_.find(node.target), inferred.graph, inferred.hints,
                     inferred.texts);
      } catch (const schemagen::DataError& error) {
        const std::string* const name = first_name(node.outputs);
        if (name != nullptr && (has_changed_input || is_edited)) fail(node, *name, error.reason());
      }
      if (is_all || has_changed_input || is_edited || lacks_type(node, inferred.graph))
        infer(node, inferred, has_changed_input, is_edited);
    }
  }

  bool is_new(const Node& node) const {
    const std::string* const name = first_name(node.outputs);
    const Node* const* const old = name == nullptr ? nullptr : before_.find(*name);
    return graph_before_ != nullptr && (old == nullptr || !(**old == node));
  }

  void infer(Node& node, InferredGraph& inferred, bool has_changed_input, bool is_edited) {
    const bool has_changed_graph = infer_subgraphs(node, inferred);
    const Operator* const op = operators_.find(node.target);
    if (op != nullptr && op->returns.empty() && !op->returns_more) return;
    const std::vector<std::string> names = names_in(node.outputs);
    if (names.empty()) return;
    const bool must_infer = has_changed_input || has_changed_graph || lacks_type(node, inferred.graph);
    std::string why;
    try {
      const Operator* const as = op == nullptr ? nullptr : &operators_.inferred_as(*op);
      const auto types = types_of(names, node, as, inferred.graph, inferred.values, inferred.autocast, why);
      for (std::size_t i = 0; i < types.size(); ++i) set_type(names[i], types[i], inferred, must_infer);
      if (!types.empty()) return;
    } catch (const schemagen::DataError& error) {
      if (must_infer || is_edited) fail(node, names.front(), error.reason());
      return;
    }
    if (must_infer) fail(node, names.front(), why);
  }

  void fail(const Node& node, const std::string& name, const std::string& why) const {
    if (!must_succeed_) return;
    throw schemagen::DataError("cannot infer the type of " + schemagen::quoted(name) + ", a result of " +
                               node.target + ": " + why);
  }

  static bool lacks_type(const Node& node, const Graph& graph) {
    bool is_found = false;
    for_each_name(node.outputs, [&](const std::string& name, ValueName::Table table) {
      if (table == ValueName::Table::custom_objects) return;
      const ValueMeta meta = find_value(graph, name);
      const bool is_known = meta.sym_int != nullptr || meta.sym_float != nullptr ||
                            meta.sym_bool != nullptr ||
                            (meta.tensor != nullptr && meta.tensor->dtype != ScalarType::UNKNOWN);
      is_found = is_found || !is_known;
    });
    return is_found;
  }

  void set_type(const std::string& name, const ValueType& type, InferredGraph& inferred, bool is_fresh) {
    Graph& graph = inferred.graph;
    if (const auto* const tensor = std::get_if<TensorType>(&type)) {
      const TensorMeta* const stated = graph.tensor_values.find(name);
      if (stated != nullptr && is_same_tensor(*stated, *tensor, inferred, is_fresh)) return;
      TensorMeta made = tensor->meta(inferred.hints);
      made.requires_grad = stated != nullptr && stated->requires_grad;
      graph.tensor_values[name] = std::move(made);
    } else if (const auto* const number = std::get_if<SymInt>(&type)) {
      const Size size(*number);
      const SymInt* const stated = graph.sym_int_values.find(name);
      if (stated != nullptr && is_same_size(inferred.texts.size(*stated), size, inferred.values, is_fresh))
        return;
      graph.sym_int_values[name] = size.sym_int(inferred.hints);
    } else if (const auto* const real = std::get_if<SymFloat>(&type)) {
      if (is_same_expression(graph.sym_float_values.find(name), *real, inferred.values, is_fresh)) return;
      graph.sym_float_values[name] = *real;
    } else if (const auto* const truth = std::get_if<SymBool>(&type)) {
      if (is_same_expression(graph.sym_bool_values.find(name), *truth, inferred.values, is_fresh)) return;
      graph.sym_bool_values[name] = *truth;
    }
    mark(name, inferred);
  }

  template <class Value>
  static bool is_same_expression(const Value* stated, const Value& value, const SymbolValues& values,
                                 bool is_fresh) {
    return stated != nullptr &&
           (*stated == value || (!is_fresh && may_be_same(*stated, value, values.hints) &&
                                 may_be_same(*stated, value, values.texts.other_hints(values.hints))));
  }

  static bool is_same_tensor(const TensorMeta& stated, const TensorType& type, const InferredGraph& inferred,
                             bool is_fresh) {
    const TensorType recorded(stated, inferred.values.texts);
    return is_same_shape(recorded, type, inferred.values, is_fresh) &&
           (!is_fresh || (are_same_strides(recorded, type, inferred.values) && stated.device == type.device));
  }

  void mark(const std::string& name, InferredGraph& inferred) {
    inferred.changed.try_emplace(name);
    names_.push_back(name);
  }

  bool infer_subgraphs(Node& node, const InferredGraph& inferred) {
    const std::size_t before = names_.size();
    const std::vector<Operand> operands = operands_of(node);
    for (NamedArgument& input : node.inputs) {
      for_each_subgraph(input.arg, [&](GraphArgument& subgraph) {
        InferredGraph inner(*subgraph.graph, autocast_within(node, inferred.autocast));
        const std::vector<std::string> inputs = names_in(inner.graph.inputs);
        for (std::size_t i = 0; i < operands.size(); ++i) {
          const auto& [name, is_stacked] = operands[i];
          if (!inferred.changed.contains(name)) continue;
          if (inputs.size() != operands.size() || !pass(name, is_stacked, inferred, inputs[i], inner)) {
            fail(node, name, "the subgraph's inputs do not match the node's operands");
          }
        }
        infer_nodes(inner, true);
      });
    }
    return names_.size() != before;
  }

  /// The value's name, and whether the subgraph takes it apart along the first dim.
  using Operand = std::pair<std::string, bool>;

  static std::vector<Operand> operands_of(const Node& node) {
    std::vector<Operand> operands;
    const bool is_condition_first = node.target == "torch.ops.higher_order.cond";
    const std::size_t stacked = node.target == "torch.ops.higher_order.map_impl" ? 1
                                : node.target == "torch.ops.higher_order.scan"   ? 2
                                                                                 : node.inputs.size();
    for (std::size_t i = is_condition_first ? 1 : 0; i < node.inputs.size(); ++i) {
      for_each_name(node.inputs[i],
                    [&](const std::string& name) { operands.emplace_back(name, i == stacked); });
    }
    return operands;
  }

  /// Returns whether the input can have the operand's type.
  bool pass(const std::string& operand, bool is_stacked, const InferredGraph& outer, const std::string& input,
            InferredGraph& inner) {
    bool is_passed = false;
    for_each_table(outer.graph, inner.graph, [&](const auto& from, auto& to, ValueName::Table) {
      const auto* const given = from.find(operand);
      auto* const taken = to.find(input);
      if (given == nullptr || taken == nullptr) return;
      auto value = *given;
      if constexpr (std::is_same_v<decltype(value), TensorMeta>) {
        value.requires_grad = taken->requires_grad;
        if (is_stacked) {
          if (value.sizes.empty() || value.strides.empty()) return;
          value.sizes.erase(value.sizes.begin());
          value.strides.erase(value.strides.begin());
        }
      }
      is_passed = true;
      if (*taken == value) return;
      *taken = std::move(value);
      mark(input, inner);
    });
    return is_passed;
  }

  const OperatorSet& operators_;
  const Graph* const graph_before_;
  const bool must_succeed_;
  schemagen::Map<const Node*> before_;  // by the first result
  std::vector<std::string> names_;
};

std::vector<std::string> infer_graph(ExportedProgram& program, const Graph* before,
                                     const OperatorSet& operators, bool must_succeed = true) {
  ExportedProgram copy = program;
  std::vector<std::string> names =
      TypeInference(operators, before, must_succeed).run(copy.graph_module.graph);
  if (!names.empty()) program = std::move(copy);
  return names;
}

std::string list_text(const std::vector<SymInt>& numbers) {
  return "[" + join_texts(numbers, ", ", sym_int_text) + "]";
}

class Comparing {
 public:
  Comparing(const std::string& torch, const OperatorSet& operators) : torch_(torch), operators_(operators) {}

  /// `around` names the nodes that take the graph, as TypeDifference::where does.
  void compare(const Graph& graph, const std::string& around, const Autocast& autocast) {
    const Bindings hints = hints_of(graph);
    SizeTexts texts;
    for (const Node& node : graph.nodes) {
      const std::string* const result = first_name(node.outputs);
      const std::string name = node.name ? *node.name : result == nullptr ? node.target : *result;
      compare(node, around + name, graph, {hints, texts}, autocast);
      for_each_subgraph(node, [&](const GraphArgument& inner) {
        compare(*inner.graph, around + name + "/" + inner.name + "/", autocast_within(node, autocast));
      });
    }
  }

  TypeComparison made;

 private:
  void compare(const Node& node, const std::string& where, const Graph& graph, const SymbolValues& values,
               const Autocast& autocast) {
    const Operator* op = operators_.find(node.target);
    if (op != nullptr) op = &operators_.inferred_as(*op);
    const std::vector<std::string> names = names_in(node.outputs);
    if (names.empty()) return;
    std::string why;
    try {
      const auto types = types_of(names, node, op, graph, values, autocast, why);
      if (!types.empty()) {
        ++made.nodes;
        const std::size_t before = made.differences.size();
        for (std::size_t i = 0; i < names.size(); ++i) {
          compare(graph, values, names[i], types[i], [&](auto... part) {
            made.differences.push_back({where, node.target, names[i], part...});
          });
        }
        const bool differs = made.differences.size() != before;
        if (differs && follow_lost_autocast(torch_, node, *op, graph, values.hints, values.texts))
          made.differences.resize(before);
        return;
      }
    } catch (const schemagen::DataError& error) {
      why = error.reason();
    }
    made.uninferred.push_back({where, node.target, std::move(why)});
  }

  /// Calls `differ(part, recorded, inferred)` for each part that differs.
  template <class Differ>
  static void compare(const Graph& graph, const SymbolValues& values, const std::string& name,
                      const ValueType& type, const Differ& differ) {
    const auto compare_part = [&](const char* part, const auto& recorded, const auto& inferred, auto text) {
      if (!(recorded == inferred)) differ(part, text(recorded), text(inferred));
    };
    const auto are_same = [&](const std::vector<SymInt>& stated, const std::vector<SymInt>& inferred) {
      return std::equal(stated.begin(), stated.end(), inferred.begin(), inferred.end(),
                        [&](const SymInt& a, const SymInt& b) {
                          return is_same_size(values.texts.size(a), values.texts.size(b), values, false);
                        });
    };
    if (const auto* const number = std::get_if<SymInt>(&type)) {
      const SymInt* const stated = graph.sym_int_values.find(name);
      if (stated == nullptr || !are_same({*stated}, {*number}))
        differ("value", stated == nullptr ? "none" : sym_int_text(*stated), sym_int_text(*number));
    }
    const auto* const tensor = std::get_if<TensorType>(&type);
    if (tensor == nullptr) return;
    const TensorMeta* const stated = graph.tensor_values.find(name);
    if (stated == nullptr) return differ("dtype", "none", dtype_text(tensor->dtype));
    const TensorMeta inferred = tensor->meta(values.hints);
    compare_part("dtype", stated->dtype, inferred.dtype, dtype_text);
    if (!are_same(stated->sizes, inferred.sizes)) {
      differ("sizes", list_text(stated->sizes), list_text(inferred.sizes));
    } else if (!are_same_strides({*stated, values.texts}, {inferred, values.texts}, values)) {
      differ("strides", list_text(stated->strides), list_text(inferred.strides));
    }
    compare_part("device", stated->device, inferred.device, device_text);
    compare_part("layout", stated->layout, inferred.layout, layout_text);
  }

  const std::string& torch_;
  const OperatorSet& operators_;
};

}  // namespace

std::vector<StaleType> stale_results(const Node& node, const Operator& op, const Graph& graph,
                                     const Bindings& hints, const Autocast& autocast, SizeTexts& texts,
                                     std::string* fault) {
  std::vector<StaleType> stale;
  const std::vector<std::string> names = names_in(node.outputs);
  std::string why;
  if (names.empty()) return stale;
  try {
    const auto types = types_of(names, node, &op, graph, {hints, texts}, autocast, why);
    for (std::size_t i = 0; i < types.size(); ++i) {
      const auto* const inferred = std::get_if<TensorType>(&types[i]);
      const TensorMeta* const meta = graph.tensor_values.find(names[i]);
      if (inferred == nullptr || meta == nullptr) continue;
      if (!is_same_shape(TensorType(*meta, texts), *inferred, {hints, texts}, false))
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

bool follow_lost_autocast(const std::string& torch, const Node& node, const Operator& op, const Graph& graph,
                          const Bindings& hints, SizeTexts& texts) {
  if (torch != ExportedProgram().torch_version && !starts_with(torch, "2.5.")) return false;
  for (const char* const device : {"cpu", "cuda"}) {
    for (const ScalarType dtype : {ScalarType::BFLOAT16, ScalarType::HALF}) {
      if (stale_results(node, op, graph, hints, {device, dtype}, texts).empty()) return true;
    }
  }
  return false;
}

TypeComparison compare_types(const ExportedProgram& program, const OperatorSet& operators) {
  Comparing comparing(program.torch_version, operators);
  comparing.compare(program.graph_module.graph, "", {});
  return std::move(comparing.made);
}

std::vector<std::string> infer_types(ExportedProgram& program, const OperatorSet& operators) {
  return infer_graph(program, nullptr, operators);
}

std::vector<std::string> infer_types(ExportedProgram& program, const ExportedProgram& before,
                                     const OperatorSet& operators) {
  return infer_graph(program, &before.graph_module.graph, operators);
}

std::vector<std::string> infer_known_types(ExportedProgram& program, const ExportedProgram& before,
                                           const OperatorSet& operators) {
  return infer_graph(program, &before.graph_module.graph, operators, false);
}

}  // namespace pt2
