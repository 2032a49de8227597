#include "command.h"
#include "console.h"
#include "each_model.h"
#include "input.h"
#include "pt2/graph/signature.h"
#include "pt2/program.h"
#include "pt2/report/node_details.h"
#include "pt2/report/reports.h"
#include "pt2/show/diagram.h"
#include "pt2/show/print.h"
#include "show_json.h"

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
