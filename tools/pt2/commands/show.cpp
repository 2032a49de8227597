#include <algorithm>
#include <initializer_list>

#include "command.h"
#include "console.h"
#include "each_model.h"
#include "input.h"
#include "pt2/graph/signature.h"
#include "pt2/program.h"
#include "pt2/report/node_details.h"
#include "pt2/report/report_options.h"
#include "pt2/report/reports.h"
#include "pt2/show/diagram.h"
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

class ShownNodes {
 public:
  explicit ShownNodes(const Diagram& view) : view_(view) {}

  std::string write(const DiagramNode* node, const std::optional<std::string>& module) {
    const bool is_whole = node == nullptr && !module;
    json_.begin('{');
    if (is_whole) list("inputs", {DiagramNode::Kind::input, DiagramNode::Kind::weight});
    json_.key("nodes").begin('[');
    for (const DiagramNode& each : view_.nodes) {
      const bool is_chosen = node == nullptr ? each.kind == DiagramNode::Kind::operation : node == &each;
      if (is_chosen && (!module || is_in(each, *module))) write_node(each);
    }
    json_.end(']');
    if (is_whole) list("outputs", {DiagramNode::Kind::output});
    json_.end('}');
    return std::string(json_.view());
  }

 private:
  const DiagramGroup* around(const DiagramNode& node, DiagramGroup::Kind kind) const {
    for (std::size_t group = node.group; group != 0; group = view_.groups[group].parent) {
      if (view_.groups[group].kind == kind) return &view_.groups[group];
    }
    return nullptr;
  }

  bool is_in(const DiagramNode& node, const std::string& module) const {
    if (module.empty()) return true;
    for (std::size_t group = node.group; group != 0; group = view_.groups[group].parent) {
      const std::string& name = view_.groups[group].name;
      if (view_.groups[group].kind == DiagramGroup::Kind::module &&
          (name == module || starts_with(name, module + " (call "))) {
        return true;
      }
    }
    return false;
  }

  void list(const char* key, std::initializer_list<DiagramNode::Kind> kinds) {
    json_.key(key).begin('[');
    for (const DiagramNode& node : view_.nodes) {
      const bool is_wanted = std::count(kinds.begin(), kinds.end(), node.kind) != 0;
      if (!is_wanted || around(node, DiagramGroup::Kind::subgraph) != nullptr) continue;
      json_.begin('{').key("name").string(node.name);
      if (node.kind == DiagramNode::Kind::output) {
        json_.key("is").string(node.label).key("text").string(node.arguments.front().text).end('}');
        continue;
      }
      json_.key("type").string(node.values.empty() ? "" : view_.values[node.values.front()].type);
      json_.key("is").string(node.label).key("target");
      node.target.empty() ? json_.null() : json_.string(node.target);
      json_.end('}');
    }
    json_.end(']');
  }

  void write_node(const DiagramNode& node) {
    const bool is_inner = around(node, DiagramGroup::Kind::subgraph) != nullptr;
    json_.begin('{').key("name").string(node.name);
    json_.key("graph").string(is_inner ? node.name.substr(0, node.name.rfind('/')) : "").key("module");
    const DiagramGroup* const module = around(node, DiagramGroup::Kind::module);
    module == nullptr ? json_.null() : json_.string(module->name);
    json_.key("operator").string(node.label).key("arguments").begin('[');
    for (const DiagramArgument& argument : node.arguments) {
      json_.begin('{').key("name").string(argument.name).key("text").string(argument.text);
      json_.key("default").boolean(argument.is_default).end('}');
    }
    json_.end(']').key("results").begin('[');
    for (const std::size_t value : node.values) {
      json_.begin('{').key("name").string(view_.values[value].name);
      json_.key("type").string(view_.values[value].type).end('}');
    }
    json_.end(']').key("metadata").begin('{');
    for (const auto& [key, text] : node.metadata) json_.key(key).string(text);
    json_.end('}').end('}');
  }

  const Diagram& view_;
  schemagen::JsonWriter json_{report_options()};
};

/// {inputs [{name, type, is: "parameter l1.weight", target: "l1.weight", or null if it is not a weight}];
///  nodes, each subgraph's after the graph that runs it: [{name, graph: "" or "getitem/true_graph_0",
///    module: the innermost, "b.0" or "b.0 (call 2)", or null; operator,
///    arguments [{name, text, default: whether the node omits it}], results [{name, type}],
///    metadata {key: text}}];
///  outputs [{name, is, text}]}.
/// Only one `node`, or the nodes in one `module`, if given. Throws UsageError, with similar names, if there
/// is none.
std::string show_json(const ExportedProgram& program, const OperatorSet& operators,
                      const std::optional<std::string>& node, const std::optional<std::string>& module) {
  const Diagram view = diagram_of(program, operators);
  return ShownNodes(view).write(node ? &find_node(view, *node) : nullptr, module);
}

std::string json_of(const ExportedProgram& program, const OperatorSet& operators,
                    const ShowArguments& arguments) {
  if (arguments.signature) return signature_json(program.graph_module.signature);
  if (arguments.printing.module) require_module(program, *arguments.printing.module);
  return show_json(program, operators, arguments.node, arguments.printing.module);
}

int run(const ShowArguments& arguments) {
  const OperatorSet operators = operators_of(arguments.operators);
  const ProgramFile file = open_input(arguments.in);
  const auto report = [&](const LoadOptions& loading) -> ModelReport {
    const LoadedProgram loaded = load_to_read(arguments.in, file, loading);
    return {arguments.json ? json_of(loaded.program, operators, arguments)
                           : text_of(loaded.program, operators, arguments)};
  };
  return print_each_model(file, arguments.loading, arguments.json, report, colours_of(arguments));
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
  auto& arguments = add_arguments<ShowArguments>(command, &ShowArguments::in);
  add_program_argument(command, "FILE", arguments.in);
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
