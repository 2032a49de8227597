#include "pt2/edit/graph.h"

#include <mutex>

#include "program_value.h"
#include "pt2/edit/builder.h"
#include "pt2/edit/passes.h"
#include "pt2/edit/symbols.h"
#include "pt2/infer/infer_types.h"
#include "pt2/nodes/modules.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/verify/verify.h"

namespace pt2::python {
namespace {

/// Ignores values without a type. With `only_known`, also those that `to` lacks: they were removed or
/// renamed.
void copy_types(const Graph& from, const std::vector<std::string>& names, Graph& to,
                bool only_known = false) {
  for_each_table(from, to, [&](const auto& types, auto& table, ValueName::Table) {
    for (const std::string& name : names) {
      const auto* const type = types.find(name);
      if (type != nullptr && (!only_known || table.contains(name))) table[name] = *type;
    }
  });
}

class GraphCalls : public GraphBuilder {
 public:
  explicit GraphCalls(const Graph& graph)
      : GraphBuilder(std::make_shared<Shared>(Shared{declared_operators(), hints_of(graph), {}})) {
    graph_ = graph;
    graph_.nodes.clear();
    names_ = FreshNames(graph);
  }

  Graph add(const std::string& target, const nb::args& arguments, const nb::kwargs& keywords) {
    call_operator(*this, target, arguments, keywords);
    Graph part;
    part.nodes.push_back(std::move(graph_.nodes.back()));
    graph_.nodes.clear();
    copy_types(graph_, names_in(part.nodes.front().outputs), part);
    return part;
  }
};

std::vector<Value> values_in(nb::handle argument) {
  const Borrowed<Argument> given(argument);
  std::vector<Value> values;
  for_each_name(*given, [&](const std::string& name, ValueName::Table table) {
    values.push_back({name, table});
  });
  return values;
}

nb::object substituted(nb::handle argument, const std::string& old_name, nb::handle replacement) {
  Argument changed = *Borrowed<Argument>(argument);
  Substitutes substitutes;
  substitutes.insert(old_name, *Borrowed<Argument>(replacement));
  substitute(substitutes, changed);
  return to_python(std::move(changed));
}

std::string module_of(nb::handle node) {
  const Borrowed<Node> given(node);
  const std::vector<ModuleFrame> frames = module_frames(*given);
  return frames.empty() || is_placeholder(frames.back()) ? std::string() : module_path(frames.back());
}

std::size_t drop_dead_nodes_in_place(nb::handle program) {
  std::size_t count = 0;
  change_in_place(program, [&](ExportedProgram& copy, const ExportedProgram&) {
    count = drop_dead_nodes(copy, declared_operators());
    return count != 0;
  });
  return count;
}

nb::object replaced_output_uses(nb::handle program, const std::string& name, nb::handle replacement) {
  Substitutes substitutes;
  substitutes.insert(name, *Borrowed<Argument>(replacement));
  return changed_copy(program, [&](ExportedProgram& copy) {
    replace_output_uses(copy, copy.graph_module.graph, substitutes);
  });
}

nb::object with_input(nb::handle program, const std::string& name, nb::handle type) {
  const TensorMeta meta = *Borrowed<TensorMeta>(type);
  return changed_copy(program, [&](ExportedProgram& copy) { add_input(copy, name, meta); });
}

template <auto Edit, class... Names>
nb::object edited_copy(nb::handle program, const Names&... names) {
  return changed_copy(program, [&](ExportedProgram& copy) { Edit(copy, names...); });
}

/// Ignores errors that `before` has.
void require_no_new_errors(const ExportedProgram& before, const ExportedProgram& after) {
  const std::vector<Finding> known = verify(before, declared_operators());
  for (const Finding& found : verify(after, declared_operators())) {
    if (found.severity != Severity::error) continue;
    const bool is_known = std::any_of(known.begin(), known.end(), [&](const Finding& old) {
      return old.rule == found.rule && old.message == found.message;
    });
    if (is_known) continue;
    throw schemagen::DataError(found.message + " [" + rule_of(found.rule).id + "]", found.path, {});
  }
}

/// torch warns about ranges without symbols.
void drop_lost_symbols(const ExportedProgram& before, ExportedProgram& program) {
  const schemagen::Map<RangeConstraint> ranges = std::exchange(program.range_constraints, {});
  const schemagen::Map<bool> used = symbols_of(program);
  const schemagen::Map<bool> known = symbols_of(before);
  for (const auto& [symbol, range] : ranges) {
    if (used.contains(symbol) || !known.contains(symbol)) program.range_constraints.insert(symbol, range);
  }
}

/// The values `early` have the types of `before` again while inference looks for all that depends on a
/// change. Returns the types of `early` and of all values that depend on a change, as the tables of a graph.
nb::object early_types(nb::handle edited, nb::handle before, const std::vector<std::string>& early) {
  const Borrowed<ExportedProgram> now(edited);
  const Borrowed<ExportedProgram> old(before);
  return to_python(without_gil([&] {
    ExportedProgram copy = *now;
    copy_types(old->graph_module.graph, early, copy.graph_module.graph, true);
    std::vector<std::string> names = infer_known_types(copy, *old, declared_operators());
    names.insert(names.end(), early.begin(), early.end());
    Graph types;
    copy_types(copy.graph_module.graph, names, types);
    return types;
  }));
}

void commit_edit(nb::handle program, nb::handle edited, const std::vector<std::string>& early) {
  const ExportedProgram made = *Borrowed<ExportedProgram>(edited);
  change_in_place(program, [&](ExportedProgram& copy, const ExportedProgram& before) {
    copy = made;
    copy_types(before.graph_module.graph, early, copy.graph_module.graph, true);
    infer_types(copy, before, declared_operators());
    drop_lost_symbols(before, copy);
    require_no_new_errors(before, copy);
    return true;
  });
}

struct Declared {
  std::mutex mutex;
  OperatorSet operators;
};

Declared& declared() {
  static Declared all;
  return all;
}

/// `infer` is an operator for OperatorSet::infer_as(), or "pointwise".
void declare_operator(const std::string& schema, const std::optional<std::string>& infer) {
  const bool is_pointwise = infer && *infer == "pointwise";
  const Operator* const like = infer && !is_pointwise ? &operator_called(*infer) : nullptr;
  const std::lock_guard<std::mutex> lock(declared().mutex);
  OperatorSet& operators = declared().operators;
  Operator& op =
      operators.add(is_pointwise ? parse_operator_line(schema + " # pointwise") : parse_operator(schema));
  operators.infer_as(op, like);
}

}  // namespace

OperatorSet declared_operators() {
  const std::lock_guard<std::mutex> lock(declared().mutex);
  return declared().operators;
}

void bind_graph_edits(nb::module_& module) {
  def(module, "values_in", values_in);
  def(
      module, "argument_of",
      +[](const Value& value) { return to_python(value_argument(value.table, value.name)); });
  def(module, "substituted", substituted);
  def(module, "module_of", module_of);
  def(module, "drop_dead_nodes", drop_dead_nodes_in_place);
  def(module, "replaced_output_uses", replaced_output_uses);
  def(module, "with_input", with_input);
  def(module, "without_input", edited_copy<remove_input, std::string>);
  def(module, "with_output", edited_copy<add_output, std::string, std::string>);
  def(module, "with_output_replaced", edited_copy<replace_output, std::string, std::string>);
  def(module, "without_output", edited_copy<remove_output, std::string>);
  module.def("end_edits", [](nb::handle value) {
    View::of(value)->end_changes(
        "this value is no longer edited: its node was erased, or its `with pt2.edit(...)` block has ended");
  });
  def(module, "commit_edit", commit_edit);
  def(module, "early_types", early_types);
  def(module, "declare_operator", declare_operator);
  nb::class_<GraphCalls>(module, "GraphCalls")
      .def("__init__",
           [](GraphCalls* self, nb::handle graph) { new (self) GraphCalls(*Borrowed<Graph>(graph)); })
      .def("call",
           [](GraphCalls& calls, const std::string& target, const nb::args& arguments,
              const nb::kwargs& keywords) { return to_python(calls.add(target, arguments, keywords)); });
}

}  // namespace pt2::python
