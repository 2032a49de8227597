#include <algorithm>

#include "each_model.h"
#include "output.h"
#include "pt2/graph/signature.h"
#include "pt2/report/node_details.h"
#include "pt2/report/reports.h"
#include "pt2/show/print.h"
#include "pt2/text/affix.h"

namespace pt2::tool {
namespace {

struct ShowArguments : FileArguments {
  bool signature = false;
  std::optional<std::string> node;
  std::string colours = "auto";
  PrintOptions printing;
};

Colours colours_of(const ShowArguments& arguments) {
  if (arguments.colours == "always") return Colours::ansi;
  return arguments.colours == "never" ? Colours::none : output_colours();
}

std::string text_of(const ExportedProgram& program, const OperatorSet& operators,
                    const ShowArguments& arguments) {
  if (arguments.signature) return ExportGraphSignature(program.graph_module.signature).text();
  if (arguments.node) return node_details(diagram_of(program, operators), *arguments.node);
  PrintOptions printing = arguments.printing;
  printing.colours = colours_of(arguments);
  return program_text(program, printing);
}

/// Writes these members:
/// {inputs [{name, type, is: "parameter l1.weight", target: "l1.weight", or null if it is not a weight}];
///  nodes, each subgraph's after the graph that runs it: [{name, graph: "" or "getitem/true_graph_0",
///    module: the innermost, "b.0" or "b.0 (call 2)", or null; operator,
///    arguments [{name, text, default: whether the node omits it}], results [{name, type}],
///    metadata {key: text}}];
///  outputs [{name, is, text}]}.
struct ShownNodes {
  /// Only `node`, or the nodes in `module`, if given.
  std::string write(const DiagramNode* node, const std::optional<std::string>& module) {
    const bool is_whole = node == nullptr && !module;
    json.begin('{');
    if (is_whole) list("inputs", {DiagramNode::Kind::input, DiagramNode::Kind::weight});
    json.list("nodes", view.nodes, [&](const DiagramNode& each) {
      const bool is_chosen = node == nullptr ? each.kind == DiagramNode::Kind::operation : node == &each;
      if (is_chosen && (!module || is_in(each, *module))) write_node(each);
    });
    if (is_whole) list("outputs", {DiagramNode::Kind::output});
    json.end('}');
    return json.text();
  }

  bool is_in_subgraph(const DiagramNode& node) const {
    return group_around(view, node.group, DiagramGroup::Kind::subgraph) != 0;
  }

  bool is_in(const DiagramNode& node, const std::string& module) const {
    if (module.empty()) return true;
    std::size_t group = node.group;
    while ((group = group_around(view, group, DiagramGroup::Kind::module)) != 0) {
      const std::string& name = view.groups[group].name;
      if (name == module || starts_with(name, module + " (call ")) return true;
      group = view.groups[group].parent;
    }
    return false;
  }

  void list(const char* key, std::initializer_list<DiagramNode::Kind> kinds) {
    json.list(key, view.nodes, [&](const DiagramNode& node) {
      const bool is_wanted = std::count(kinds.begin(), kinds.end(), node.kind) != 0;
      if (!is_wanted || is_in_subgraph(node)) return;
      if (node.kind == DiagramNode::Kind::output) {
        json.object("name", node.name, "is", node.label, "text", node.arguments.front().text);
        return;
      }
      const std::string type = node.values.empty() ? "" : view.values[node.values.front()].type;
      json.object("name", node.name, "type", type, "is", node.label, "target",
                  node.target.empty() ? std::nullopt : std::optional(node.target));
    });
  }

  void write_node(const DiagramNode& node) {
    const std::string graph = is_in_subgraph(node) ? node.name.substr(0, node.name.rfind('/')) : "";
    const std::size_t module = group_around(view, node.group, DiagramGroup::Kind::module);
    json.begin('{');
    json.members("name", node.name, "graph", graph, "module",
                 module == 0 ? std::nullopt : std::optional(view.groups[module].name), "operator",
                 node.label);
    json.list("arguments", node.arguments, [&](const DiagramArgument& argument) {
      json.object("name", argument.name, "text", argument.text, "default", argument.is_default);
    });
    json.list("results", node.values, [&](std::size_t value) {
      json.object("name", view.values[value].name, "type", view.values[value].type);
    });
    json.members("metadata", node.metadata);
    json.end('}');
  }

  const Diagram& view;
  ReportWriter json = ReportWriter();
};

std::string json_of(const ExportedProgram& program, const OperatorSet& operators,
                    const ShowArguments& arguments) {
  if (arguments.signature) return signature_json(program.graph_module.signature);
  if (arguments.printing.module) require_module(program, *arguments.printing.module);
  const Diagram view = diagram_of(program, operators);
  const DiagramNode* const node = arguments.node ? &find_node(view, *arguments.node) : nullptr;
  return ShownNodes{view}.write(node, arguments.printing.module);
}

int run(const ShowArguments& arguments) {
  const OperatorSet operators = operators_of(arguments.operators);
  const auto report = [&](const ProgramFile& file, const LoadOptions& loading) -> ModelReport {
    const LoadedProgram loaded = load_to_read(arguments.in, file, loading);
    return {arguments.json ? json_of(loaded.program, operators, arguments)
                           : text_of(loaded.program, operators, arguments)};
  };
  return print_each_model(arguments, report, colours_of(arguments));
}

void add_options(Command command, ShowArguments& arguments) {
  const tools::Option signature = command.add_flag(
      "--signature", arguments.signature, "Print the graph signature as torch prints ep.graph_signature");
  command
      .add_option("--node NAME", arguments.node,
                  "Print all details of a node; in a subgraph: getitem/true_graph_0/sin")
      .excludes(signature);
  command.add_option("--module PATH", arguments.printing.module,
                     "Print only the nodes of a module, such as layers.0");
  const tools::Option json = command.add_flag("--json", arguments.json, "Print a JSON object with all nodes");
  command.add_option("--depth N", arguments.printing.depth, "Print modules below depth N as one line each")
      .excludes(json);
  command.add_flag("--fold", arguments.printing.fold, "Print equal modules only once").excludes(json);
  command.add_flag("--source", arguments.printing.source, "Print the source line of each node below it")
      .excludes(json);
  command
      .add_option("--color WHEN", arguments.colours,
                  "When to color the text; auto (default): only on a terminal")
      .one_of({"always", "auto", "never"});
}

}  // namespace

void add_show_command(Command command) {
  auto& arguments = add_file_arguments<ShowArguments>(command, "FILE");
  add_options(command, arguments);
  add_operators_option(command, arguments.operators);
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Each line is a node with the types of its results:\n"
      "  add: f32[s0, 4] = aten.add.Tensor(x, 1)\n"
      "Subgraphs are indented below their node. Types are dimmed on a terminal, unless NO_COLOR=1 is set.\n"
      "Modules are equal if they have the same operators and literals in the same order, and equal inner\n"
      "modules.\n\n"
      "Examples:\n"
      "  pt2 show model.pt2 | less\n"
      "  pt2 show model.pt2 --fold --depth 2\n"
      "  pt2 show model.pt2 --module layers.0 --source\n"
      "  pt2 show model.pt2 --node add_3\n"
      "  pt2 show model.pt2 --json | jq '.nodes[] | select(.module == \"b.0.qkv\")'\n"
      "  unzip -p model.pt2 '*/models/model.json' | pt2 show -");
}

}  // namespace pt2::tool
