#include "pt2/diff/program_diff.h"

#include <set>

#include "pt2/diff/graph_diff.h"
#include "pt2/diff/sequence_match.h"
#include "pt2/strings/program_words.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "pt2/text/treespec.h"
#include "pt2/versions/version.h"
#include "pt2/visit.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/same_value.h"

namespace pt2 {
namespace {

/// The fields that older releases do not write: what their values are in a program.
struct Recorded {
  explicit Recorded(const ExportedProgram& program) {
    for_each_graph(program.graph_module.graph, [&](const Graph& graph) {
      for (const Node& node : graph.nodes) {
        names.insert(name_state(node));
        for (const NamedArgument& input : node.inputs) kinds.insert(input.kind ? 1 : 0);
      }
    });
  }

  std::set<int> kinds;
  std::set<int> names;
};

bool is_one_sided(const std::set<int>& a, const std::set<int>& b) {
  return a.size() == 1 && b.size() == 1 && a != b;
}

template <class T, class Text>
void diff_maps(GraphDiff& diff, const char* part, const schemagen::Map<T>& a, const schemagen::Map<T>& b,
               const Text& text) {
  for (const auto& [key, value] : a) {
    const T* const other = b.find(key);
    if (other == nullptr) {
      add_difference(diff, part, {text(key, value, diff.a), {}}, {});
    } else if (!schemagen::is_same_value(value, *other)) {
      add_difference(diff, part, {text(key, value, diff.a), {}}, {text(key, *other, diff.b), {}});
    }
  }
  for (const auto& [key, value] : b) {
    if (!a.contains(key)) add_difference(diff, part, {}, {text(key, value, diff.b), {}});
  }
}

template <class T, class Key, class Text, class Details>
void diff_lists(GraphDiff& diff, const char* part, const std::vector<T>& a, const std::vector<T>& b,
                const Key& key, const Text& text, const Details& details_of,
                const std::string& order = "order") {
  std::vector<std::string> keys_a;
  std::vector<std::string> keys_b;
  for (const T& item : a) keys_a.push_back(key(item));
  for (const T& item : b) keys_b.push_back(key(item));
  const std::vector<KeyMatch> matches = match_keys(keys_a, keys_b);
  for (const KeyMatch& match : matches) {
    std::vector<std::string> details;
    if (match.a && match.b) {
      details = details_of(a[*match.a], b[*match.b]);
      if (details.empty()) continue;
    }
    add_difference(diff, part, {match.a ? text(a[*match.a], diff.a) : "", {}},
                   {match.b ? text(b[*match.b], diff.b) : "", {}}, std::move(details));
  }
  if (!are_in_order(matches)) add_difference(diff, part, {}, {}, {order});
}

void diff_texts(GraphDiff& diff, const char* part, const std::vector<std::string>& a,
                const std::vector<std::string>& b, const std::string& prefix) {
  diff_lists(
      diff, part, a, b, [](const std::string& item) { return item; },
      [&](const std::string& item, const NamedGraph& graph) {
        return prefix + (item.empty() ? "\"\"" : printable(graph.with_symbols(item)));
      },
      [](const std::string&, const std::string&) { return std::vector<std::string>(); }, prefix + "order");
}

void diff_recorded(GraphDiff& diff, const std::set<int>& a, const std::set<int>& b, const std::string& what) {
  if (!is_one_sided(a, b)) return;
  add_difference(diff, "schema", {}, {},
                 {(a > b ? "only the first program records " : "only the second program records ") + what});
}

std::string call_arguments_text(const std::vector<Argument>& arguments, const NamedGraph& graph) {
  return "(" + join_texts(arguments, ", ", [&](const Argument& argument) { return graph.text(argument); }) +
         ")";
}

/// `module "layer"(x, 1) -> (y)`; some files omit arguments.
std::string module_call_text(const ModuleCallEntry& call, const NamedGraph& graph) {
  std::string text = "module " + string_literal(call.fqn);
  if (!call.signature || (call.signature->inputs.empty() && call.signature->outputs.empty())) return text;
  return text + call_arguments_text(call.signature->inputs, graph) + " -> " +
         call_arguments_text(call.signature->outputs, graph);
}

std::string tree_text(const TreeSpec& tree) {
  if (!tree.type) return "a leaf";
  const bool has_context = tree.context.text != "null" && tree.context.text != "\"null\"";
  return printable(*tree.type) + (has_context ? " " + printable(tree.context.text) : "") + " with " +
         schemagen::counted(tree.children.size(), "item");
}

/// Adds the outermost parts of two trees that differ, with their places, e.g. `in_spec[0][1]`.
void add_tree_details(std::vector<std::string>& details, const std::string& place, const TreeSpec& a,
                      const TreeSpec& b) {
  if (a.type != b.type || a.context.text != b.context.text || a.children.size() != b.children.size()) {
    details.push_back(place + ": " + tree_text(a) + ", then " + tree_text(b));
    return;
  }
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    add_tree_details(details, place + "[" + std::to_string(i) + "]", a.children[i], b.children[i]);
  }
}

std::string names_text(const std::optional<std::vector<std::string>>& names) {
  return names ? "[" + join_texts(*names, ", ", string_literal) + "]" : "None";
}

std::vector<std::string> call_details(GraphDiff& diff, const ModuleCallEntry& a, const ModuleCallEntry& b) {
  if (a.signature.has_value() != b.signature.has_value()) return {"signature"};
  if (!a.signature) return {};
  std::vector<std::string> details;
  const auto add_change = [&](const char* what, const std::string& before, const std::string& after) {
    if (before != after) details.push_back(what + (": " + printable(before)) + ", then " + printable(after));
  };
  if (!have_same_values(diff, a.signature->inputs, b.signature->inputs)) details.push_back("inputs");
  if (!have_same_values(diff, a.signature->outputs, b.signature->outputs)) details.push_back("outputs");
  const auto add_trees = [&](const char* what, const std::string& before, const std::string& after) {
    if (before == after) return;
    try {
      const std::size_t known = details.size();
      add_tree_details(details, what, parse_treespec(before), parse_treespec(after));
      if (details.size() == known) details.push_back(what + std::string(": written differently"));
    } catch (const schemagen::DataError&) {
      add_change(what, before, after);
    }
  };
  add_trees("in_spec", a.signature->in_spec, b.signature->in_spec);
  add_trees("out_spec", a.signature->out_spec, b.signature->out_spec);
  add_change("forward_arg_names", names_text(a.signature->forward_arg_names),
             names_text(b.signature->forward_arg_names));
  return details;
}

std::string coloured(const std::string& line, const char* code, Colours colours) {
  return colours == Colours::none ? line + "\n" : "\x1b[" + std::string(code) + "m" + line + "\x1b[0m\n";
}

}  // namespace

std::vector<Difference> diff_programs(const NormalProgram& normal_a, const NormalProgram& normal_b) {
  const ExportedProgram& a = normal_a.program;
  const ExportedProgram& b = normal_b.program;
  if (schemagen::is_same_value(a, b)) return {};
  const Recorded recorded_a(a);
  const Recorded recorded_b(b);
  std::vector<Difference> differences;
  GraphDiff diff{
      {a.graph_module.graph, normal_a.names, normal_a.symbols},
      {b.graph_module.graph, normal_b.names, normal_b.symbols},
      {is_one_sided(recorded_a.kinds, recorded_b.kinds), is_one_sided(recorded_a.names, recorded_b.names)},
      differences};
  if (a.schema_version != b.schema_version) {
    add_difference(diff, "schema", {"schema " + version_text(a.schema_version), {}},
                   {"schema " + version_text(b.schema_version), {}});
  }
  diff_texts(diff, "schema", a.verifiers, b.verifiers, "verifier ");
  diff_recorded(diff, recorded_a.kinds, recorded_b.kinds, "how arguments are passed");
  diff_recorded(diff, recorded_a.names, recorded_b.names, "the names of nodes");
  diff_maps(diff, "opset", a.opset_version, b.opset_version,
            [](const std::string& name, std::int64_t version, const NamedGraph&) {
              return printable(name) + " " + std::to_string(version);
            });
  diff_maps(diff, "constraints", a.range_constraints, b.range_constraints,
            [](const std::string& symbol, const RangeConstraint& range, const NamedGraph& graph) {
              return range_text(graph.with_symbols(symbol), range);
            });
  diff_texts(diff, "guards", a.guards_code, b.guards_code, "");
  diff_graphs(diff, a.graph_module.signature, b.graph_module.signature);
  diff_lists(
      diff, "modules", a.graph_module.module_call_graph, b.graph_module.module_call_graph,
      [](const ModuleCallEntry& call) { return call.fqn; }, module_call_text,
      [&](const ModuleCallEntry& x, const ModuleCallEntry& y) { return call_details(diff, x, y); });
  diff_maps(diff, "metadata", a.graph_module.metadata, b.graph_module.metadata,
            [](const std::string& key, const std::string& value, const NamedGraph&) {
              return printable(key) + ": " + printable(value);
            });
  diff_maps(diff, "modules", a.graph_module.treespec_namedtuple_fields,
            b.graph_module.treespec_namedtuple_fields,
            [](const std::string& name, const NamedTupleDef& tuple, const NamedGraph&) {
              const auto text = [](const std::string& field) { return printable(field); };
              return "named tuple " + printable(name) + "(" + join_texts(tuple.field_names, ", ", text) + ")";
            });
  diff_undefined_values(diff);
  return differences;
}

std::string difference_text(const std::vector<Difference>& differences, Colours colours) {
  std::string text;
  std::string part;
  std::string where;
  for (const Difference& difference : differences) {
    if (difference.part != part) text += (text.empty() ? "" : "\n") + difference.part + "\n";
    if (difference.where != where && !difference.where.empty()) text += "  in " + difference.where + ":\n";
    part = difference.part;
    where = difference.where;
    const std::string indent = where.empty() ? "" : "  ";
    if (difference.before == difference.after && !difference.before.empty()) {
      text += indent + "  " + difference.before + "\n";
    } else {
      if (!difference.before.empty()) text += coloured(indent + "- " + difference.before, "31", colours);
      if (!difference.after.empty()) text += coloured(indent + "+ " + difference.after, "32", colours);
    }
    for (const std::string& detail : difference.details) text += indent + "    (" + detail + ")\n";
  }
  if (differences.empty()) return "no differences\n";
  return text + "\n" + schemagen::counted(differences.size(), "difference") + "\n";
}

std::function<void(const std::string& pass, const ExportedProgram& before, const ExportedProgram& after)>
pass_printer(std::ostream& out) {
  return [&out](const std::string& pass, const ExportedProgram& before, const ExportedProgram& after) {
    out << pass << ":\n" << difference_text(diff_programs(normalize(before), normalize(after)));
  };
}

}  // namespace pt2
